// Items of one resource in the order of their keys: chunks of sorted arrays, so that an insert moves little.
import type { StoredItem } from "../item.ts";

const MAX_CHUNK = 256;

export class OrderedItems {
  #chunks: StoredItem[][] = [];
  #size = 0;

  /** @param sorted items in the order of their keys */
  static from(sorted: readonly StoredItem[]): OrderedItems {
    const items = new OrderedItems();
    const size = MAX_CHUNK / 2;
    for (let i = 0; i < sorted.length; i += size) items.#chunks.push(sorted.slice(i, i + size));
    items.#size = sorted.length;
    return items;
  }

  get size(): number {
    return this.#size;
  }

  /** Inserts, or replaces the item of the same key. */
  set(item: StoredItem): void {
    if (this.#chunks.length === 0) {
      this.#chunks.push([item]);
      this.#size = 1;
      return;
    }
    const c = this.#chunkOf(item.key), chunk = this.#chunks[c], i = lowerBound(chunk, item.key);
    if (i < chunk.length && chunk[i].key === item.key) {
      chunk[i] = item;
      return;
    }
    chunk.splice(i, 0, item);
    this.#size++;
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(c + 1, 0, chunk.splice(this.#splitAt(c)));
  }

  delete(key: string): void {
    if (this.#chunks.length === 0) return;
    const c = this.#chunkOf(key), chunk = this.#chunks[c], i = lowerBound(chunk, key);
    if (i >= chunk.length || chunk[i].key !== key) return;
    chunk.splice(i, 1);
    this.#size--;
    if (chunk.length === 0) this.#chunks.splice(c, 1);
  }

  /** Visits items from `start` (inclusive) below `end` until `visit` returns false. */
  scan(start: string, end: string, visit: (item: StoredItem) => boolean): void {
    if (this.#chunks.length === 0) return;
    let c = this.#chunkOf(start), i = lowerBound(this.#chunks[c], start);
    for (; c < this.#chunks.length; c++, i = 0) {
      const chunk = this.#chunks[c];
      // Ends are looked for chunk by chunk: most chunks lie wholly inside.
      const last = chunk[chunk.length - 1].key < end ? chunk.length : lowerBound(chunk, end);
      for (; i < last; i++) if (!visit(chunk[i])) return;
      if (last < chunk.length) return;
    }
  }

  /** How many items there are from `start` (inclusive) below `end`. */
  count(start: string, end: string): number {
    return this.#rank(end) - this.#rank(start);
  }

  /** How many items come before a key. */
  #rank(key: string): number {
    if (this.#chunks.length === 0) return 0;
    const c = this.#chunkOf(key);
    let rank = lowerBound(this.#chunks[c], key);
    for (let before = 0; before < c; before++) rank += this.#chunks[before].length;
    return rank;
  }

  /** The chunk that a key is in or belongs to. */
  #chunkOf(key: string): number {
    const chunks = this.#chunks;
    let low = 0, high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (chunks[middle][0].key <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The last chunk grows at its end mostly, and is left full. */
  #splitAt(c: number): number {
    return c === this.#chunks.length - 1 ? MAX_CHUNK : MAX_CHUNK / 2;
  }
}

/** The first position whose key is not below `key`. */
function lowerBound(chunk: readonly StoredItem[], key: string): number {
  let low = 0, high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunk[middle].key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
