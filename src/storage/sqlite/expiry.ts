// Keys with a time to live: a heap of due times and one timer for the first of them.

interface Due {
  key: string;
  revision: number;
  at: number;
}

/** Longest that a timer is set for: setTimeout's own limit is about 24 days. */
const LONGEST_MS = 86_400_000;

export class ExpiryQueue {
  readonly #heap: Due[] = [];
  /** Key → the revision whose time counts; older entries in the heap are skipped. */
  readonly #valid = new Map<string, number>();
  readonly #expire: (key: string, revision: number) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerAt = Infinity;

  constructor(expire: (key: string, revision: number) => void) {
    this.#expire = expire;
  }

  /** `at` in milliseconds since 1970; null when the key lives for ever. */
  set(key: string, revision: number, at: number | null): void {
    if (at === null) {
      if (this.#valid.size > 0) this.#valid.delete(key);
      return;
    }
    this.#valid.set(key, revision);
    this.#push({ key, revision, at });
    if (at < this.#timerAt) this.#schedule();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#valid.clear();
    this.#heap.length = 0;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timerAt = this.#heap[0]?.at ?? Infinity;
    if (this.#timerAt === Infinity) return;
    const wait = Math.min(Math.max(this.#timerAt - Date.now(), 0), LONGEST_MS);
    this.#timer = setTimeout(() => this.#run(), wait);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  #run(): void {
    const now = Date.now();
    while (this.#heap.length > 0 && this.#heap[0].at <= now) {
      const { key, revision } = this.#pop();
      if (this.#valid.get(key) !== revision) continue;
      this.#valid.delete(key);
      this.#expire(key, revision);
    }
    this.#schedule();
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (heap[parent].at <= due.at) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = due;
  }

  #pop(): Due {
    const heap = this.#heap, top = heap[0], last = heap.pop()!;
    if (heap.length === 0) return top;
    let i = 0;
    for (;;) {
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
