// Writes answers: the negotiated media type, indented or not, compressed when large.
import { gzip } from "node:zlib";
import type { Status } from "../machinery/errors.ts";
import { StatusError } from "../machinery/errors.ts";
import type { RequestHandlerContext } from "./env.ts";
import { JSON_TYPE, negotiate, type OutputMediaType, PLAIN, wantsPretty } from "./negotiation.ts";
import { indentJson } from "./pretty.ts";
import { ReadyResponse } from "./ready_response.ts";
import { transcode } from "./serialize.ts";

/** Answers below this many bytes are not worth compressing. */
const GZIP_THRESHOLD = 128 * 1024;

/** In lower case; the content type is among them. */
export type AnswerHeaders = Record<string, string> & { "content-type": string };

const JSON_HEADERS: AnswerHeaders = { "content-type": JSON_TYPE };

/**
 * @param json the whole answer as compact JSON
 * @param headers for what is not only content
 */
export function respond(
  c: RequestHandlerContext,
  code: number,
  json: string,
  output: OutputMediaType,
  headers?: AnswerHeaders,
): Response | Promise<Response> {
  const { mediaType } = output;
  if (mediaType !== JSON_TYPE) {
    return respondWith(c, code, transcode(json, mediaType), { ...headers, "content-type": mediaType });
  }
  return respondWith(c, code, output.pretty ? indentJson(json) : json + "\n", headers ?? JSON_HEADERS);
}

/** A body that is ready to be sent. */
export function respondWith(
  c: RequestHandlerContext,
  code: number,
  body: string | Uint8Array<ArrayBuffer>,
  headers: AnswerHeaders,
): Response | Promise<Response> {
  if (body.length > GZIP_THRESHOLD && acceptsGzip(c.req.raw.headers)) return respondGzipped(code, body, headers);
  return new ReadyResponse(body, { status: code, headers });
}

async function respondGzipped(code: number, body: string | Uint8Array, headers: AnswerHeaders): Promise<Response> {
  const zipped = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    gzip(body, { level: 1 }, (error, bytes) => error ? reject(error) : resolve(bytes as Uint8Array<ArrayBuffer>));
  });
  return new ReadyResponse(zipped, {
    status: code,
    headers: { ...headers, "content-encoding": "gzip", "vary": "Accept-Encoding" },
  });
}

function acceptsGzip(headers: Headers): boolean {
  const header = headers.get("accept-encoding");
  return header !== null && header.split(",").some((token) => token.trim() === "gzip");
}

/** A refusal or another Status, in the media type that the client takes; JSON when it takes none that fits. */
function respondStatus(c: RequestHandlerContext, status: Status): Response | Promise<Response> {
  const { headers } = c.req.raw;
  const code = status.code ?? 500;
  const retryAfter = status.details?.retryAfterSeconds;
  if (code === 204) return c.body(null, 204);
  const extra = retryAfter ? { "content-type": JSON_TYPE, "retry-after": String(retryAfter) } : JSON_HEADERS;
  const json = JSON.stringify(status);
  const output = negotiate(headers.get("accept") ?? "", PLAIN);
  if (output === undefined) return respondWith(c, code, indentJson(json), extra);
  output.pretty ||= wantsPretty(headers, c.get("url").search);
  return respond(c, code, json, output, extra);
}

/** Answers what was thrown when it is a refusal; anything else is a defect and is thrown on. */
export function respondError(c: RequestHandlerContext, error: unknown): Response | Promise<Response> {
  if (error instanceof StatusError) return respondStatus(c, error.status);
  throw error;
}
