// What the request is about, worked out once for everybody behind.
import type { Filter } from "../../endpoints/env.ts";
import { parseRequestInfo } from "../../endpoints/request_info.ts";

export function requestInfo(): Filter {
  return (c, next) => {
    const { method, url } = c.req.raw;
    const parsed = new URL(url);
    c.set("url", parsed);
    c.set("receivedAt", performance.now());
    c.set("requestInfo", parseRequestInfo(method, parsed));
    return next();
  };
}
