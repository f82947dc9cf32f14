// One client's watch: a bounded buffer between the cache, which never waits, and a reader that may.
import type { Item, Predicate, Watcher, WatchEvent } from "../interface.ts";

/** Events a reader may fall behind before its watch is ended. */
const BUFFER = 10_000;

/** A change of one object as the cache hands it to all watches: built once, shared by them. */
export class CacheEvent {
  #deleted: Item | undefined;
  #added: WatchEvent | undefined;
  #modified: WatchEvent | undefined;
  #removed: WatchEvent | undefined;

  /** @param item undefined: the object was deleted. @param previous undefined: it was created. */
  constructor(
    readonly key: string,
    readonly revision: number,
    readonly item: Item | undefined,
    readonly previous: Item | undefined,
  ) {}

  get added(): WatchEvent {
    return this.#added ??= { type: "ADDED", item: this.item! };
  }

  get modified(): WatchEvent {
    return this.#modified ??= { type: "MODIFIED", item: this.item! };
  }

  /** The object as it was last, at the revision at which it went out of sight. */
  get removed(): WatchEvent {
    this.#deleted ??= this.previous!.withRevision(this.revision);
    return this.#removed ??= { type: "DELETED", item: this.#deleted };
  }

  /** How a watch with this predicate sees the change; undefined: not at all. */
  seenBy(predicate: Predicate | undefined): WatchEvent | undefined {
    const all = predicate === undefined || predicate.everything;
    const was = this.previous !== undefined && (all || predicate.matches(this.previous));
    const is = this.item !== undefined && (all || predicate.matches(this.item));
    if (is) return was ? this.modified : this.added;
    return was ? this.removed : undefined;
  }
}

export class CacheWatcher implements Watcher {
  #buffer: WatchEvent[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  readonly #onStop: (watcher: CacheWatcher) => void;
  readonly #signal: AbortSignal;
  readonly #abort = () => this.stop();

  constructor(
    /** A prefix ending in `/`, or one whole key. */
    readonly prefix: string,
    readonly predicate: Predicate | undefined,
    options: { signal: AbortSignal; bookmarks: boolean; onStop: (watcher: CacheWatcher) => void },
  ) {
    this.bookmarks = options.bookmarks;
    this.#signal = options.signal;
    this.#onStop = options.onStop;
    if (options.signal.aborted) this.#ended = true;
    else options.signal.addEventListener("abort", this.#abort, { once: true });
  }

  readonly bookmarks: boolean;
  /** Changes up to here were in the events that it began with. */
  startedAt = 0;

  concerns(key: string): boolean {
    return this.prefix.endsWith("/") ? key.startsWith(this.prefix) : key === this.prefix;
  }

  offer(event: CacheEvent): void {
    if (event.revision <= this.startedAt || !this.concerns(event.key)) return;
    const seen = event.seenBy(this.predicate);
    if (seen !== undefined) this.push(seen);
  }

  push(event: WatchEvent): void {
    if (this.#ended) return;
    if (this.#buffer.length >= BUFFER) {
      // A reader this slow has lost its place: it starts again from where it is.
      this.#buffer = [];
      this.stop();
      return;
    }
    this.#buffer.push(event);
    this.#wake?.();
  }

  /** The last event of a watch that cannot go on. */
  fail(error: Error): void {
    this.push({ type: "ERROR", error });
    this.stop();
  }

  stop(): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#signal.removeEventListener("abort", this.#abort);
      this.#onStop(this);
    }
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WatchEvent[]> {
    try {
      for (;;) {
        if (this.#buffer.length > 0) {
          const events = this.#buffer;
          this.#buffer = [];
          yield events;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => this.#wake = resolve);
          this.#wake = undefined;
        }
      }
    } finally {
      this.stop();
    }
  }
}
