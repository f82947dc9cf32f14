// The handler chain in front of every server: kube-apiserver's filters in kube-apiserver's order, as one handler of a
// Hono app.
import { Hono } from "hono";
import type { Authenticator } from "../authentication/interface.ts";
import type { Authorizer } from "../authorization/interface.ts";
import type { Env, RequestHandlerContext } from "../endpoints/env.ts";
import { logError } from "../logging/mod.ts";
import type { Metrics } from "../metrics/mod.ts";
import {
  authenticationObserver,
  authorizationObserver,
  impersonationObserver,
  tokenCacheObserver,
} from "./access_metrics.ts";
import { accessLog } from "./filters/access_log.ts";
import { auditId } from "./filters/audit_id.ts";
import { authentication } from "./filters/authentication.ts";
import { authorization } from "./filters/authorization.ts";
import { cors } from "./filters/cors.ts";
import { deadline, type DeadlineOptions } from "./filters/deadline.ts";
import { type ChainHandler, chainOf, type Filter } from "./filters/filter.ts";
import { impersonation } from "./filters/impersonation.ts";
import { maxInFlight, type MaxInFlightOptions } from "./filters/max_in_flight.ts";
import { REFUSAL_PACE, RefusalQueue } from "./filters/refusal_queue.ts";
import { requestInfo } from "./filters/request_info.ts";
import { type ResponseHeaderOptions, responseHeaders } from "./filters/response_headers.ts";

export interface HandlerChainOptions extends DeadlineOptions, MaxInFlightOptions, ResponseHeaderOptions {
  authenticator: Authenticator;
  /** What credentials have to be good for; empty: anything. */
  audiences: readonly string[];
  authorizer: Authorizer;
  metrics: Metrics;
  corsAllowedOrigins: readonly string[];
}

/** @param handler the first of the delegating servers; answers everything, if only with a 404 */
export function buildHandlerChain(options: HandlerChainOptions, handler: ChainHandler): Hono<Env> {
  // There is one route: no path has to be looked at to find it.
  const app = new Hono<Env>({ getPath: () => "/" });
  app.onError(panicked);
  app.all("/", chainOf(filtersOf(options), recovering(handler)));
  return app;
}

function filtersOf(options: HandlerChainOptions): Filter[] {
  const { metrics } = options, cached = tokenCacheObserver(metrics);
  return [
    auditId(),
    requestInfo(),
    accessLog(),
    responseHeaders(options),
    deadline(options),
    ...(options.corsAllowedOrigins.length > 0 ? [cors(options.corsAllowedOrigins)] : []),
    authentication({
      authenticator: options.authenticator,
      audiences: options.audiences,
      refusals: new RefusalQueue(REFUSAL_PACE, options.stopped),
      observe: authenticationObserver(metrics),
      recalled: (seconds) => cached.request(true, seconds),
    }),
    impersonation(options.authorizer, impersonationObserver(metrics)),
    maxInFlight(options),
    authorization(options.authorizer, authorizationObserver(metrics)),
  ];
}

/** So that also the answer to what is a defect passes the filters on its way out. */
function recovering(handler: ChainHandler): ChainHandler {
  return (c) => {
    try {
      const answer = handler(c);
      return answer instanceof Promise ? answer.catch((error) => panicked(error, c)) : answer;
    } catch (error) {
      return panicked(error, c);
    }
  };
}

function panicked(error: unknown, c: RequestHandlerContext): Response {
  logError("A request made the server fail", error, { method: c.req.method, url: c.req.url });
  return c.text("This request caused apiserver to panic. Look in the logs for details.", 500);
}
