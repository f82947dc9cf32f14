// Watches and other requests that neither a deadline nor a limit holds for.
import type { RequestInfo } from "../../endpoints/request_info.ts";

const LONG_VERBS = new Set(["watch", "proxy"]);
const LONG_SUBRESOURCES = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** Whether a request lasts as long as its client likes. */
export function isLongRunning({ isResourceRequest, verb, subresource, path }: RequestInfo): boolean {
  if (!isResourceRequest) return path.startsWith("/debug/pprof/");
  return LONG_VERBS.has(verb) || (subresource !== "" && LONG_SUBRESOURCES.has(subresource));
}
