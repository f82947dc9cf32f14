// /openapi/v2 and /openapi/v3: the published schemas, with ETags, and below v3 with hashes that let clients keep them.
import type { RequestHandlerContext } from "./env.ts";
import { JSON_TYPE, parseAccept } from "./negotiation.ts";
import { firstValue, parseQuery } from "./query.ts";
import { respondWith } from "./respond.ts";

/** A published document. Both are worked out when first asked for. */
export interface OpenApiDocument {
  /** Changes with the text. */
  hash(): string;
  /** The document as JSON. */
  text(): string | Promise<string>;
}

export interface OpenApiSource {
  v2(): OpenApiDocument;
  /** By path: `api/v1`, `apis/apps/v1`, `version`. */
  v3(): ReadonlyMap<string, OpenApiDocument>;
}

const V2_PATH = "/openapi/v2";
const V3_PATH = "/openapi/v3";

/** Undefined for other paths. Any method will do. */
export function handleOpenApi(
  c: RequestHandlerContext,
  source: OpenApiSource,
): Response | undefined | Promise<Response> {
  const { pathname } = c.get("url");
  if (pathname === V2_PATH) return respondDocument(c, source.v2());
  if (pathname === V3_PATH) return respondRoot(c, source.v3());
  if (!pathname.startsWith(V3_PATH + "/")) return undefined;
  const path = pathname.slice(V3_PATH.length + 1);
  const document = source.v3().get(path);
  if (document === undefined) return c.body(null, 404);
  return respondVersioned(c, path, document);
}

/** Which documents there are, each under a path that names its hash. */
function respondRoot(c: RequestHandlerContext, documents: ReadonlyMap<string, OpenApiDocument>) {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const path of [...documents.keys()].sort()) {
    paths[path] = { serverRelativeURL: `${V3_PATH}/${path}?hash=${documents.get(path)!.hash()}` };
  }
  return respondWith(c, 200, JSON.stringify({ paths }), "text/plain; charset=utf-8");
}

function respondVersioned(
  c: RequestHandlerContext,
  path: string,
  document: OpenApiDocument,
): Response | Promise<Response> {
  const wanted = firstValue(parseQuery(c.get("url").search), "hash");
  if (wanted === "" || !acceptsJson(c.req.raw.headers)) return respondDocument(c, document);
  const hash = document.hash();
  if (wanted !== hash) {
    c.header("vary", "Accept");
    c.header("etag", `"${hash}"`);
    c.header("content-type", JSON_TYPE);
    return c.body(null, 301, { location: `${V3_PATH}/${path}?hash=${hash}` });
  }
  c.header("cache-control", "public, immutable");
  c.header("expires", new Date(Date.now() + YEAR_MS).toUTCString());
  return respondDocument(c, document);
}

const YEAR_MS = 365 * 24 * 3600 * 1000;

function respondDocument(c: RequestHandlerContext, document: OpenApiDocument): Response | Promise<Response> {
  const { headers } = c.req.raw;
  c.header("vary", "Accept");
  if (!acceptsJson(headers)) return c.body(null, 406);
  const etag = `"${document.hash()}"`;
  c.header("etag", etag);
  if (headers.get("if-none-match") === etag) return c.body(null, 304);
  const text = document.text();
  if (text instanceof Promise) return text.then((t) => respondWith(c, 200, t, JSON_TYPE));
  return respondWith(c, 200, text, JSON_TYPE);
}

function acceptsJson(headers: Headers): boolean {
  return parseAccept(headers.get("accept") || "*/*").some(({ type, subtype }) =>
    (type === "*" || type === "application") && (subtype === "*" || subtype === "json")
  );
}
