// Verifies ID tokens (OpenID Connect Core 1.0, 3.1.3.7): signature, audience, time.
import type { JWTVerifyGetKey } from "jose";
import { audiencesOf, checkTypes, unverifiedClaims } from "../jwt_claims.ts";
import { goQuote } from "../../machinery/go_text.ts";
import type { JwtClaims } from "./interface.ts";

export interface VerifyOptions {
  keys: JWTVerifyGetKey;
  audiences: readonly string[];
  algorithms: readonly string[];
  /** Milliseconds. */
  now: number;
}

/** How far ahead an issuer's clock may be, in seconds. */
const NOT_BEFORE_LEEWAY = 300;

/** The claims of a token whose issuer is the right one. Throws an Error with what is wrong with it. */
export async function verifyToken(
  token: string,
  { keys, audiences, algorithms, now }: VerifyOptions,
): Promise<JwtClaims> {
  const { compactVerify, decodeProtectedHeader } = await import("jose");
  const claims = unverifiedClaims(token)!;
  checkTypes(claims);
  const own = audiencesOf(claims);
  if (!own.some((audience) => audiences.includes(audience))) {
    const wanted = audiences.length === 1 ? goQuote(audiences[0]) : `[${audiences.map(goQuote).join(" ")}]`;
    const how = audiences.length === 1 ? "expected audience" : "expected audience in";
    throw new Error(`oidc: ${how} ${wanted} got [${own.map(goQuote).join(" ")}]`);
  }
  checkTimes(claims, now / 1000);
  const alg = algorithmOf(() => decodeProtectedHeader(token));
  if (!algorithms.includes(alg)) {
    throw new Error(
      `oidc: malformed jwt: unexpected signature algorithm ${goQuote(alg)}; expected [${
        algorithms.map(goQuote).join(" ")
      }]`,
    );
  }
  try {
    await compactVerify(token, keys, { algorithms: [alg] });
  } catch (e) {
    throw new Error(`failed to verify signature: ${(e as Error).message}`);
  }
  return claims;
}

function algorithmOf(header: () => { alg?: string }): string {
  try {
    return header().alg ?? "";
  } catch {
    throw new Error("oidc: malformed jwt");
  }
}

/** A token without an end has ended. */
function checkTimes({ exp = 0, nbf }: { exp?: number; nbf?: number }, now: number): void {
  const time = (seconds: number) => new Date(Math.trunc(seconds) * 1000).toISOString();
  if (exp < now) throw new Error(`oidc: token is expired (Token Expiry: ${time(exp)})`);
  if (nbf !== undefined && now + NOT_BEFORE_LEEWAY < nbf) {
    throw new Error(`oidc: current time ${time(now)} before the nbf (not before) time: ${time(nbf)}`);
  }
}
