// The life of an API server: listeners up, post-start hooks, and a stop that loses no request. Kubernetes calls it
// GenericAPIServer; what is served is the delegation target's business.
import { logError, logInfo } from "../logging/mod.ts";
import type { GenericConfig } from "./config.ts";
import type { DelegationTarget, PostStartHook } from "./delegation.ts";
import { Health } from "./health.ts";
import { LifecycleSignals } from "./lifecycle.ts";
import { listenInsecure } from "./serving/insecure.ts";
import type { ConnectionHandler, Listener } from "./serving/listener.ts";
import { listenSecure } from "./serving/secure.ts";

/** Beyond the longest request, how long open connections get to end before they are cut. */
const DRAIN_MARGIN = 5_000;

export class GenericServer {
  readonly lifecycle: LifecycleSignals = new LifecycleSignals();
  readonly health: Health;
  readonly #config: GenericConfig;

  constructor(config: GenericConfig) {
    this.#config = config;
    this.health = new Health({ lifecycle: this.lifecycle, livezGracePeriod: config.livezGracePeriod });
  }

  /**
   * Says what is served: the first server of the chain with all that it inherits, the handler chain in front of it, and
   * what to close at the very end.
   */
  prepareRun(target: DelegationTarget, handler: ConnectionHandler, destroy: () => Promise<void>): PreparedServer {
    this.health.install(target.postStartHooks, target.healthChecks);
    return new PreparedServer(this, { config: this.#config, target, handler, destroy });
  }
}

interface PreparedParts {
  config: GenericConfig;
  target: DelegationTarget;
  handler: ConnectionHandler;
  destroy: () => Promise<void>;
}

/** A server that only has to be run. */
export class PreparedServer {
  readonly #server: GenericServer;
  readonly #parts: PreparedParts;
  #listeners: Listener[] = [];

  constructor(server: GenericServer, parts: PreparedParts) {
    this.#server = server;
    this.#parts = parts;
  }

  /**
   * Serves until `stop` is aborted, then stops in good order. Throws a ListenError when a port cannot be had, and
   * whatever a post-start hook or a listener threw. In every case all is closed at the end.
   */
  async run(stop: AbortSignal, onListening: (listeners: readonly Listener[]) => void = () => {}): Promise<void> {
    try {
      await this.#listen();
      onListening(this.#listeners);
      const stopped = Promise.withResolvers<void>();
      if (stop.aborted) stopped.resolve();
      else stop.addEventListener("abort", () => stopped.resolve(), { once: true });
      await Promise.race([stopped.promise, this.#runHooks(stop), ...this.#listeners.map((listener) => listener.failed)]);
      await this.#shutDown();
    } finally {
      await Promise.all(this.#listeners.map((listener) => listener.close()));
      await this.#parts.destroy();
    }
  }

  async #listen(): Promise<void> {
    const { config, handler } = this.#parts;
    const { clientCA, requestHeader } = config.authentication;
    const clientCAs = [clientCA, requestHeader?.clientCA].filter((bundle) => bundle !== undefined);
    this.#listeners.push(
      await listenSecure({ config: config.secureServing, clientCAs: clientCAs.map((bundle) => bundle.pem), handler }),
    );
    if (config.insecureServing) this.#listeners.push(listenInsecure(config.insecureServing, handler));
  }

  /** Starts all post-start hooks at once. Never resolves; rejects when one fails. */
  #runHooks(stop: AbortSignal): Promise<never> {
    const failed = Promise.withResolvers<never>();
    for (const hook of this.#parts.target.postStartHooks) {
      this.#runHook(hook, stop).catch((e) => failed.reject(e));
    }
    return failed.promise;
  }

  async #runHook(hook: PostStartHook, stop: AbortSignal): Promise<void> {
    try {
      await hook.run(stop);
      this.#server.health.hookDone(hook.name);
    } catch (e) {
      if (stop.aborted) return;
      throw new Error(`PostStartHook "${hook.name}" failed: ${(e as Error).message}`, { cause: e });
    }
  }

  async #shutDown(): Promise<void> {
    const { lifecycle } = this.#server;
    const { limits, shutdown } = this.#parts.config;
    lifecycle.shutdownInitiated.signal();
    logInfo("[graceful-termination] shutdown event", { name: lifecycle.shutdownInitiated.name }, 1);
    await Promise.all([this.#passDelay(shutdown.delay), this.#runPreShutdownHooks()]);

    lifecycle.notAcceptingNewRequest.signal();
    logInfo("[graceful-termination] shutdown event", { name: lifecycle.notAcceptingNewRequest.name }, 1);
    const drained = Promise.all(this.#listeners.map((listener) => listener.shutdown())).then(() => true);
    const patience = Math.max(limits.requestTimeout, shutdown.watchTerminationGracePeriod) + DRAIN_MARGIN;
    const timer = Promise.withResolvers<false>();
    const timeout = setTimeout(() => timer.resolve(false), patience);
    if (!await Promise.race([drained, timer.promise])) {
      logInfo("[graceful-termination] cutting connections that did not end", { waited: `${patience / 1000}s` });
    }
    clearTimeout(timeout);
    lifecycle.inFlightRequestsDrained.signal();
    logInfo("[graceful-termination] apiserver is exiting", {}, 1);
  }

  async #passDelay(delay: number): Promise<void> {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    this.#server.lifecycle.afterShutdownDelayDuration.signal();
  }

  async #runPreShutdownHooks(): Promise<void> {
    for (const hook of this.#parts.target.preShutdownHooks) {
      try {
        await hook.run();
      } catch (e) {
        logError("pre-shutdown hook failed", e, { hook: hook.name });
      }
    }
    this.#server.lifecycle.preShutdownHooksStopped.signal();
  }
}
