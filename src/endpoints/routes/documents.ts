// Documents that anybody may keep for an hour: each a path of its own, made when first asked for.
import { methodNotAllowedError, pathNotFoundError } from "../../machinery/errors.ts";
import type { RequestHandlerContext } from "../env.ts";
import { checkAcceptedByRoute } from "../negotiation.ts";
import { respondError } from "../respond.ts";

export interface ServedDocument {
  path: string;
  contentType: string;
  body(): string;
}

const CACHE_CONTROL = "public, max-age=3600";

/** Undefined for other paths. */
export function handleDocument(
  c: RequestHandlerContext,
  documents: readonly ServedDocument[],
): Response | undefined | Promise<Response> {
  const { pathname } = c.get("url");
  const document = documents.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  if (document === undefined) return undefined;
  const { path, contentType } = document;
  if (pathname.length > path.length + 1) return respondError(c, pathNotFoundError());
  if (c.req.method !== "GET") return respondError(c, methodNotAllowedError());
  try {
    checkAcceptedByRoute(c.req.raw.headers, [contentType]);
  } catch (e) {
    return respondError(c, e);
  }
  return c.body(document.body(), 200, { "content-type": contentType, "cache-control": CACHE_CONTROL });
}
