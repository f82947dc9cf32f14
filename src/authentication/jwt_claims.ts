// What a JSON Web Token says (RFC 7519). What could be read in two ways is not read at all.
import { repeatedMembers } from "../machinery/codec/decode.ts";
import { parseJson } from "../machinery/codec/parse.ts";
import { jsonKind } from "../machinery/go_text.ts";

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
  return parts.length === 3 && BASE64URL.test(parts[2]) ? objectOf(parts[1]) : undefined;
}

/** What of a header (RFC 7515) matters here. */
export interface SignatureHeader {
  alg: string;
  /** "" when it names no key. */
  kid: string;
}

/** Undefined when it cannot be read, or could be read in two ways. */
export function signatureHeader(token: string): SignatureHeader | undefined {
  const header = objectOf(token.slice(0, token.indexOf(".")), true);
  if (header === undefined) return undefined;
  const { alg, kid, nonce } = header;
  if ([alg, kid, nonce].some((value) => value !== undefined && value !== null && typeof value !== "string")) {
    return undefined;
  }
  // A payload that is not encoded (RFC 7797) is none of a token.
  return { alg: header.b64 === false ? "" : alg as string ?? "", kid: kid as string ?? "" };
}

const BASE64URL = /^[\w-]*$/;

/** Undefined unless it is an object in JSON, in base64url without padding. @param once members may not be there twice */
function objectOf(encoded: string, once = false): Claims | undefined {
  if (!BASE64URL.test(encoded)) return undefined;
  try {
    const text = textOf(Uint8Array.fromBase64(encoded, { alphabet: "base64url" }));
    const value = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return once && repeatedMembers(parseJson(text)).length > 0 ? undefined : value;
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Throws an Error when a payload that somebody signed says something twice. */
export function refuseRepeats(token: string): void {
  const [, payload] = token.split(".");
  const [first] = repeatedMembers(parseJson(textOf(Uint8Array.fromBase64(payload, { alphabet: "base64url" }))));
  if (first === undefined) return;
  const name = /"(?:.*\.)?(.*)"/.exec(first)?.[1] ?? first;
  throw new Error(`json: duplicate key '${name}' in object`);
}

const NUMERIC = ["exp", "nbf", "iat"] as const, TEXT = ["iss", "sub", "jti"] as const;

/** Takes out public claims that are null. Throws an Error when one that is text is something else. */
export function dropNulls(claims: Claims): void {
  for (const name of [...NUMERIC, ...TEXT]) if (claims[name] === null) delete claims[name];
  for (const name of TEXT) checkText(claims[name]);
}

/** Throws an Error when a time or the audience is of another type than it should be. */
export function checkTypes(claims: Claims): void {
  for (const name of NUMERIC) checkDate(claims[name]);
  const { aud } = claims;
  const strings = (list: unknown) => Array.isArray(list) && list.every((entry) => typeof entry === "string");
  if (aud !== undefined && typeof aud !== "string" && !strings(aud)) {
    throw new Error("go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience");
  }
}

/** Throws an Error. */
export function checkDate(value: unknown): void {
  if (value === undefined || value === null || typeof value === "number") return;
  throw new Error("go-jose/go-jose/jwt: expected number value to unmarshal NumericDate");
}

/** Throws an Error. */
export function checkText(value: unknown): void {
  if (value !== undefined && value !== null && typeof value !== "string") throw wrongType(value, "string");
}

/** Throws an Error. @param type what Go calls it */
export function checkObject(value: unknown, type: string): void {
  if (value === undefined || value === null) return;
  if (typeof value !== "object" || Array.isArray(value)) throw wrongType(value, type);
}

function wrongType(value: unknown, wanted: string): Error {
  return new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${wanted}`);
}

export function audiencesOf({ aud }: PublicClaims): readonly string[] {
  return aud === undefined ? [] : typeof aud === "string" ? [aud] : aud;
}
