// Modules that start-up does without: they are read at their first use, and used without a wait from then on.

/** A function whose module is read at the first call; once that is done, calls go straight through. */
export function later<A extends unknown[], R>(
  read: () => Promise<(...args: A) => R | Promise<R>>,
): (...args: A) => R | Promise<R> {
  let ready: ((...args: A) => R | Promise<R>) | undefined;
  let reading: ReturnType<typeof read> | undefined;
  // Those who call meanwhile wait for the same one.
  const readOnce = () => reading ??= read().finally(() => reading = undefined);
  return (...args) => ready !== undefined ? ready(...args) : readOnce().then((run) => (ready ??= run)(...args));
}

/** A module whose members are called where nobody can wait: somebody has to have loaded it before. */
export class LaterModule<M> {
  readonly #read: () => Promise<M>;
  #module: M | undefined;

  constructor(read: () => Promise<M>) {
    this.#read = read;
  }

  /** Undefined when there is nothing to wait for. */
  load(): Promise<void> | undefined {
    return this.#module === undefined ? this.#read().then((module) => void (this.#module = module)) : undefined;
  }

  /** Throws an Error when it was not loaded. */
  get module(): M {
    if (this.#module === undefined) throw new Error("a module is used that nobody has loaded");
    return this.#module;
  }
}
