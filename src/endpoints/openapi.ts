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
  /** The same as bytes. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
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
  open: () => OpenApiSource | Promise<OpenApiSource>,
): Response | undefined | Promise<Response> {
  const { pathname } = c.get("url");
  if (pathname !== V2_PATH && pathname !== V3_PATH && !pathname.startsWith(V3_PATH + "/")) return undefined;
  return respondOf(c, pathname, open);
}

async function respondOf(
  c: RequestHandlerContext,
  pathname: string,
  open: () => OpenApiSource | Promise<OpenApiSource>,
): Promise<Response> {
  const source = await open();
  if (pathname === V2_PATH) return await respondV2(c, source.v2());
  if (pathname === V3_PATH) return await respondRoot(c, source.v3());
  const path = pathname.slice(V3_PATH.length + 1);
  const document = source.v3().get(path);
  if (document === undefined) return c.body(null, 404);
  return await respondVersioned(c, path, document);
}

/** What client-go asks for, in either spelling, and what is answered. */
const V2_PROTOBUF = [
  "com.github.proto-openapi.spec.v2@v1.0+protobuf",
  "com.github.proto-openapi.spec.v2.v1.0+protobuf",
];
const V2_PROTOBUF_TYPE = `application/${V2_PROTOBUF[1]}`;

/** The form that is most wanted of those that there are. */
function respondV2(c: RequestHandlerContext, document: OpenApiDocument): Response | Promise<Response> {
  for (const { type, subtype } of parseAccept(c.req.raw.headers.get("accept") || "*/*")) {
    if (type === "*" || type === "application" && (subtype === "*" || subtype === "json")) break;
    if (type === "application" && V2_PROTOBUF.includes(subtype)) return respondProtobuf(c, document);
  }
  return respondDocument(c, document);
}

async function respondProtobuf(c: RequestHandlerContext, document: OpenApiDocument): Promise<Response> {
  const caching = cachingHeaders(document);
  if (isKnown(c, caching)) return c.body(null, 304, caching);
  const { v2Protobuf } = await import("../machinery/openapi/v2_protobuf.ts");
  const body = v2Protobuf(JSON.parse(await document.text()));
  return await respondWith(c, 200, body, { ...caching, "content-type": V2_PROTOBUF_TYPE });
}

/** Which documents there are, each under a path that names its hash. */
function respondRoot(c: RequestHandlerContext, documents: ReadonlyMap<string, OpenApiDocument>) {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const path of [...documents.keys()].sort()) {
    paths[path] = { serverRelativeURL: `${V3_PATH}/${path}?hash=${documents.get(path)!.hash()}` };
  }
  return respondWith(c, 200, JSON.stringify({ paths }), { "content-type": "text/plain; charset=utf-8" });
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
    const location = `${V3_PATH}/${path}?hash=${hash}`;
    return c.body(null, 301, { ...cachingHeaders(document), "content-type": JSON_TYPE, location });
  }
  return respondDocument(c, document, {
    "cache-control": "public, immutable",
    "expires": new Date(Date.now() + YEAR_MS).toUTCString(),
  });
}

const YEAR_MS = 365 * 24 * 3600 * 1000;

async function respondDocument(
  c: RequestHandlerContext,
  document: OpenApiDocument,
  headers: Record<string, string> = {},
): Promise<Response> {
  if (!acceptsJson(c.req.raw.headers)) return c.body(null, 406, { ...headers, vary: "Accept" });
  const caching = cachingHeaders(document);
  if (isKnown(c, caching)) return c.body(null, 304, { ...headers, ...caching });
  return await respondWith(c, 200, await document.bytes(), { ...headers, ...caching, "content-type": JSON_TYPE });
}

function cachingHeaders(document: OpenApiDocument): { vary: string; etag: string } {
  return { vary: "Accept", etag: `"${document.hash()}"` };
}

/** Whether the client has this state of a document. */
function isKnown(c: RequestHandlerContext, { etag }: { etag: string }): boolean {
  return c.req.raw.headers.get("if-none-match") === etag;
}

function acceptsJson(headers: Headers): boolean {
  return parseAccept(headers.get("accept") || "*/*").some(({ type, subtype }) =>
    (type === "*" || type === "application") && (subtype === "*" || subtype === "json")
  );
}
