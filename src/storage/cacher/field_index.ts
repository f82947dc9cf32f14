// Keys of a resource by the value of a field: a list that asks for one value does not look at the others.
import type { StoredItem } from "../item.ts";

/** Fields worth an index: what a kubelet asks for, on every node. */
export const INDEXED_FIELDS: readonly string[] = ["spec.nodeName"];

export class FieldIndex {
  readonly #keys = new Map<string, Set<string>>();

  constructor(readonly field: string) {}

  /** An item took the place of another one of the same key; undefined: there is none. */
  replace(before: StoredItem | undefined, after: StoredItem | undefined): void {
    const old = before?.fields[this.field], now = after?.fields[this.field];
    if (old === now && before !== undefined && after !== undefined) return;
    if (old !== undefined) this.#remove(old, before!.key);
    if (now === undefined) return;
    let keys = this.#keys.get(now);
    if (keys === undefined) this.#keys.set(now, keys = new Set());
    keys.add(after!.key);
  }

  /** Keys of items with this value from `start` (inclusive) below `end`, in order. */
  find(value: string, start: string, end: string): string[] {
    return [...this.#keys.get(value) ?? []].filter((key) => key >= start && key < end).sort();
  }

  #remove(value: string, key: string): void {
    const keys = this.#keys.get(value)!;
    keys.delete(key);
    if (keys.size === 0) this.#keys.delete(value);
  }
}
