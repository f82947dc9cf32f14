// The keys of a resource in order, with their items: lookups by key, scans by prefix.
import type { Item } from "../interface.ts";

export class KeyIndex {
  readonly #items = new Map<string, Item>();
  /** Sorted, except that new keys wait in `#added` until somebody scans. */
  #keys: string[] = [];
  #added: string[] = [];
  #removed = 0;

  get size(): number {
    return this.#items.size;
  }

  get(key: string): Item | undefined {
    return this.#items.get(key);
  }

  /** Returns what was there before. */
  set(item: Item): Item | undefined {
    const before = this.#items.get(item.key);
    if (before === undefined) this.#added.push(item.key);
    this.#items.set(item.key, item);
    return before;
  }

  delete(key: string): Item | undefined {
    const before = this.#items.get(key);
    if (before !== undefined) {
      this.#items.delete(key);
      this.#removed++;
    }
    return before;
  }

  /** Items with `start` ≤ key < `end`, in order. */
  *scan(start: string, end: string): Generator<Item> {
    this.#settle();
    const keys = this.#keys;
    for (let i = lowerBound(keys, start); i < keys.length && keys[i] < end; i++) yield this.#items.get(keys[i])!;
  }

  count(start: string, end: string): number {
    this.#settle();
    return lowerBound(this.#keys, end) - lowerBound(this.#keys, start);
  }

  /** Merges what came and drops what went: work that a burst of writes pays once, at the next scan. */
  #settle(): void {
    if (this.#added.length === 0 && this.#removed === 0) return;
    const kept = this.#removed > 0 ? this.#keys.filter((k) => this.#items.has(k)) : this.#keys;
    // A key may have come, gone and come again.
    const added = [...new Set(this.#added)].filter((k) => this.#items.has(k)).sort(compare);
    this.#added = [];
    this.#removed = 0;
    if (added.length === 0 || kept.length === 0 || kept[kept.length - 1] < added[0]) this.#keys = kept.concat(added);
    else this.#keys = merge(kept, added);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function merge(a: readonly string[], b: readonly string[]): string[] {
  const out: string[] = [];
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) j++;
    else out.push(a[i] < b[j] ? a[i++] : b[j++]);
  }
  while (i < a.length) out.push(a[i++]);
  while (j < b.length) out.push(b[j++]);
  return out;
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0, high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
