// Changes that the pointer table does not show yet. A commit writes the log only; the table follows in the background.

/** Where the newest change of a key is. */
export interface Pointer {
  /** Negative for a delete. */
  revision: number;
  /** Milliseconds since 1970; undefined: never. */
  expires: number | undefined;
}

/** The newest change of each key since the pointer table was brought up to date, and how to take changes back. */
export class Pointers {
  readonly #map = new Map<string, Pointer>();

  get size(): number {
    return this.#map.size;
  }

  get(key: string): Pointer | undefined {
    return this.#map.get(key);
  }

  set(key: string, pointer: Pointer): void {
    this.#map.set(key, pointer);
  }

  /** Undoes a `set`: what was there before it. */
  restore(key: string, before: Pointer | undefined): void {
    if (before === undefined) this.#map.delete(key);
    else this.#map.set(key, before);
  }

  /** The key and pointer pairs in the order in which the table keeps them. */
  sorted(): [string, Pointer][] {
    return [...this.#map].sort(([a], [b]) => a < b ? -1 : 1);
  }

  /** Forgets what the table shows now: `key` at `pointer`, unless it changed again. */
  settled(key: string, pointer: Pointer): void {
    if (this.#map.get(key) === pointer) this.#map.delete(key);
  }
}
