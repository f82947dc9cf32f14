// What the request is about, worked out once for everybody behind.
import { parseRequestInfo } from "../../endpoints/request_info.ts";
import { RequestUrl } from "../../endpoints/request_url.ts";
import type { Filter } from "./filter.ts";

/** What Go's net/http takes for a Host header; anything else could pass for a part of the path. */
const HOST = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;

const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/;

export function requestInfo(): Filter {
  return (c, next) => {
    const { method, url, headers } = c.req.raw;
    if (!HOST.test(headers.get("host") ?? "")) return c.text("400 Bad Request: malformed Host header", 400);
    // Whatever the host is called, the path is what stands behind it.
    const path = url.indexOf("/", url.indexOf("://") + 3);
    const parsed = new RequestUrl(path < 0 ? "/" : url.slice(path));
    if (BROKEN_ESCAPE.test(parsed.pathname)) return c.text("400 Bad Request", 400);
    c.set("url", parsed);
    c.set("receivedAt", performance.now());
    c.set("requestInfo", parseRequestInfo(method, parsed));
    return next();
  };
}
