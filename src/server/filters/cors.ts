// Cross-origin requests from the origins of --cors-allowed-origins.
import { compileRe2 } from "../../machinery/re2.ts";
import { afterwards, type Filter } from "./filter.ts";

const METHODS = "POST, GET, OPTIONS, PUT, DELETE, PATCH";
const HEADERS =
  "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since";
const EXPOSED = "Date";

/** @param allowedOrigins regular expressions in RE2's syntax, which has to be loaded */
export function cors(allowedOrigins: readonly string[]): Filter {
  const patterns = allowedOrigins.map((origin) => compileRe2(origin));
  return (c, next) => {
    const origin = c.req.raw.headers.get("origin");
    const allowed = origin !== null && patterns.some((pattern) => pattern.matcher(origin).find());
    if (!allowed) return next();
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: headersFor(origin) });
    return afterwards(next(), () => {
      for (const [name, value] of Object.entries(headersFor(origin))) c.res.headers.set(name, value);
    });
  };
}

function headersFor(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": HEADERS,
    "access-control-expose-headers": EXPOSED,
    "access-control-allow-credentials": "true",
  };
}
