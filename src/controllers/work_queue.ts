// A queue of keys for controllers: a key that waits is not queued twice, one that fails comes back later and later.

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 60_000;

export interface WorkQueueOptions {
  /** Keys worked on at once. */
  workers: number;
  /** Does the work of one key; an error queues it again with growing delay. */
  process(key: string): Promise<void>;
  onError(key: string, error: unknown): void;
}

/** Works until its signal ends. */
export class WorkQueue {
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  /** Keys that were added again while they were worked on. */
  readonly #dirty = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #options: WorkQueueOptions;
  readonly #signal: AbortSignal;

  constructor(options: WorkQueueOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#waiting.clear();
    }, { once: true });
  }

  add(key: string): void {
    if (this.#signal.aborted) return;
    if (this.#running.has(key)) {
      this.#dirty.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#next();
  }

  /** Adds the key after a while; an earlier time that was set before stays. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#signal.aborted || this.#timers.has(key)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.add(key);
    }, milliseconds);
    this.#timers.set(key, timer);
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.workers) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      this.#work(key);
    }
  }

  async #work(key: string): Promise<void> {
    try {
      await this.#options.process(key);
      this.#failures.delete(key);
    } catch (e) {
      if (!this.#signal.aborted) {
        const failures = this.#failures.get(key) ?? 0;
        this.#failures.set(key, failures + 1);
        this.#options.onError(key, e);
        this.addAfter(key, Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS));
      }
    }
    this.#running.delete(key);
    if (this.#dirty.delete(key)) this.#waiting.add(key);
    if (!this.#signal.aborted) this.#next();
  }
}
