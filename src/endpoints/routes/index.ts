// `/`: every path that the server answers.
import type { RequestHandlerContext } from "../env.ts";
import { JSON_TYPE } from "../negotiation.ts";

/** Undefined for other paths. */
export function handleIndex(c: RequestHandlerContext, paths: Iterable<string>): Response | undefined {
  const { pathname } = c.get("url");
  if (pathname !== "/" && pathname !== "/index.html") return undefined;
  const sorted = [...new Set(paths)].sort();
  return c.body(JSON.stringify({ paths: sorted }, null, 2), 200, { "content-type": JSON_TYPE });
}

/** What a path that nobody answers gets. */
export function respondPageNotFound(c: RequestHandlerContext): Response {
  return c.body("404 page not found\n", 404, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
}
