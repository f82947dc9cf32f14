// Cross-origin requests from the origins of --cors-allowed-origins.
import type { Filter } from "../../endpoints/env.ts";
import { compileRe2 } from "../../machinery/re2.ts";

const METHODS = "POST, GET, OPTIONS, PUT, DELETE, PATCH";
const HEADERS =
  "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since";
const EXPOSED = "Date";

/** @param allowedOrigins regular expressions in RE2's syntax, which has to be loaded */
export function cors(allowedOrigins: readonly string[]): Filter {
  const patterns = allowedOrigins.map((origin) => compileRe2(origin));
  return async (c, next) => {
    const origin = c.req.raw.headers.get("origin");
    const allowed = origin !== null && patterns.some((pattern) => pattern.matcher(origin).find());
    if (!allowed) return await next();
    if (c.req.method === "OPTIONS") c.res = new Response(null, { status: 204 });
    else await next();
    const { headers } = c.res;
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-allow-methods", METHODS);
    headers.set("access-control-allow-headers", HEADERS);
    headers.set("access-control-expose-headers", EXPOSED);
    headers.set("access-control-allow-credentials", "true");
  };
}
