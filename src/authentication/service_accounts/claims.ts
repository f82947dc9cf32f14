// What Kubernetes adds to a token's claims, and when a token is good.
import type { PublicClaims } from "../jwt_claims.ts";

export interface ObjectReference {
  name?: string;
  uid?: string;
}

/** `kubernetes.io` of a token that TokenRequest made. */
export interface BoundClaims {
  namespace?: string;
  serviceaccount?: ObjectReference;
  pod?: ObjectReference;
  secret?: ObjectReference;
  node?: ObjectReference;
  /** From here on the token is only good because old clients do not fetch new ones. */
  warnafter?: number;
}

/** How far clocks may be apart, in seconds. */
const LEEWAY = 60;

/** Throws an Error outside of the token's life. @param now seconds */
export function checkTimes({ nbf, exp, iat }: PublicClaims, now: number): void {
  if (nbf !== undefined && now + LEEWAY < timeOf(nbf)) throw new Error("service account token is not valid yet");
  if (exp !== undefined && now - LEEWAY > timeOf(exp)) throw new Error("service account token has expired");
  if (iat !== undefined && now + LEEWAY < timeOf(iat)) {
    throw new Error("service account token is issued in the future");
  }
}

/** What is too large for 64 bits is long ago, as in Go. */
function timeOf(seconds: number): number {
  return Math.abs(seconds) >= 2 ** 63 ? -Infinity : Math.trunc(seconds);
}

/** Whether an object was deleted so long ago that clocks are no excuse. @param now seconds */
export function isLongDeleted(deletionTimestamp: string | undefined, now: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) / 1000 < now - LEEWAY;
}
