// Which keys expire next: a heap of those whose time comes within the horizon, so that memory does not grow with all.

export interface Expiry {
  /** Milliseconds since 1970. */
  at: number;
  key: string;
}

/** How far ahead the queue looks, in milliseconds. */
const HORIZON = 600_000;

export class ExpiryQueue {
  readonly #heap: Expiry[] = [];
  #horizon = 0;

  /** @param due gives everything that expires up to a time */
  constructor(private readonly due: (until: number) => Iterable<Expiry>) {}

  /** A key was written with this time; earlier entries of it are found stale when their time comes. */
  add(entry: Expiry): void {
    if (entry.at <= this.#horizon) this.#push(entry);
  }

  /** When to look again. */
  next(now: number): number {
    this.#lookAhead(now);
    return Math.min(this.#heap[0]?.at ?? Infinity, this.#horizon);
  }

  /** Takes out what is due, at most `limit` of it. */
  take(now: number, limit: number): Expiry[] {
    this.#lookAhead(now);
    const taken: Expiry[] = [];
    while (taken.length < limit && this.#heap.length > 0 && this.#heap[0].at <= now) taken.push(this.#pop());
    return taken;
  }

  #lookAhead(now: number): void {
    if (now < this.#horizon) return;
    this.#horizon = now + HORIZON;
    this.#heap.length = 0;
    for (const entry of this.due(this.#horizon)) this.#push(entry);
  }

  #push(entry: Expiry): void {
    const heap = this.#heap;
    let i = heap.push(entry) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (heap[parent].at <= entry.at) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = entry;
  }

  #pop(): Expiry {
    const heap = this.#heap, top = heap[0], last = heap.pop()!;
    if (heap.length === 0) return top;
    let i = 0;
    while (true) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1].at < heap[child].at) child++;
      if (heap[child].at >= last.at) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = last;
    return top;
  }
}
