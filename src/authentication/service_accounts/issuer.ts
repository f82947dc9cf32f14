// Issues tokens of service accounts (TokenRequest).
import { createPublicKey, type KeyObject } from "node:crypto";
import type { JWK } from "jose";
import type { PublicClaims } from "../jwt_claims.ts";
import type { BoundClaims } from "./claims.ts";
import { algorithmsOf, importKey, keyId } from "./keys.ts";

export interface IssuerOptions {
  /** `iss` of the tokens. */
  issuer: string;
  /** RSA or ECDSA. */
  signingKey: KeyObject;
}

/** Signs a token; `iss` is added. */
export type TokenIssuer = (claims: PublicClaims & { "kubernetes.io": BoundClaims }) => Promise<string>;

/** Throws an Error when the key signs no tokens. */
export function tokenIssuer({ issuer, signingKey }: IssuerOptions): TokenIssuer {
  const jwk = signingKey.export({ format: "jwk" }) as JWK;
  const [alg] = algorithmsOf(jwk);
  const kid = keyId(createPublicKey(signingKey as unknown as string));
  let key: ReturnType<typeof importKey> | undefined;
  return async (claims) => {
    const { CompactSign } = await import("jose");
    const all: Record<string, unknown> = { ...claims, iss: issuer };
    const sorted = Object.fromEntries(Object.keys(all).sort().map((name) => [name, all[name]]));
    const payload = new TextEncoder().encode(JSON.stringify(sorted));
    return await new CompactSign(payload).setProtectedHeader({ alg, kid }).sign(await (key ??= importKey(jwk, alg)));
  };
}
