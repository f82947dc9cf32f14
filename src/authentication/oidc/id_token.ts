// What every ID token says (OpenID Connect Core 1.0, 2), of the types that it should have: as Go reads it, null is
// nothing, and a number may stand in a string.
import { goQuote, jsonKind } from "../../machinery/go_text.ts";
import type { JwtClaims } from "./interface.ts";

export interface IdToken {
  audience: readonly string[];
  /** Seconds since the epoch; undefined when it is not said. */
  expires: number | undefined;
  notBefore: number | undefined;
}

/** Throws an Error when something is of another type than it should be. */
export function idTokenOf(claims: JwtClaims): IdToken {
  try {
    for (const name of ["iss", "sub", "nonce", "at_hash"]) text(claims[name], name);
    map(claims._claim_names, "_claim_names", "string", (value) => text(value, "_claim_names"));
    map(claims._claim_sources, "_claim_sources", "oidc.claimSource", checkSource);
    date(claims.iat, "iat");
    return {
      audience: audience(claims.aud),
      expires: date(claims.exp, "exp"),
      notBefore: claims.nbf === null ? undefined : date(claims.nbf, "nbf"),
    };
  } catch (e) {
    throw new Error(`oidc: failed to unmarshal claims: ${(e as Error).message}`);
  }
}

function wrong(value: unknown, name: string, type: string): Error {
  return new Error(`json: cannot unmarshal ${jsonKind(value)} into Go struct field idToken.${name} of type ${type}`);
}

function text(value: unknown, name: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw wrong(value, name, "string");
  return value;
}

function map(value: unknown, name: string, type: string, check: (value: unknown) => void): void {
  if (value === undefined || value === null) return;
  if (typeof value !== "object" || Array.isArray(value)) throw wrong(value, name, `map[string]${type}`);
  Object.values(value).forEach(check);
}

function checkSource(value: unknown): void {
  if (value !== null && (typeof value !== "object" || Array.isArray(value))) {
    throw wrong(value, "_claim_sources", "oidc.claimSource");
  }
}

function audience(value: unknown): string[] {
  if (value === undefined) return [];
  if (value === null || typeof value === "string") return [text(value, "aud")];
  if (!Array.isArray(value)) throw wrong(value, "aud", "[]string");
  return value.map((entry) => text(entry, "aud"));
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

function date(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (value === null) throw new Error('strconv.ParseFloat: parsing "": invalid syntax');
  if (typeof value === "string" && !NUMBER.test(value)) {
    const quoted = goQuote(JSON.stringify(value));
    throw new Error(`json: invalid number literal, trying to unmarshal ${quoted} into Number`);
  }
  if (typeof value !== "string" && typeof value !== "number") throw wrong(value, name, "json.Number");
  const seconds = Math.trunc(Number(value));
  // What is too large for 64 bits is long ago.
  return Math.abs(seconds) >= 2 ** 63 ? -Infinity : seconds;
}
