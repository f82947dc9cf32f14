// What /healthz, /livez and /readyz look at: the server's own checks around those of the servers behind one another.
import type { HealthCheck, PostStartHook } from "./delegation.ts";
import type { LifecycleSignals } from "./lifecycle.ts";

export type HealthEndpoint = HealthCheck["endpoints"][number];

const EVERYWHERE: readonly HealthEndpoint[] = ["healthz", "livez", "readyz"];

export interface HealthOptions {
  lifecycle: LifecycleSignals;
  /** /livez takes post-start hooks for done until this many milliseconds have passed. */
  livezGracePeriod: number;
}

/** Every check of the server, and what became of its post-start hooks. */
export class Health {
  readonly #options: HealthOptions;
  readonly #started = performance.now();
  readonly #hooksDone = new Set<string>();
  #hooks: readonly PostStartHook[] = [];
  #inherited: readonly HealthCheck[] = [];

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Adds hooks to wait for and checks of the servers in the chain. */
  install(hooks: readonly PostStartHook[], checks: readonly HealthCheck[]): void {
    this.#hooks = hooks;
    this.#inherited = checks;
  }

  hookDone(name: string): void {
    this.#hooksDone.add(name);
  }

  /** In the order in which `?verbose` shows them. */
  checks(endpoint: HealthEndpoint): HealthCheck[] {
    const all: HealthCheck[] = [
      { name: "ping", endpoints: EVERYWHERE, check: () => {} },
      { name: "log", endpoints: EVERYWHERE, check: () => {} },
      ...this.#inherited,
      ...this.#hooks.map((hook) => this.#hookCheck(hook.name, endpoint)),
      { name: "shutdown", endpoints: ["readyz"], check: () => this.#checkShutdown() },
    ];
    return all.filter((check) => check.endpoints.includes(endpoint));
  }

  #hookCheck(hook: string, endpoint: HealthEndpoint): HealthCheck {
    return {
      name: `poststarthook/${hook}`,
      endpoints: EVERYWHERE,
      check: () => {
        if (this.#hooksDone.has(hook)) return;
        const spared = endpoint === "livez" && performance.now() - this.#started < this.#options.livezGracePeriod;
        if (!spared) throw new Error("not finished");
      },
    };
  }

  #checkShutdown(): void {
    if (this.#options.lifecycle.shutdownInitiated.signaled) throw new Error("process is shutting down");
  }
}
