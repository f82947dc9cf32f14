// Three servers stand behind one another: aggregator, kube-apiserver, apiextensions. Each answers what is its own and
// passes the rest on; hooks, health checks and listed paths are inherited from the one behind.
import type { RequestHandlerContext } from "../endpoints/env.ts";

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

/** A named check of /healthz, /livez and /readyz; throws when it fails. */
export interface HealthCheck {
  name: string;
  /** Which of the three endpoints show it. */
  endpoints: readonly ("healthz" | "livez" | "readyz")[];
  check(): void | Promise<void>;
}

export interface DelegationTarget {
  readonly name: string;
  /** undefined: not mine, ask the next. */
  handle(c: RequestHandlerContext): Response | undefined | Promise<Response | undefined>;
  /** Paths for the index at `/`. */
  listedPaths(): readonly string[];
  readonly postStartHooks: readonly PostStartHook[];
  readonly preShutdownHooks: readonly PreShutdownHook[];
  readonly healthChecks: readonly HealthCheck[];
}
