// Watches and other requests that neither a deadline nor a limit holds for.
import type { RequestInfo } from "../../endpoints/request_info.ts";

const LONG_VERBS = new Set(["watch", "proxy"]);
const LONG_SUBRESOURCES = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** Where clients may go on in another protocol with what they are connected to. */
const UPGRADABLE_SUBRESOURCES = new Set(["attach", "exec", "portforward", "proxy"]);

/** Whether a request that asks for another protocol may get it. */
export function isUpgradable({ isResourceRequest, verb, subresource }: RequestInfo): boolean {
  return isResourceRequest && (verb === "proxy" || UPGRADABLE_SUBRESOURCES.has(subresource));
}

/** Whether a request lasts as long as its client likes. */
export function isLongRunning({ isResourceRequest, verb, subresource, path }: RequestInfo): boolean {
  if (!isResourceRequest) return path.startsWith("/debug/pprof/");
  return LONG_VERBS.has(verb) || (subresource !== "" && LONG_SUBRESOURCES.has(subresource));
}
