// Addresses that an endpoint of a service can have.
import { type Field, parseIP } from "../../machinery/validation/mod.ts";

/** Kinds of addresses that nobody else can reach, by what messages call them; over bytes of either family. */
const UNREACHABLE: readonly [is: (bytes: readonly number[]) => boolean, message: string][] = [
  [isLoopback, "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  [
    (b) => b.length === 4 ? b[0] === 169 && b[1] === 254 : b[0] === 0xfe && (b[1] & 0xc0) === 0x80,
    "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
  ],
  [
    (b) => b.length === 4 ? b[0] === 224 && b[1] === 0 && b[2] === 0 : b[0] === 0xff && (b[1] & 0x0f) === 2,
    "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  ],
];

function isLoopback(bytes: readonly number[]): boolean {
  return bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
}

export function validateEndpointIP(ip: string, at: Field): void {
  const address = parseIP(ip);
  if (address === undefined) return at.invalid(ip, "must be a valid IP address");
  const bytes = address.family === 4 ? address.bytes.slice(-4) : address.bytes;
  if (bytes.every((byte) => byte === 0)) at.invalid(ip, `may not be unspecified (${ip})`);
  for (const [is, message] of UNREACHABLE) if (is(bytes)) at.invalid(ip, message);
}
