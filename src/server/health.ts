// The server's own health checks: those that it has from the start, and those of the life cycle: post-start hooks, and
// the stop.
import type { HealthCheck } from "../endpoints/routes/health.ts";
import { unsyncedInformers } from "../controllers/informer.ts";
import type { StorageFactory } from "../storage/mod.ts";
import type { StorageConfig } from "./config.ts";
import type { PostStartHook } from "./delegation.ts";
import type { LifecycleSignals } from "./lifecycle.ts";
import { storageChecks } from "./storage.ts";

/** Which post-start hooks are done. */
export class HookState {
  readonly #done = new Set<string>();

  markDone(hook: string): void {
    this.#done.add(hook);
  }

  isDone(hook: string): boolean {
    return this.#done.has(hook);
  }
}

export interface LifecycleCheckOptions {
  hooks: readonly PostStartHook[];
  state: HookState;
  lifecycle: LifecycleSignals;
  /** /livez takes hooks for done until this many milliseconds have passed since the start. */
  livezGracePeriod: number;
}

/** In kube-apiserver's order, to come behind the checks of the servers. */
export function lifecycleChecks(options: LifecycleCheckOptions): HealthCheck[] {
  const { hooks, state, lifecycle, livezGracePeriod } = options;
  const started = performance.now();
  const mustBeDone = (hook: string) => {
    if (!state.isDone(hook)) throw new Error("not finished");
  };
  return [
    ...hooks.flatMap(({ name }): HealthCheck[] => [
      { name: `poststarthook/${name}`, endpoints: ["healthz", "readyz"], check: () => mustBeDone(name) },
      {
        name: `poststarthook/${name}`,
        endpoints: ["livez"],
        check() {
          if (performance.now() - started >= livezGracePeriod) mustBeDone(name);
        },
      },
    ]),
    {
      name: "shutdown",
      endpoints: ["readyz"],
      check() {
        if (lifecycle.shutdownInitiated.signaled) throw new Error("process is shutting down");
      },
    },
  ];
}

const ALWAYS_WELL: readonly HealthCheck[] = ["ping", "log"].map((name) => ({
  name,
  endpoints: ["healthz", "livez", "readyz"],
  check() {},
}));

/** In kube-apiserver's order, to come before the checks of the servers. */
export function baseChecks(storage: StorageFactory, config: StorageConfig): HealthCheck[] {
  return [...ALWAYS_WELL, ...storageChecks(storage, config), informerCheck()];
}

/** Ready is who has seen once what is stored; informers that start later on do not count. */
function informerCheck(): HealthCheck {
  let synced = false;
  return {
    name: "informer-sync",
    endpoints: ["readyz"],
    check() {
      if (synced) return;
      const waiting = unsyncedInformers();
      if (waiting.length > 0) throw new Error(`${waiting.length} informers not synced: ${waiting.join(", ")}`);
      synced = true;
    },
  };
}
