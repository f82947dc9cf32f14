// One line for each request, at -v=3 and above.
import type { RequestHandlerContext } from "../../endpoints/env.ts";
import { logInfo, verbosity } from "../../logging/mod.ts";
import { afterwards, type Filter } from "./filter.ts";

const LEVEL = 3;

export function accessLog(): Filter {
  return (c, next) => verbosity(LEVEL) ? afterwards(next(), () => log(c)) : next();
}

function log(c: RequestHandlerContext): void {
  const { verb, path } = c.get("requestInfo");
  const ms = performance.now() - c.get("receivedAt");
  logInfo("HTTP", {
    verb,
    URI: path + c.get("url").search,
    latency: `${ms.toFixed(3)}ms`,
    userAgent: c.req.raw.headers.get("user-agent") ?? "",
    "audit-ID": c.get("auditId"),
    srcIP: c.env.remoteAddress,
    resp: c.res.status,
  }, LEVEL);
}
