// secretbox: XSalsa20 and Poly1305, as in NaCl. Loaded with the first configuration that asks for it.
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import { randomBytes } from "node:crypto";
import { concat, type Transformer } from "./transformer.ts";

const NONCE = 24;

/** nonce, then the box. */
export function secretbox(key: Uint8Array): Transformer {
  return {
    open(stored) {
      if (stored.length < NONCE) throw new Error("the stored data was shorter than the required size");
      try {
        const box = xsalsa20poly1305(key, stored.subarray(0, NONCE));
        return { value: box.decrypt(stored.subarray(NONCE)), stale: false };
      } catch {
        throw new Error("invalid box"); // Whatever the reason, the key is not the right one or the box is damaged.
      }
    },
    seal(value) {
      const nonce = randomBytes(NONCE);
      return concat(nonce, xsalsa20poly1305(key, nonce).encrypt(value));
    },
  };
}
