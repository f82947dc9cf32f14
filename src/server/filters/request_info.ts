// What the request is about, worked out once for everybody behind.
import type { Filter } from "../../endpoints/env.ts";
import { parseRequestInfo } from "../../endpoints/request_info.ts";

const BASE = "https://kubernetes";

/** What Go's net/http takes for a Host header; anything else could pass for a part of the path. */
const HOST = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;

export function requestInfo(): Filter {
  return (c, next) => {
    const { method, url, headers } = c.req.raw;
    if (!HOST.test(headers.get("host") ?? "")) {
      return Promise.resolve(c.text("400 Bad Request: malformed Host header", 400));
    }
    // Whatever the host is called, the path is what stands behind it.
    const path = url.indexOf("/", url.indexOf("://") + 3);
    const parsed = new URL(path < 0 ? BASE : BASE + url.slice(path));
    c.set("url", parsed);
    c.set("receivedAt", performance.now());
    c.set("requestInfo", parseRequestInfo(method, parsed));
    return next();
  };
}
