// What a server is called among those that serve the same cluster.
import { createHash } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** kube-apiserver's name of itself on this host: `apiserver-` and a hash of the host's name. */
export function serverId(hostname = Deno.hostname()): string {
  const hash = createHash("sha256");
  for (const part of [hostname, "kube-apiserver"]) {
    const bytes = new TextEncoder().encode(part);
    hash.update(Uint8Array.of(bytes.length >> 8, bytes.length & 0xff)).update(bytes);
  }
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`;
}

/** RFC 4648 in small letters, without padding. */
function base32(bytes: Uint8Array): string {
  let text = "", bits = 0, value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}
