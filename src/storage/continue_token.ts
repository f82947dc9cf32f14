// Tokens of paged lists, as k8s.io/apiserver writes them: base64 of {"v":"meta.k8s.io/v1","rv":…,"start":…}.
import { badRequestError } from "../machinery/errors.ts";
import { goNumber, jsonKind } from "../machinery/go_text.ts";

const VERSION = "meta.k8s.io/v1";

export interface ContinueToken {
  /** The first key of the next page. */
  start: string;
  /** The revision that the list is a snapshot of; -1: go on with the newest. */
  revision: number;
}

/** @param start the first key of the next page, under `prefix` */
export function encodeContinue(start: string, prefix: string, revision: number): string {
  const token = JSON.stringify({ v: VERSION, rv: revision, start: start.slice(prefix.length) });
  return toBase64Url(new TextEncoder().encode(token));
}

/** Throws BadRequest. */
export function decodeContinue(token: string, prefix: string): ContinueToken {
  const decoded = parseToken(token);
  if (decoded.v !== VERSION) {
    throw invalid(`server does not recognize this encoded version ${decoded.v ?? ""}`);
  }
  if (!decoded.rv) throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (!decoded.start) throw invalid(`encoded start key empty (version ${VERSION})`);
  const start = decoded.start.startsWith("/") ? decoded.start : "/" + decoded.start;
  if (!isClean(start)) throw invalid(decoded.start);
  return { start: prefix + start.slice(1), revision: decoded.rv };
}

function parseToken(token: string): { v?: string; rv?: number; start?: string } {
  const bad = token.search(/[^A-Za-z0-9_-]/);
  if (bad >= 0) throw invalid(`illegal base64 data at input byte ${bad}`);
  if (token.length % 4 === 1) throw invalid(`illegal base64 data at input byte ${token.length - 1}`);
  const bytes = fromBase64Url(token), text = new TextDecoder().decode(bytes);
  try {
    return checked(JSON.parse(text) ?? {});
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Go shows the first byte, whatever character it is a part of.
    const first = bytes.find((byte) => !SPACE.includes(byte));
    if (first === undefined) throw invalid("unexpected end of JSON input");
    throw invalid(`invalid character '${String.fromCharCode(first)}' looking for beginning of value`);
  }
}

const FIELDS = { v: "string", rv: "int64", start: "string" } as const;

function checked(decoded: Record<string, unknown>): { v?: string; rv?: number; start?: string } {
  if (typeof decoded !== "object" || Array.isArray(decoded)) {
    throw invalid(`json: cannot unmarshal ${jsonKind(decoded)} into Go value of type storage.continueToken`);
  }
  for (const [name, type] of Object.entries(FIELDS)) {
    const value = decoded[name] ?? undefined;
    if (value === undefined || typeof value === "string" && type === "string" || isInt64(value) && type === "int64") {
      continue;
    }
    const kind = typeof value === "number" && type === "int64" ? `number ${goNumber(value)}` : jsonKind(value);
    throw invalid(`json: cannot unmarshal ${kind} into Go struct field continueToken.${name} of type ${type}`);
  }
  return decoded;
}

function isInt64(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

/** Bytes that JSON allows before a value. */
const SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

function invalid(why: string): Error {
  return badRequestError(`invalid continue token: continue key is not valid: ${why}`);
}

/** Whether a path has no empty, `.` or `..` segments, so that it cannot leave what it is appended to. */
function isClean(path: string): boolean {
  return path.slice(1).split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}
