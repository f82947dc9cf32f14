// Deadlines that all lie the same time ahead: the first to start is the first to be late, so that one timer is enough for
// every request in flight.

export interface Deadline {
  at: number;
  expired: () => void;
  done: boolean;
}

export class DeadlineQueue {
  readonly #milliseconds: number;
  #entries: Deadline[] = [];
  /** Entries before this one are over. */
  #first = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** @param expired called once when the time is over and {@link done} was not called */
  add(expired: () => void): Deadline {
    const entry = { at: performance.now() + this.#milliseconds, expired, done: false };
    this.#entries.push(entry);
    if (this.#timer === undefined) this.#arm(this.#milliseconds);
    return entry;
  }

  done(entry: Deadline): void {
    entry.done = true;
    entry.expired = nothing;
    this.#skip();
  }

  #skip(): void {
    while (this.#first < this.#entries.length && this.#entries[this.#first].done) this.#first++;
    if (this.#first === this.#entries.length) {
      this.#entries.length = 0;
      this.#first = 0;
    } else if (this.#first > 1024) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }

  #arm(milliseconds: number): void {
    // The timer outlives the request that armed it; it must not keep the process.
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, milliseconds)).unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let i = this.#first; i < this.#entries.length && this.#entries[i].at <= now; i++) {
      const { expired } = this.#entries[i];
      this.#entries[i].done = true;
      expired();
    }
    this.#skip();
    if (this.#first < this.#entries.length) this.#arm(this.#entries[this.#first].at - now);
  }
}

function nothing(): void {}
