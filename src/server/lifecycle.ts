// The moments of a server's life, named as in k8s.io/apiserver's lifecycle signals.

/** A moment that comes once and is never taken back. */
export class LifecycleSignal {
  readonly #controller = new AbortController();
  readonly #come = Promise.withResolvers<void>();

  constructor(readonly name: string) {}

  /** The moment is now. */
  signal(): void {
    if (this.signaled) return;
    this.#controller.abort(new DOMException(`the server reached ${this.name}`, "AbortError"));
    this.#come.resolve();
  }

  get signaled(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Resolves when the moment has come. */
  wait(): Promise<void> {
    return this.#come.promise;
  }

  /** The same for whoever takes an AbortSignal. */
  get abortSignal(): AbortSignal {
    return this.#controller.signal;
  }
}

/**
 * In the order in which they come. A stop goes
 * shutdownInitiated → (the delay, and the pre-shutdown hooks) → notAcceptingNewRequest → inFlightRequestsDrained.
 */
export class LifecycleSignals {
  /** Listeners are up and all post-start hooks have run. */
  readonly hasBeenReady: LifecycleSignal = new LifecycleSignal("HasBeenReady");
  /** The process was asked to stop; readyz fails from here on, requests are served as before. */
  readonly shutdownInitiated: LifecycleSignal = new LifecycleSignal("ShutdownInitiated");
  /** --shutdown-delay-duration has passed since. */
  readonly afterShutdownDelayDuration: LifecycleSignal = new LifecycleSignal("AfterShutdownDelayDuration");
  /** Pre-shutdown hooks have run. */
  readonly preShutdownHooksStopped: LifecycleSignal = new LifecycleSignal("PreShutdownHooksStopped");
  /** Both of the above: listeners close and watches end; requests in flight finish. */
  readonly notAcceptingNewRequest: LifecycleSignal = new LifecycleSignal("NotAcceptingNewRequest");
  /** The last answer has gone out. */
  readonly inFlightRequestsDrained: LifecycleSignal = new LifecycleSignal("InFlightRequestsDrained");
}
