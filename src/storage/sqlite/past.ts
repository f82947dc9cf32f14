// Lists of what was there at a revision, also an older one. Each key is followed back from its newest change, so that a
// page costs what its own keys have changed, not what the whole database has; and nothing of it holds up others for long.
import { CompactedError, type KeyValue } from "../interface.ts";
import { Turns } from "../turns.ts";
import type { RangeResult, Reader } from "./reader.ts";
import type { Position } from "./watches.ts";

/** Keys that are read in one go. */
const KEYS_AT_ONCE = 128;
/** How often what is there is read anew because it was compacted away meanwhile. */
const ATTEMPTS = 5;
/** Lists whose number of remaining keys is remembered for their next page. */
const MOST_LISTS = 256;

export class Past {
  readonly #reader: Reader;
  readonly #position: Position;
  /** How many keys a list has left, by its next page. */
  readonly #remaining = new Map<string, number>();

  constructor(reader: Reader, position: Position) {
    this.#reader = reader;
    this.#position = position;
  }

  /** Throws CompactedError, also when history goes while it is read. */
  async range(start: string, end: string, options: { revision: number; limit: number }): Promise<RangeResult> {
    const { revision, limit } = options, items: KeyValue[] = [], turns = new Turns();
    let next: string | undefined = start;
    // One key more than asked for tells whether there are more.
    while (next !== undefined && items.length <= limit) {
      if (turns.over) await turns.othersFirst();
      const atOnce = Math.min(KEYS_AT_ONCE, limit + 1 - items.length);
      const part = this.#reader.pastPart(next, end, this.#position.revision(), { revision, limit: atOnce, turns });
      for (const item of part.items) items.push(item);
      next = part.next;
    }
    const more = items.length > limit;
    if (!more) return { items, revision, more, count: items.length };
    items.pop();
    const count = this.#remaining.get(pageName(start, end, revision)) ?? await this.#count(start, end, revision);
    return this.remember({ items, revision, more, count }, end);
  }

  /** The whole of what is there now. */
  async present(start: string, end: string): Promise<RangeResult> {
    for (let attempt = 1;; attempt++) {
      const revision = this.#position.revision();
      try {
        return await this.range(start, end, { revision, limit: Infinity });
      } catch (error) {
        // History went up to what is new by now.
        if (!(error instanceof CompactedError) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Notes how many keys a page leaves for the next ones, and gives it back. */
  remember(page: RangeResult, end: string): RangeResult {
    const { items, revision, more, count } = page;
    if (!more || items.length === 0) return page;
    if (this.#remaining.size >= MOST_LISTS) this.#remaining.delete(this.#remaining.keys().next().value!);
    this.#remaining.set(pageName(items[items.length - 1].key + "\0", end, revision), count - items.length);
    return page;
  }

  /** What there is now, with every create and delete since taken back. */
  async #count(start: string, end: string, revision: number): Promise<number> {
    const now = this.#reader.countNow(start, end, this.#position.revision());
    const turns = new Turns();
    let { count } = now;
    for (let after = revision; after < now.revision;) {
      const { by, upTo } = this.#reader.growth(start, end, { after, upTo: now.revision });
      count -= by;
      after = upTo;
      if (turns.over) await turns.othersFirst();
    }
    return count;
  }
}

function pageName(start: string, end: string, revision: number): string {
  return `${revision}\0${end}\0${start}`;
}
