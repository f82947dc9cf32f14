// Verifies ID tokens (OpenID Connect Core 1.0, 3.1.3.7): audience, time, signature.
import { goQuote } from "../../machinery/go_text.ts";
import { signatureHeader, unverifiedClaims } from "../jwt_claims.ts";
import { type IdToken, idTokenOf } from "./id_token.ts";
import type { JwtClaims } from "./interface.ts";
import type { RemoteKeys } from "./remote_keys.ts";

export interface VerifyOptions {
  keys: RemoteKeys;
  audiences: readonly string[];
  algorithms: readonly string[];
  /** Milliseconds. */
  now: number;
}

/** How far ahead an issuer's clock may be, in seconds. */
const NOT_BEFORE_LEEWAY = 60;

/** The claims of a token whose issuer is the right one. Throws an Error with what is wrong with it. */
export async function verifyToken(
  token: string,
  { keys, audiences, algorithms, now }: VerifyOptions,
): Promise<JwtClaims> {
  const claims = unverifiedClaims(token)!, idToken = idTokenOf(claims);
  const { audience } = idToken;
  if (!audience.some((one) => audiences.includes(one))) {
    const wanted = audiences.length === 1 ? goQuote(audiences[0]) : shown(audiences);
    const how = audiences.length === 1 ? "expected audience" : "expected audience in";
    throw new Error(`oidc: ${how} ${wanted} got ${shown(audience)}`);
  }
  checkTimes(idToken, now / 1000);
  const header = signatureHeader(token);
  if (header === undefined) throw new Error("oidc: malformed jwt");
  if (!algorithms.includes(header.alg)) {
    const got = goQuote(header.alg);
    throw new Error(`oidc: id token signed with unsupported algorithm, expected ${shown(algorithms)} got ${got}`);
  }
  const verified = await keys.verifies(token, header).catch((e) => {
    throw new Error(`failed to verify signature: ${(e as Error).message}`);
  });
  if (!verified) throw new Error("failed to verify signature: failed to verify id token signature");
  return claims;
}

function shown(list: readonly string[]): string {
  return `[${list.map(goQuote).join(" ")}]`;
}

/** A token without an end has ended. */
function checkTimes({ expires, notBefore }: IdToken, now: number): void {
  if (expires === undefined || expires < now) {
    throw new Error(`oidc: token is expired (Token Expiry: ${expires === undefined ? NEVER : timeOf(expires)})`);
  }
  if (notBefore !== undefined && now + NOT_BEFORE_LEEWAY < notBefore) {
    throw new Error(`oidc: current time ${timeOf(now)} before the nbf (not before) time: ${timeOf(notBefore)}`);
  }
}

/** As Go writes times: that of nothing, and that of the smallest number. */
const NEVER = "0001-01-01 00:00:00 +0000 UTC", LONG_AGO = "292277026596-12-04 15:30:08 +0000 UTC";
/** Furthest from the epoch that a Date can be, seconds. */
const FURTHEST = 8.64e12;

function timeOf(seconds: number): string {
  if (Math.abs(seconds) > FURTHEST) return LONG_AGO;
  const [day, time] = new Date(Math.trunc(seconds) * 1000).toISOString().split("T");
  return `${day} ${time.slice(0, 8)} +0000 UTC`;
}
