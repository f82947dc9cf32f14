// Continue tokens: where the next page of a list starts, and the revision that the whole list is a snapshot of.
import { badRequestError } from "../machinery/errors.ts";

const VERSION = "meta.k8s.io/v1";
/** The revision of a token that goes on with the newest state, handed out when the snapshot is gone. */
const INCONSISTENT = -1;

export interface ContinueFrom {
  /** Undefined: the newest state. */
  revision: number | undefined;
  /** The first key of the page. */
  start: string;
}

/** The token of the page behind `lastKey`. */
export function encodeContinue(revision: number, prefix: string, lastKey: string): string {
  return encode(revision, lastKey.slice(prefix.length) + "\0");
}

/** The same place in the newest state: what a client whose snapshot is gone may go on with. */
export function inconsistentContinue(token: string, prefix: string): string {
  return encode(INCONSISTENT, decodeContinue(token, prefix).start.slice(prefix.length));
}

function encode(rv: number, start: string): string {
  return btoa(JSON.stringify({ v: VERSION, rv, start })).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Throws a StatusError (400) when the token is none of ours or leaves the prefix. */
export function decodeContinue(token: string, prefix: string): ContinueFrom {
  let parsed: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    parsed = JSON.parse(atob(token.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    throw badRequestError("continue key is not valid: illegal base64 data");
  }
  if (parsed.v !== VERSION) {
    throw badRequestError("continue key is not valid: server does not recognize this encoded version");
  }
  if (typeof parsed.rv !== "number" || parsed.rv === 0 || typeof parsed.start !== "string" || parsed.start === "") {
    throw badRequestError("continue key is not valid: incorrect encoded start resourceVersion");
  }
  if (parsed.start.split("/").includes("..")) throw badRequestError("continue key is not valid: " + parsed.start);
  return { revision: parsed.rv === INCONSISTENT ? undefined : parsed.rv, start: prefix + parsed.start };
}

/** The first string above every key of a prefix, or above the one key itself. */
export function endOfPrefix(prefix: string): string {
  if (!prefix.endsWith("/")) return prefix + "\0";
  return prefix.slice(0, -1) + "0";
}
