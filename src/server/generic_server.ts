// The life of an API server: listeners up, post-start hooks, and a stop that loses no request. Kubernetes calls it
// GenericAPIServer; what is served is the business of the servers in the chain.
import { logError, logInfo } from "../logging/mod.ts";
import type { GenericConfig } from "./config.ts";
import { parseRequestInfo } from "../endpoints/request_info.ts";
import { RequestUrl } from "../endpoints/request_url.ts";
import type { HealthCheck } from "../endpoints/routes/health.ts";
import type { PostStartHook, PreShutdownHook } from "./delegation.ts";
import { isUpgradable } from "./filters/long_running.ts";
import { HookState, lifecycleChecks } from "./health.ts";
import { LifecycleSignals } from "./lifecycle.ts";
import { listenInsecure } from "./serving/insecure.ts";
import type { ConnectionHandler, Listener } from "./serving/listener.ts";
import { listenSecure, type SecureListener } from "./serving/secure.ts";
import { watchCertificates } from "./serving/certificate_files.ts";

/** Beyond the longest request, how long open connections get to end before they are cut; milliseconds. */
const DRAIN_MARGIN = 5_000;

/** What a server serves: the handler chain and what the servers behind it want done. */
export interface Served {
  handler: ConnectionHandler;
  postStartHooks: readonly PostStartHook[];
  preShutdownHooks: readonly PreShutdownHook[];
  /** Takes the health checks of the life cycle. */
  addHealthChecks(checks: readonly HealthCheck[]): void;
  /** Closes storage and the rest, at the very end. */
  destroy(): Promise<void>;
}

export class GenericServer {
  readonly lifecycle: LifecycleSignals = new LifecycleSignals();
  readonly #config: GenericConfig;

  constructor(config: GenericConfig) {
    this.#config = config;
  }

  /** Puts the life cycle's checks in place; the answer only has to be run. */
  prepareRun(served: Served): PreparedServer {
    const state = new HookState();
    served.addHealthChecks(lifecycleChecks({
      hooks: served.postStartHooks,
      state,
      lifecycle: this.lifecycle,
      livezGracePeriod: this.#config.livezGracePeriod,
    }));
    return new PreparedServer({ config: this.#config, served, state, lifecycle: this.lifecycle });
  }
}

interface Parts {
  config: GenericConfig;
  served: Served;
  state: HookState;
  lifecycle: LifecycleSignals;
}

/** A server that only has to be run, once. */
export class PreparedServer {
  readonly #parts: Parts;
  readonly #listeners: Listener[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Serves until `stop` is aborted, then stops in good order. Throws a ListenError when a port cannot be had, and what
   * a post-start hook or a listener threw later on. In every case all is closed at the end.
   */
  async run(stop: AbortSignal, onListening: (listeners: readonly Listener[]) => void = () => {}): Promise<void> {
    try {
      const secure = await this.#listen();
      watchCertificates(this.#parts.config.secureServing, stop, (changed) => secure.setCertificates(changed));
      onListening(this.#listeners);
      await Promise.race([
        aborted(stop),
        this.#runPostStartHooks(stop),
        ...this.#listeners.map((listener) => listener.failed),
      ]);
      await this.#shutDown();
    } finally {
      await Promise.all(this.#listeners.map((listener) => listener.close()));
      await this.#parts.served.destroy();
    }
    logInfo("The server has stopped");
  }

  async #listen(): Promise<SecureListener> {
    const { config, served: { handler } } = this.#parts;
    const { clientCA, requestHeader } = config.authentication;
    const bundles = [clientCA, requestHeader?.clientCA].flatMap((bundle) => bundle ? [bundle.pem] : []);
    const secure = await listenSecure({
      config: config.secureServing,
      clientCAs: bundles,
      handler,
      mayUpgrade: (method, path) => isUpgradable(parseRequestInfo(method, new RequestUrl(path))),
    });
    this.#listeners.push(secure);
    if (config.insecureServing) this.#listeners.push(listenInsecure(config.insecureServing, handler));
    return secure;
  }

  /** Starts all hooks at once. Never resolves; rejects when one fails. */
  #runPostStartHooks(stop: AbortSignal): Promise<never> {
    const { served: { postStartHooks }, state, lifecycle } = this.#parts;
    const failed = Promise.withResolvers<never>();
    const running = postStartHooks.map(async (hook) => {
      try {
        await hook.run(stop);
        state.markDone(hook.name);
      } catch (e) {
        if (!stop.aborted) {
          logError("Post-start hook failed", e, { hook: hook.name });
          failed.reject(new Error(`PostStartHook "${hook.name}" failed: ${(e as Error).message}`, { cause: e }));
        }
        throw e;
      }
    });
    Promise.all(running).then(() => this.#reach(lifecycle.hasBeenReady), () => {});
    return failed.promise;
  }

  async #shutDown(): Promise<void> {
    const { lifecycle, config: { limits, shutdown } } = this.#parts;
    this.#reach(lifecycle.shutdownInitiated);
    logInfo("Shutting down", shutdown.delay > 0 ? { delay: `${shutdown.delay / 1000}s` } : {});
    await Promise.all([this.#passDelay(shutdown.delay), this.#runPreShutdownHooks()]);
    this.#reach(lifecycle.notAcceptingNewRequest);
    const drained = Promise.all(this.#listeners.map((listener) => listener.shutdown()));
    for (const { hostname, port } of this.#listeners) logInfo("Stopped listening", { address: `${hostname}:${port}` });
    const patience = Math.max(limits.requestTimeout, shutdown.watchTerminationGracePeriod) + DRAIN_MARGIN;
    if (!await within(patience, drained)) {
      logInfo("[graceful-termination] cutting connections that did not end", { waited: `${patience / 1000}s` });
    }
    this.#reach(lifecycle.inFlightRequestsDrained);
  }

  #reach(moment: LifecycleSignals[keyof LifecycleSignals]): void {
    moment.signal();
    logInfo("The server reached a moment of its life", { name: moment.name }, 1);
  }

  async #passDelay(delay: number): Promise<void> {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    this.#reach(this.#parts.lifecycle.afterShutdownDelayDuration);
  }

  async #runPreShutdownHooks(): Promise<void> {
    for (const hook of this.#parts.served.preShutdownHooks) {
      await hook.run().catch((e) => logError("Pre-shutdown hook failed", e, { hook: hook.name }));
    }
    this.#reach(this.#parts.lifecycle.preShutdownHooksStopped);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Whether a promise settles within so many milliseconds. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), milliseconds);
  try {
    return await Promise.race([promise.then(() => true as const), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
