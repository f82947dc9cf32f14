// The life cycle's own health checks: post-start hooks, and the stop.
import type { HealthCheck } from "../endpoints/routes/health.ts";
import type { PostStartHook } from "./delegation.ts";
import type { LifecycleSignals } from "./lifecycle.ts";

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
