// Three servers stand behind one another: aggregator, kube-apiserver, apiextensions. Each answers what is its own and
// passes the rest on; hooks, health checks and listed paths are inherited from the one behind.
import type { RequestHandlerContext } from "../endpoints/env.ts";
import type { HealthCheck } from "../endpoints/routes/health.ts";

/** Work that starts once the server listens. readyz waits for it; when it throws the process ends. */
export interface PostStartHook {
  name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** Work done before the listeners close. */
export interface PreShutdownHook {
  name: string;
  run(): Promise<void>;
}

export interface DelegationTarget {
  readonly name: string;
  /** undefined: not mine, ask the next. */
  handle(c: RequestHandlerContext): Response | undefined | Promise<Response>;
  /** Paths for the index at `/`. */
  listedPaths(): readonly string[];
  readonly postStartHooks: readonly PostStartHook[];
  readonly preShutdownHooks: readonly PreShutdownHook[];
  readonly healthChecks: readonly HealthCheck[];
}
