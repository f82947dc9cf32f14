// The last changes of a resource: where watches resume, and how lists of the recent past are made.
import type { StoredItem } from "../item.ts";
import type { ItemChange } from "../selection.ts";

/** At least so many changes are kept, at most twice as many. */
export const KEPT = 1024;

export class Window {
  #changes: ItemChange[] = [];
  #start: number;
  readonly #kept: number;

  /** @param start the revision from which on nothing is missing */
  constructor(start: number, kept = KEPT) {
    this.#start = start;
    this.#kept = kept;
  }

  /** Everything behind this revision is here. */
  get start(): number {
    return this.#start;
  }

  push(change: ItemChange): void {
    this.#changes.push(change);
    if (this.#changes.length <= 2 * this.#kept) return;
    this.#start = this.#changes[this.#kept].item.revision;
    this.#changes = this.#changes.slice(this.#kept + 1);
  }

  /** Changes behind a revision that is not before the start. */
  since(revision: number): readonly ItemChange[] {
    let low = 0, high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle].item.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  /** What keys that changed behind a revision held at it; undefined: nothing. */
  before(revision: number): Map<string, StoredItem | undefined> {
    const held = new Map<string, StoredItem | undefined>();
    for (const { item, previous } of this.since(revision)) if (!held.has(item.key)) held.set(item.key, previous);
    return held;
  }
}
