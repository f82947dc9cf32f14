// The keys that verify service account tokens, by the key id that their tokens carry.
import { createHash, type KeyObject } from "node:crypto";
import type { CryptoKey, JWK } from "jose";
import { keysOf } from "./pem.ts";

const RSA_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
/** By JWK curve. */
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" };

/** One public key. */
export interface VerificationKey {
  id: string;
  /** The key as RFC 7517 has it, without id and use. */
  jwk: JWK;
  /** What it may verify, the one that tokens are signed with first: never a symmetric one. */
  algorithms: readonly string[];
  /** The key for one of `algorithms`. */
  for(algorithm: string): Promise<CryptoKey>;
}

/** Keys of all files in order. Throws an Error when one cannot be used. */
export class VerificationKeys {
  readonly all: readonly VerificationKey[];

  constructor(files: readonly { pem: string }[]) {
    this.all = files.flatMap(({ pem }) => keysOf(pem).map(verificationKey));
  }

  /** Those that may have signed a token with this key id; all when it has none. */
  byId(id: string | undefined): readonly VerificationKey[] {
    return id ? this.all.filter((key) => key.id === id) : this.all;
  }
}

function verificationKey(key: KeyObject): VerificationKey {
  const jwk = key.export({ format: "jwk" }) as JWK;
  const algorithms = algorithmsOf(jwk);
  const imported = new Map<string, Promise<CryptoKey>>();
  return {
    id: keyId(key),
    jwk,
    algorithms,
    for(algorithm) {
      let known = imported.get(algorithm);
      if (known === undefined) imported.set(algorithm, known = importKey(jwk, algorithm));
      return known;
    },
  };
}

/** Throws an Error for keys that sign no tokens. */
export function algorithmsOf({ kty, crv = "" }: JWK): readonly string[] {
  if (kty === "RSA") return RSA_ALGORITHMS;
  const algorithm = kty === "EC" ? CURVE_ALGORITHMS[crv] : undefined;
  if (algorithm === undefined) throw new Error("unknown private key curve, must be 256, 384, or 521");
  return [algorithm];
}

/** A digest of the public key in DER, which gives nothing away. */
export function keyId(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" }) as Uint8Array;
  return createHash("sha256").update(der).digest("base64url");
}

export async function importKey(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const { importJWK } = await import("jose");
  return await importJWK(jwk, algorithm) as CryptoKey;
}
