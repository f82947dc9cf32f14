// Writes answers: the negotiated media type, indented or not, compressed when large.
import { gzip } from "node:zlib";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Status } from "../machinery/errors.ts";
import { StatusError } from "../machinery/errors.ts";
import type { RequestHandlerContext } from "./env.ts";
import { JSON_TYPE, negotiate, type OutputMediaType, PLAIN, wantsPretty } from "./negotiation.ts";
import { indentJson } from "./pretty.ts";
import { transcode } from "./serialize.ts";

/** Answers below this many bytes are not worth compressing. */
const GZIP_THRESHOLD = 128 * 1024;

/** @param json the whole answer as compact JSON */
export function respond(
  c: RequestHandlerContext,
  code: number,
  json: string,
  output: OutputMediaType,
): Response | Promise<Response> {
  if (output.mediaType !== JSON_TYPE) return respondWith(c, code, transcode(json, output.mediaType), output.mediaType);
  return respondWith(c, code, output.pretty ? indentJson(json) : json + "\n", JSON_TYPE);
}

/** A body that is ready to be sent. */
export function respondWith(
  c: RequestHandlerContext,
  code: number,
  body: string | Uint8Array<ArrayBuffer>,
  contentType: string,
): Response | Promise<Response> {
  if (body.length > GZIP_THRESHOLD && acceptsGzip(c.req.raw.headers)) return respondGzipped(c, code, body, contentType);
  return c.body(body, code as ContentfulStatusCode, { "content-type": contentType });
}

async function respondGzipped(
  c: RequestHandlerContext,
  code: number,
  body: string | Uint8Array,
  contentType: string,
): Promise<Response> {
  const zipped = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    gzip(body, { level: 1 }, (error, bytes) => error ? reject(error) : resolve(bytes as Uint8Array<ArrayBuffer>));
  });
  return c.body(zipped, code as ContentfulStatusCode, {
    "content-type": contentType,
    "content-encoding": "gzip",
    "vary": "Accept-Encoding",
  });
}

function acceptsGzip(headers: Headers): boolean {
  const header = headers.get("accept-encoding");
  return header !== null && header.split(",").some((token) => token.trim() === "gzip");
}

/** A refusal or another Status, in the media type that the client takes; JSON when it takes none that fits. */
export function respondStatus(c: RequestHandlerContext, status: Status): Response | Promise<Response> {
  const { headers } = c.req.raw;
  const code = status.code ?? 500;
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter) c.header("retry-after", String(retryAfter));
  if (code === 204) return c.body(null, 204);
  const json = JSON.stringify(status);
  const output = negotiate(headers.get("accept") ?? "", PLAIN);
  if (output === undefined) return respondWith(c, code, indentJson(json), JSON_TYPE);
  output.pretty ||= wantsPretty(headers, new URL(c.req.url).search);
  return respond(c, code, json, output);
}

/** Answers what was thrown when it is a refusal; anything else is a defect and is thrown on. */
export function respondError(c: RequestHandlerContext, error: unknown): Response | Promise<Response> {
  if (error instanceof StatusError) return respondStatus(c, error.status);
  throw error;
}
