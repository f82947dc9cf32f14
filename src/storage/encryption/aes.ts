// AES: aesgcm, aescbc, and the form of GCM whose key is derived anew for each value from a seed.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { concat, type Transformer } from "./transformer.ts";

const NONCE = 12, TAG = 16, BLOCK = 16;
/** Bytes from which a value's own key is derived, together with the seed. */
const INFO = 32;
export const SEED = 32;
const TOO_SHORT = "the stored data was shorter than the required size";

/** nonce, ciphertext, tag; bound to the key of the value. */
export function aesGcm(key: Uint8Array): Transformer {
  const algorithm = `aes-${key.length * 8}-gcm` as "aes-256-gcm";
  return {
    open(stored, context) {
      if (stored.length < NONCE + TAG) throw new Error(TOO_SHORT);
      const decipher = createDecipheriv(algorithm, key, stored.subarray(0, NONCE));
      decipher.setAAD(context);
      decipher.setAuthTag(stored.subarray(-TAG));
      try {
        const value = concat(decipher.update(stored.subarray(NONCE, -TAG)), decipher.final());
        return { value, stale: false };
      } catch {
        throw new Error("cipher: message authentication failed");
      }
    },
    seal(value, context) {
      const nonce = randomBytes(NONCE), cipher = createCipheriv(algorithm, key, nonce);
      cipher.setAAD(context);
      return concat(nonce, cipher.update(value), cipher.final(), cipher.getAuthTag());
    },
  };
}

/** Initialization vector, blocks padded by PKCS #7. */
export function aesCbc(key: Uint8Array): Transformer {
  const algorithm = `aes-${key.length * 8}-cbc`;
  return {
    open(stored) {
      if (stored.length < 2 * BLOCK) throw new Error(TOO_SHORT);
      if (stored.length % BLOCK !== 0) throw new Error("the stored data is not a multiple of the block size");
      // The padding is looked at here: it is the only thing that a wrong key is found by.
      const decipher = createDecipheriv(algorithm, key, stored.subarray(0, BLOCK)).setAutoPadding(false);
      const padded = concat(decipher.update(stored.subarray(BLOCK)), decipher.final());
      return { value: padded.subarray(0, padded.length - paddingOf(padded)), stale: false };
    },
    seal(value) {
      const iv = randomBytes(BLOCK), cipher = createCipheriv(algorithm, key, iv);
      return concat(iv, cipher.update(value), cipher.final());
    },
  };
}

/** How many bytes of padding there are, each of which says so. */
function paddingOf(padded: Uint8Array): number {
  const count = padded[padded.length - 1];
  const right = count > 0 && count <= BLOCK && padded.subarray(-count).every((byte) => byte === count);
  if (!right) throw new Error("invalid padding on input");
  return count;
}

/** info, then GCM with the key that HKDF (RFC 5869) expands from the seed with this info: no nonce is ever used up. */
export function extendedNonceGcm(seed: Uint8Array): Transformer {
  const derived = (info: Uint8Array) =>
    aesGcm(createHmac("sha256", seed).update(info).update(Uint8Array.of(1)).digest());
  return {
    open(stored, context) {
      if (stored.length < INFO) throw new Error(TOO_SHORT);
      return derived(stored.subarray(0, INFO)).open(stored.subarray(INFO), context);
    },
    seal(value, context) {
      const info = randomBytes(INFO);
      return concat(info, derived(info).seal(value, context) as Uint8Array);
    },
  };
}
