// The cacher: every object of one resource in memory as ready JSON, kept up by the engine's watch. Reads and watches come
// from here; the engine is asked for history only.
import { expiredError, internalError, StatusError, tooLargeResourceVersionError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import {
  type AttributesOf,
  type Backend,
  type Change,
  CompactedError,
  type GetOptions,
  type Interface,
  type Item,
  type ListOptions,
  type ListResult,
  type Preconditions,
  type UpdateResult,
  type Watcher,
  type WatchOptions,
} from "../interface.ts";
import { PendingItem, StoredItem } from "../item.ts";
import { decodeContinue, encodeContinue, endOfPrefix, inconsistentContinue } from "../paging.ts";
import { keyNotFound, type Store } from "../store.ts";
import { KeyIndex } from "./key_index.ts";
import { CacheEvent, CacheWatcher } from "./watcher.ts";

export interface CacherOptions {
  backend: Backend;
  store: Store;
  /** Everything of the resource: `/registry/pods/`. */
  prefix: string;
  attributesOf: AttributesOf;
}

/** Recent changes that watches can start from without asking the engine. */
const WINDOW = 1_000;
/** How long a read waits for a revision that has not been seen. */
const WAIT_MS = 3_000;
const BOOKMARK_EVERY_MS = 60_000;

/** What clients whose revision has been compacted are told. */
const EXPIRED =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

export class Cacher implements Interface {
  readonly #backend: Backend;
  readonly #store: Store;
  readonly #prefix: string;
  readonly #attributesOf: AttributesOf;
  readonly #index = new KeyIndex();
  readonly #watchers = new Set<CacheWatcher>();
  /** The newest revision that everything is known up to. */
  #revision = 0;
  /** The revision of the last change of this resource. */
  #changedAt = 0;
  #window: CacheEvent[] = [];
  /** Changes above this revision are all in the window. */
  #windowStart = 0;
  #ready: Promise<void> | undefined;
  #isReady = false;
  #waiting: { revision: number; resolve(): void }[] = [];
  #bookmarkTimer: ReturnType<typeof setInterval> | undefined;

  constructor({ backend, store, prefix, attributesOf }: CacherOptions) {
    this.#backend = backend;
    this.#store = store;
    this.#prefix = prefix;
    this.#attributesOf = attributesOf;
  }

  /** Loads everything at first use. */
  #load(): Promise<void> {
    return this.#ready ??= this.#start().catch((e) => {
      this.#ready = undefined;
      throw e;
    });
  }

  async #start(): Promise<void> {
    const { items, revision } = await this.#backend.range(this.#prefix, endOfPrefix(this.#prefix));
    for (const kv of items) this.#index.set(this.#store.itemOf(kv));
    this.#revision = this.#changedAt = this.#windowStart = revision;
    this.#backend.watch(
      this.#prefix,
      revision,
      (changes, upTo) => this.#apply(changes, upTo),
      (error) => this.#lost(error),
    );
    this.#isReady = true;
  }

  #apply(changes: readonly Change[], upTo: number): void {
    for (const change of changes) {
      const event = this.#eventOf(change);
      this.#window.push(event);
      for (const watcher of this.#watchers) watcher.offer(event);
      this.#changedAt = change.revision;
    }
    if (this.#window.length > 2 * WINDOW) {
      this.#windowStart = this.#window[this.#window.length - WINDOW - 1].revision;
      this.#window = this.#window.slice(-WINDOW);
    }
    this.#revision = Math.max(this.#revision, upTo);
    if (this.#waiting.length > 0) this.#release();
  }

  #eventOf({ type, key, value, revision, tag }: Change): CacheEvent {
    if (type === "delete") return new CacheEvent(key, revision, undefined, this.#index.delete(key));
    const item = tag instanceof PendingItem
      ? tag.at(revision)
      : StoredItem.parse(key, revision, value, this.#attributesOf);
    return new CacheEvent(key, revision, item, this.#index.set(item));
  }

  /** The engine's watch broke for good: watches end, and the next use loads afresh. */
  #lost(error: Error | undefined): void {
    for (const watcher of [...this.#watchers]) {
      if (error === undefined) watcher.stop();
      else watcher.fail(expiredError(error.message));
    }
  }

  #release(): void {
    const still = this.#waiting.filter((w) => w.revision > this.#revision);
    const done = this.#waiting.filter((w) => w.revision <= this.#revision);
    this.#waiting = still;
    for (const { resolve } of done) resolve();
  }

  /** Throws Too large resource version. */
  async #waitFor(revision: number): Promise<void> {
    if (revision <= this.#revision) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reached = new Promise<boolean>((resolve) => {
      this.#waiting.push({ revision, resolve: () => resolve(true) });
      timer = setTimeout(() => resolve(false), WAIT_MS);
    });
    const ok = await reached;
    clearTimeout(timer);
    if (!ok) throw tooLargeResourceVersionError(revision, this.#revision, 1);
  }

  /** Waits until the cache has seen everything that anybody was told is written. */
  async #waitForCurrent(): Promise<void> {
    if (!this.#backend.exclusive) await this.#waitFor(await this.#backend.currentRevision());
  }

  getCached(key: string): Item | null | undefined {
    if (!this.#isReady || !this.#backend.exclusive) return undefined;
    return this.#index.get(key) ?? null;
  }

  async get(key: string, { resourceVersion = "" }: GetOptions = {}): Promise<Item> {
    await this.#load();
    if (resourceVersion === "") await this.#waitForCurrent();
    else if (resourceVersion !== "0") await this.#waitFor(Number(resourceVersion));
    const item = this.#index.get(key);
    if (item === undefined) throw keyNotFound(key);
    return item;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    await this.#load();
    const { resourceVersion = "", resourceVersionMatch = "", limit = 0 } = options;
    if (options.continue) return await this.#nextPage(prefix, options);
    if (resourceVersion === "") await this.#waitForCurrent();
    else if (resourceVersion !== "0") {
      const revision = Number(resourceVersion);
      await this.#waitFor(revision);
      const exact = resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && limit > 0);
      if (exact) return await this.#listAt(revision, prefix, options);
    }
    return this.#listNow(prefix, prefix, { ...options, limit: resourceVersion === "0" ? 0 : limit });
  }

  async #nextPage(prefix: string, options: ListOptions): Promise<ListResult> {
    const { revision, start } = decodeContinue(options.continue!, prefix);
    if (revision === undefined) return this.#listNow(prefix, start, options);
    try {
      return await this.#listAt(revision, prefix, options, start);
    } catch (e) {
      if (!(e instanceof StatusError) || e.reason !== "Expired") throw e;
      const error = expiredError(EXPIRED);
      error.status.metadata = { continue: inconsistentContinue(options.continue!, prefix) };
      throw error;
    }
  }

  #listNow(prefix: string, start: string, options: ListOptions): ListResult {
    const end = endOfPrefix(prefix);
    return this.#page(
      this.#index.scan(start, end),
      prefix,
      options,
      this.#revision,
      (last) => this.#index.count(last, end) - 1,
    );
  }

  /** A list as of an older revision: the present one where nothing has changed since, or out of the engine's log. */
  async #listAt(revision: number, prefix: string, options: ListOptions, start = prefix): Promise<ListResult> {
    await this.#waitFor(revision);
    if (revision >= this.#changedAt) {
      const list = this.#listNow(prefix, start, options);
      return { ...list, revision, continue: list.continue && encodeContinue(revision, prefix, list.items.at(-1)!.key) };
    }
    const items = await this.#itemsAt(revision, start, endOfPrefix(prefix));
    return this.#page(
      items,
      prefix,
      options,
      revision,
      (last) => items.length - items.findIndex((i) => i.key === last) - 1,
    );
  }

  async #itemsAt(revision: number, start: string, end: string): Promise<Item[]> {
    if (revision >= this.#windowStart) return this.#undo(revision, start, end);
    try {
      const { items } = await this.#backend.range(start, end, { revision });
      return items.map((kv) => this.#store.itemOf(kv));
    } catch (e) {
      if (e instanceof CompactedError) {
        throw expiredError(`The provided resource version is too old: ${revision} (${e.compactRevision})`);
      }
      throw e;
    }
  }

  /** The present state with the window's changes after `revision` taken back. */
  #undo(revision: number, start: string, end: string): Item[] {
    const before = new Map<string, Item | undefined>();
    for (const event of this.#window) {
      if (event.revision > revision && event.key >= start && event.key < end && !before.has(event.key)) {
        before.set(event.key, event.previous);
      }
    }
    const items = [...this.#index.scan(start, end)].filter((item) => !before.has(item.key));
    for (const item of before.values()) if (item !== undefined) items.push(item);
    return items.sort((a, b) => a.key < b.key ? -1 : 1);
  }

  #page(
    from: Iterable<Item>,
    prefix: string,
    { predicate, limit = 0 }: ListOptions,
    revision: number,
    remaining: (lastKey: string) => number,
  ): ListResult {
    const all = predicate === undefined || predicate.everything;
    const items: Item[] = [];
    for (const item of from) {
      if (!all && !predicate.matches(item)) continue;
      if (limit > 0 && items.length === limit) {
        const last = items[limit - 1].key;
        return {
          items,
          revision,
          continue: encodeContinue(revision, prefix, last),
          remaining: all ? remaining(last) : undefined,
        };
      }
      items.push(item);
    }
    return { items, revision };
  }

  async watch(prefix: string, options: WatchOptions): Promise<Watcher> {
    await this.#load();
    const { resourceVersion = "", predicate, allowWatchBookmarks = false, sendInitialEvents } = options;
    const watcher = new CacheWatcher(prefix, predicate, {
      signal: options.signal,
      bookmarks: allowWatchBookmarks,
      onStop: (w) => this.#forget(w),
    });
    const revision = Number(resourceVersion || "0");
    const fromState = sendInitialEvents ?? revision === 0;
    if (fromState) {
      if (resourceVersion === "") await this.#waitForCurrent();
      else if (revision > 0) await this.#waitFor(revision);
      this.#sendState(watcher, sendInitialEvents === true && allowWatchBookmarks);
    } else {
      watcher.startedAt = sendInitialEvents === false && resourceVersion === "" ? this.#revision : revision;
      await this.#sendMissed(watcher, watcher.startedAt);
    }
    if (!options.signal.aborted) this.#remember(watcher);
    return watcher;
  }

  #sendState(watcher: CacheWatcher, mark: boolean): void {
    watcher.startedAt = this.#revision;
    const { prefix, predicate } = watcher;
    for (const item of this.#index.scan(prefix, endOfPrefix(prefix))) {
      if (predicate === undefined || predicate.everything || predicate.matches(item)) {
        watcher.push({ type: "ADDED", item });
      }
    }
    if (mark) watcher.push({ type: "BOOKMARK", revision: this.#revision, initialEventsEnd: true });
  }

  /** Changes between where the watch starts and now, out of the window or the engine's log. */
  async #sendMissed(watcher: CacheWatcher, after: number): Promise<void> {
    if (after >= this.#revision) return;
    if (after >= this.#windowStart) {
      for (const event of this.#window) watcher.offer(event);
      watcher.startedAt = this.#revision;
      return;
    }
    const compacted = await this.#backend.compactRevision();
    if (after < compacted) {
      return watcher.fail(expiredError(`too old resource version: ${after} (${compacted})`));
    }
    const upTo = this.#revision;
    for (const event of this.#readLog(watcher.prefix, after)) if (event.revision <= upTo) watcher.offer(event);
    watcher.startedAt = upTo;
    // What came while the log was read is in the window.
    for (const event of this.#window) watcher.offer(event);
    watcher.startedAt = this.#revision;
  }

  #readLog(prefix: string, after: number): CacheEvent[] {
    const events: CacheEvent[] = [];
    const parse = (key: string, revision: number, value: string | undefined) =>
      value === undefined ? undefined : StoredItem.parse(key, revision, value, this.#attributesOf);
    const subscription = this.#backend.watch(prefix, after, (changes) => {
      for (const { type, key, value, revision, prevRevision, prevValue } of changes) {
        const item = type === "put" ? parse(key, revision, value) : undefined;
        events.push(new CacheEvent(key, revision, item, parse(key, prevRevision, prevValue)));
      }
    }, (error) => {
      if (error !== undefined) throw internalError(error.message);
    });
    subscription.stop();
    return events;
  }

  #remember(watcher: CacheWatcher): void {
    this.#watchers.add(watcher);
    if (!watcher.bookmarks || this.#bookmarkTimer !== undefined) return;
    this.#bookmarkTimer = setInterval(() => {
      for (const w of this.#watchers) if (w.bookmarks) w.push({ type: "BOOKMARK", revision: this.#revision });
    }, BOOKMARK_EVERY_MS);
    Deno.unrefTimer(this.#bookmarkTimer as unknown as number);
  }

  #forget(watcher: CacheWatcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    clearInterval(this.#bookmarkTimer);
    this.#bookmarkTimer = undefined;
  }

  async create(key: string, object: KubeObject, options: { ttl?: number } = {}): Promise<Item> {
    if (!this.#isReady) await this.#load();
    return await this.#store.create(key, object, options);
  }

  async delete(
    key: string,
    options: {
      preconditions?: Preconditions;
      validate?: (current: KubeObject, item: Item) => void | Promise<void>;
      suggestion?: Item;
    } = {},
  ): Promise<Item> {
    if (!this.#isReady) await this.#load();
    return await this.#store.delete(key, { ...options, suggestion: options.suggestion ?? this.#index.get(key) });
  }

  async guaranteedUpdate(
    key: string,
    update: (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>,
    options: { ignoreNotFound?: boolean; preconditions?: Preconditions; suggestion?: Item } = {},
  ): Promise<Item> {
    if (!this.#isReady) await this.#load();
    return await this.#store.guaranteedUpdate(key, update, {
      ...options,
      suggestion: options.suggestion ?? this.#index.get(key),
    });
  }

  async count(prefix: string): Promise<number> {
    await this.#load();
    return this.#index.count(prefix, endOfPrefix(prefix));
  }

  async currentRevision(): Promise<number> {
    await this.#load();
    return this.#revision;
  }
}
