// A map whose entries end: each after a time of its own, the oldest when there are too many.

interface Entry<V> {
  value: V;
  expires: number;
}

export class ExpiringMap<V> {
  readonly #entries = new Map<string, Entry<V>>();

  /** @param size most entries kept */
  constructor(readonly size: number, readonly now: () => number = Date.now) {}

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires > this.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param ttl milliseconds; without any, nothing is kept */
  set(key: string, value: V, ttl: number): void {
    if (ttl <= 0) return;
    this.#entries.delete(key);
    // In the order in which they were set, so that the first is the oldest.
    if (this.#entries.size >= this.size) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, { value, expires: this.now() + ttl });
  }
}
