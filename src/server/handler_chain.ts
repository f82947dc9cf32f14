// The handler chain in front of every server: kube-apiserver's filters in kube-apiserver's order, as Hono middleware.
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

/** The first of the delegating servers; answers everything, if only with a 404. */
export type ChainHandler = (c: RequestHandlerContext) => Response | Promise<Response>;

export function buildHandlerChain(options: HandlerChainOptions, handler: ChainHandler): Hono<Env> {
  const { metrics } = options, cached = tokenCacheObserver(metrics);
  const app = new Hono<Env>();
  app.onError((error, c) => {
    logError("A request made the server fail", error, { method: c.req.method, path: c.req.path });
    return c.text("This request caused apiserver to panic. Look in the logs for details.", 500);
  });
  app.use(
    auditId(),
    requestInfo(),
    accessLog(),
    responseHeaders(options),
    deadline(options),
  );
  if (options.corsAllowedOrigins.length > 0) app.use(cors(options.corsAllowedOrigins));
  app.use(authentication({
    authenticator: options.authenticator,
    audiences: options.audiences,
    refusals: new RefusalQueue(REFUSAL_PACE, options.stopped),
    observe: authenticationObserver(metrics),
    recalled: (seconds) => cached.request(true, seconds),
  }));
  app.use(impersonation(options.authorizer, impersonationObserver(metrics)));
  app.use(maxInFlight(options));
  app.use(authorization(options.authorizer, authorizationObserver(metrics)));
  app.all("*", handler);
  return app;
}
