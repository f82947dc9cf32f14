// What a JSON Web Token says (RFC 7519).

/** Claims that every token may have. Times are seconds since the epoch. */
export interface PublicClaims {
  iss?: string;
  sub?: string;
  aud?: string | readonly string[];
  exp?: number;
  nbf?: number;
  iat?: number;
  jti?: string;
}

export type Claims = PublicClaims & Record<string, unknown>;

/** A token's payload before anybody verified it; undefined when it is no token at all. */
export function unverifiedClaims(token: string): Claims | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    const payload = JSON.parse(new TextDecoder().decode(fromBase64Url(parts[1])));
    return typeof payload === "object" && payload !== null && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Throws an Error when it is none. */
function fromBase64Url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text)) throw new Error("not base64url");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

const NUMERIC = ["exp", "nbf", "iat"] as const;

/** Throws an Error when a public claim is of another type than it should be. */
export function checkTypes(claims: Claims): void {
  for (const name of NUMERIC) {
    if (claims[name] !== undefined && typeof claims[name] !== "number") {
      throw new Error("go-jose/go-jose/jwt: expected number value to unmarshal NumericDate");
    }
  }
  const { aud } = claims;
  const strings = (list: unknown) => Array.isArray(list) && list.every((entry) => typeof entry === "string");
  if (aud !== undefined && typeof aud !== "string" && !strings(aud)) {
    throw new Error("go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience");
  }
}

export function audiencesOf({ aud }: PublicClaims): readonly string[] {
  return aud === undefined ? [] : typeof aud === "string" ? [aud] : aud;
}
