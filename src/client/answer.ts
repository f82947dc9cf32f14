// What webhooks answer to reviews, and the words in which client-go tells of answers that are none.
import { parseExactly } from "../machinery/big_integers.ts";
import { decode } from "../machinery/codec/decode.ts";
import { NO_TYPE_META, typeMetaOf } from "../machinery/codec/type_meta.ts";
import { syntaxError } from "../machinery/codec/syntax.ts";
import { StatusError, statusError } from "../machinery/errors.ts";
import { goQuote } from "../machinery/go_text.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import { apiVersionOf, type Json, type JsonObject, parseApiVersion } from "../machinery/types.ts";

export interface Answer {
  code: number;
  contentType: string;
  text: string;
}

/** Throws an Error for what is no review of the version that was sent. */
export function parseReview(
  { code, contentType, text }: Answer,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): JsonObject {
  if (text === "") {
    throw new Error(
      `0-length response with status code: ${code} and content type: ${contentType || "application/json"}`,
    );
  }
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    const isJson = text.trimStart().startsWith("{");
    // Any other text is a string in YAML.
    value = text;
    if (isJson) throw new Error(NO_TYPE_META + (syntaxError(text) ?? "unexpected end of JSON input"));
  }
  const expected = { ...parseApiVersion(apiVersion)!, kind };
  const found = typeMetaOf(value as Json, expected);
  if (found.kind === kind && found.group === expected.group && found.version === expected.version) {
    return (value ?? {}) as JsonObject;
  }
  if (found.kind === kind && found.group === expected.group) {
    const [from, to] = [found, expected].map(({ version }) => `(${version}.${kind})`);
    throw new Error(`converting ${from} to ${to}: unknown conversion`);
  }
  const said = `no kind ${goQuote(found.kind)} is registered for version ${goQuote(apiVersionOf(found))}`;
  throw new Error(`${said} in scheme "pkg/runtime/scheme.go:111"`);
}

/**
 * A review whose status has the types that Kubernetes gives it, where it is a kind of its API. Throws a DecodeError:
 * `allowed: "no"` is not a yes.
 */
export function typedReview(
  review: JsonObject,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): JsonObject {
  const { group } = parseApiVersion(apiVersion)!;
  // The status of older versions is the same.
  const type = builtinSchema().typeOfKind({ group, version: "v1", kind });
  if (type === undefined || review.status === undefined) return review;
  return { ...review, status: decode(type, { kind, status: review.status }).object.status };
}

/** Longest text of an answer that messages show. */
const MAX_SHOWN = 2048;

/** What an answer that is no success says: in the words of its Status, or of its code. */
export function refusal({ code, contentType, text }: Answer): StatusError {
  try {
    const status = JSON.parse(text);
    if (status.kind === "Status" && status.status === "Failure") return new StatusError({ ...status, code });
  } catch { /* plain text */ }
  const isText = contentType === "" || contentType.startsWith("text/");
  const said = isText ? text.slice(0, MAX_SHOWN).trim() : "unknown";
  const known = MESSAGES[code];
  if (known !== undefined) return statusError(code, known[0], known[1] ?? said);
  if (code < 500) {
    const message = `the server responded with the status code ${code} but did not return more information`;
    return statusError(code, "", message);
  }
  const message = `an error on the server (${goQuote(said)}) has prevented the request from succeeding`;
  return statusError(code, "InternalError", message);
}

/** By code, the reason and message of client-go's generic server response. Without a message: the answer's own. */
export const MESSAGES: Readonly<Record<number, [reason: string, message?: string]>> = {
  400: ["BadRequest", "the server rejected our request for an unknown reason"],
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  403: ["Forbidden"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  406: ["NotAcceptable"],
  409: ["AlreadyExists", "the server reported a conflict"],
  415: ["UnsupportedMediaType"],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: [
    "Timeout",
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
};
