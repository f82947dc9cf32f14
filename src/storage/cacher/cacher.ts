// Interface that answers reads of one resource from memory. It loads the resource when first asked, follows the
// backend's changes from there on, and hands every write through to the store.
import { tooLargeResourceVersionError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import {
  type Backend,
  type BackendWatch,
  type Change,
  CompactedError,
  type GetOptions,
  type Interface,
  type Item,
  type ListOptions,
  type ListResult,
  type Preconditions,
  type Predicate,
  type UpdateResult,
  type Watcher,
  type WatchOptions,
} from "../interface.ts";
import type { StoredItem } from "../item.ts";
import { prefixEnd } from "../key_range.ts";
import { listPage, type ListRequest, listRequest } from "../list_options.ts";
import { parseResourceVersion } from "../resource_version.ts";
import { EVERYTHING, type ItemChange } from "../selection.ts";
import { storageError } from "../storage_errors.ts";
import type { Store } from "../store.ts";
import { Turns } from "../turns.ts";
import { newCounts } from "./counts.ts";
import { Demand } from "./demand.ts";
import { FieldIndex, INDEXED_FIELDS } from "./field_index.ts";
import { OrderedItems } from "./ordered_items.ts";
import { Subscriptions } from "./subscriptions.ts";
import { startWatch } from "./watch.ts";
import { KEPT, Window } from "./window.ts";

export interface CacherOptions {
  /** Changes kept for watches to resume from without reading history. */
  windowSize?: number;
  /** Milliseconds that a read waits for a revision that is not there yet; 3000 unless given. */
  revisionTimeout?: number;
  /** Watches from before this revision are refused: the resource was not served yet. */
  since?: number;
  /** Told of the seconds that a read waited for the cache to catch up. */
  onWait?: (seconds: number) => void;
}

/** How often it looks when nothing of this resource happens. */
const LOOK_AGAIN = 20;

/** What is in memory once the resource has been loaded. */
export interface Loaded {
  items: Map<string, StoredItem>;
  /** The length of their texts. */
  bytes: number;
  ordered: OrderedItems;
  indexes: readonly FieldIndex[];
  window: Window;
  watch: BackendWatch;
}

export class Cacher implements Interface {
  readonly store: Store;
  readonly subscriptions: Subscriptions;
  readonly options: CacherOptions;
  readonly counts = newCounts();
  readonly #backend: Backend;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;
  #bookmarks: ReturnType<typeof setInterval> | undefined;
  readonly #waiting = new Set<() => void>();
  readonly #demand = new Demand();
  #closed = false;

  constructor(backend: Backend, store: Store, options: CacherOptions = {}) {
    this.#backend = backend;
    this.store = store;
    this.options = options;
    this.subscriptions = new Subscriptions(store.prefix);
  }

  /** Ends every watch and forgets everything. */
  close(): void {
    this.#closed = true;
    this.#reset();
  }

  create(key: string, object: KubeObject, options?: { ttl?: number }): Promise<Item> {
    // What expires is written for the record and seldom read.
    if (options?.ttl === undefined) this.#noteCreate();
    return this.store.create(key, object, options);
  }

  delete(
    key: string,
    options: {
      preconditions?: Preconditions;
      validate?: (current: KubeObject, item: Item) => void | Promise<void>;
    } = {},
  ): Promise<Item> {
    return this.#suggested(key, (suggestion) => this.store.delete(key, { ...options, suggestion }));
  }

  guaranteedUpdate(
    key: string,
    update: (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>,
    options: { ignoreNotFound?: boolean; preconditions?: Preconditions; suggestion?: Item } = {},
  ): Promise<Item> {
    return this.#suggested(
      key,
      (suggestion) => this.store.guaranteedUpdate(key, update, suggestion ? { ...options, suggestion } : options),
    );
  }

  /** Writes what is in memory under a key, which may be out of date. */
  #suggested(key: string, write: (suggestion: Item | undefined) => Promise<Item>): Promise<Item> {
    if (this.#loaded === undefined) this.#noteSingleRead();
    else this.#demand.noteRead();
    return write(this.#loaded?.items.get(key));
  }

  getCached(key: string): Item | null | undefined {
    this.#demand.noteRead();
    if (this.#loaded === undefined || this.#backend.appliedRevision === undefined) return undefined;
    return this.#loaded.items.get(key) ?? null;
  }

  listCached(prefix: string): Item[] | undefined {
    this.#demand.noteRead();
    if (this.#loaded === undefined || this.#backend.appliedRevision === undefined) return undefined;
    const items: Item[] = [];
    if (this.#loaded.items.size === 0) return items;
    this.#loaded.ordered.scan(prefix, prefixEnd(prefix), (item) => items.push(item) > 0);
    return items;
  }

  async get(key: string, options: GetOptions = {}): Promise<Item> {
    const { resourceVersion = "" } = options;
    const revision = parseResourceVersion(resourceVersion);
    if (this.#loaded === undefined && resourceVersion === "") {
      this.#noteSingleRead();
      return await this.store.get(key, options);
    }
    const loaded = await this.load();
    if (resourceVersion === "") await this.#catchUp(loaded);
    else if (revision > 0) await this.#reach(loaded, revision);
    const item = loaded.items.get(key);
    if (item === undefined) throw storageError("KeyNotFound", key);
    return item;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const request = listRequest(prefix, options);
    const loaded = await this.load();
    const { consistency, revision } = request;
    if (consistency === "newest") {
      await this.#catchUp(loaded);
      this.counts.consistentReads++;
    } else if (revision > 0) await this.#reach(loaded, revision);
    const present = loaded.watch.progress();
    if (consistency === "exact" && revision < present) {
      // What has been compacted is gone, even where the window still has it: clients wait for the end of their tokens.
      const compacted = revision < await this.#backend.compactRevision();
      if (compacted || revision < loaded.window.start) return this.store.list(prefix, options);
      return pastPage(loaded, prefix, request, options);
    }
    return this.#presentPage(loaded, prefix, request, options);
  }

  #presentPage(loaded: Loaded, prefix: string, request: ListRequest, options: ListOptions): ListResult {
    const { predicate = EVERYTHING } = options;
    const index = loaded.indexes.find(({ field }) => predicate.requiresField(field) !== undefined);
    const counts = index === undefined ? this.counts.lists : this.counts.indexedLists;
    const { fetched, page } = index === undefined
      ? presentPage(loaded, prefix, request, predicate)
      : indexedPage(loaded, index, prefix, request, predicate);
    counts.count++;
    counts.fetched += fetched;
    counts.returned += page.items.length;
    return page;
  }

  async watch(prefix: string, options: WatchOptions): Promise<Watcher> {
    const revision = parseResourceVersion(options.resourceVersion ?? "");
    const loaded = await this.load();
    const fresh = options.sendInitialEvents && !options.resourceVersion;
    if (fresh) await this.#catchUp(loaded);
    let failure: Error | undefined;
    if (options.sendInitialEvents && revision > 0) {
      failure = await this.#reach(loaded, revision).then(() => undefined, (error) => error);
    }
    const watcher = startWatch(this, loaded, prefix, { ...options, after: revision, failure });
    this.#keepBookmarks();
    return watcher;
  }

  async count(prefix: string): Promise<number> {
    const loaded = await this.load();
    await this.#catchUp(loaded);
    return loaded.ordered.count(prefix, prefixEnd(prefix));
  }

  currentRevision(): Promise<number> {
    return this.#backend.currentRevision();
  }

  /** What is in memory, read first when this is the first time. */
  load(): Promise<Loaded> | Loaded {
    this.#demand.noteRead();
    return this.#loadOnce();
  }

  #loadOnce(): Promise<Loaded> | Loaded {
    if (this.#loaded !== undefined) return this.#loaded;
    return this.#loading ??= this.#load().finally(() => this.#loading = undefined);
  }

  /** One object is about to be read or changed, and is not in memory: that is not waited for. */
  #noteSingleRead(): void {
    if (!this.#demand.noteSingleRead() || this.#loading !== undefined) return;
    // Whoever cannot do without is told why.
    Promise.resolve(this.#loadOnce()).catch(() => this.#demand.noteFailure());
  }

  #noteCreate(): void {
    if (this.#loaded !== undefined) {
      if (this.#demand.isTooMuch(this.#loaded.bytes)) this.#reset();
    } else if (this.#demand.noteCreate() && this.#loading === undefined) {
      // Nobody has asked for it: who does so meets the error and is told.
      this.#loadFew().catch(() => {});
    }
  }

  async #loadFew(): Promise<void> {
    if (this.#demand.isWorth(await this.#backend.count(this.store.prefix))) await this.#loadOnce();
  }

  /** How many objects there are; undefined: they are not in memory. */
  get size(): number | undefined {
    return this.#loaded?.items.size;
  }

  /** Bytes of all objects as JSON, as long as none has other letters than ASCII; undefined: they are not in memory. */
  get bytes(): number | undefined {
    return this.#loaded?.bytes;
  }

  /** The revision that it is at; undefined: it is not in memory. */
  get progress(): number | undefined {
    return this.#loaded?.watch.progress();
  }

  /** Changes that are kept at most. */
  get capacity(): number {
    return 2 * (this.options.windowSize ?? KEPT);
  }

  /** The backend, for watches from before the window. */
  get backend(): Backend {
    return this.#backend;
  }

  async #load(): Promise<Loaded> {
    while (true) {
      if (this.#closed) throw closedError();
      const { prefix } = this.store;
      const { items: values, revision } = await this.#backend.range(prefix, prefixEnd(prefix));
      const sorted: StoredItem[] = [], items = new Map<string, StoredItem>();
      const indexes: readonly FieldIndex[] = INDEXED_FIELDS.map((field) => new FieldIndex(field));
      const turns = new Turns();
      let bytes = 0;
      for (const value of values) {
        if (turns.over) await turns.othersFirst();
        const item = this.store.itemOf(value);
        sorted.push(item);
        items.set(item.key, item);
        bytes += item.text.length;
        for (const index of indexes) index.replace(undefined, item);
      }
      const loaded = {
        items,
        bytes,
        ordered: OrderedItems.from(sorted),
        indexes,
        window: new Window(revision, this.options.windowSize),
      } as Loaded;
      if (await this.#follow(loaded, revision)) return loaded;
    }
  }

  /** Takes in every change from `revision` on; false when history is gone already and the state has to be read anew. */
  async #follow(loaded: Loaded, revision: number): Promise<boolean> {
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {});
    loaded.watch = this.#backend.watch(
      this.store.prefix,
      revision,
      (changes) => this.#apply(loaded, changes),
      (error) => {
        if (this.#loaded === loaded) this.#reset();
        else failed.reject(error ?? closedError());
      },
    );
    try {
      while (true) {
        const present = this.#backend.appliedRevision ?? await this.#backend.currentRevision();
        if (loaded.watch.progress() >= present) break;
        await Promise.race([this.#reach(loaded, present), failed.promise]);
      }
    } catch (error) {
      loaded.watch.stop();
      if (error instanceof CompactedError) return false;
      throw error;
    }
    if (this.#closed) {
      loaded.watch.stop();
      throw closedError();
    }
    this.#loaded = loaded;
    this.counts.loads++;
    return true;
  }

  #apply(loaded: Loaded, changes: readonly Change[]): void {
    this.counts.eventsReceived += changes.length;
    for (const change of changes) {
      const applied = this.#applyOne(loaded, change);
      if (applied === undefined) continue;
      loaded.window.push(applied);
      if (this.subscriptions.size === 0) continue;
      this.counts.eventsDispatched++;
      this.subscriptions.dispatch(applied);
    }
    for (const look of this.#waiting) look();
  }

  #applyOne(loaded: Loaded, change: Change): ItemChange | undefined {
    const { key } = change, previous = loaded.items.get(key);
    if (change.type === "delete") {
      if (previous === undefined) return undefined;
      loaded.items.delete(key);
      loaded.bytes -= previous.text.length;
      loaded.ordered.delete(key);
      for (const index of loaded.indexes) index.replace(previous, undefined);
      return { type: "DELETED", item: previous.withRevision(change.revision), previous, events: {} };
    }
    const item = this.store.itemOf(change);
    loaded.items.set(key, item);
    loaded.bytes += item.text.length - (previous?.text.length ?? 0);
    loaded.ordered.set(item);
    for (const index of loaded.indexes) index.replace(previous, item);
    return { type: previous === undefined ? "ADDED" : "MODIFIED", item, previous, events: {} };
  }

  /** Waits until nothing that was acknowledged before is missing. */
  #catchUp(loaded: Loaded): Promise<void> | undefined {
    if (this.#backend.appliedRevision !== undefined) return undefined;
    return this.#backend.currentRevision().then((revision) => this.#reach(loaded, revision));
  }

  /** Waits until the cache is not older than `revision`. Throws "Too large resource version" after a while. */
  #reach(loaded: Loaded, revision: number): Promise<void> {
    if (loaded.watch.progress() >= revision) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = performance.now(), deadline = start + (this.options.revisionTimeout ?? 3000);
    const look = () => {
      const progress = loaded.watch.progress();
      if (progress >= revision) resolve();
      else if (performance.now() >= deadline) reject(tooLargeResourceVersionError(revision, progress, 1));
      else loaded.watch.requestProgress?.();
    };
    loaded.watch.requestProgress?.();
    const timer = setInterval(look, LOOK_AGAIN);
    this.#waiting.add(look);
    return promise.finally(() => {
      clearInterval(timer);
      this.#waiting.delete(look);
      this.options.onWait?.((performance.now() - start) / 1000);
    });
  }

  /** Once a minute, for as long as somebody wants to know how far the resource is. */
  #keepBookmarks(): void {
    if (this.#bookmarks !== undefined) return;
    this.#bookmarks = setInterval(() => {
      const revision = this.#loaded?.watch.progress();
      if (this.subscriptions.size === 0 || revision === undefined) {
        clearInterval(this.#bookmarks);
        this.#bookmarks = undefined;
        return;
      }
      for (const { bookmarks, queue } of this.subscriptions) {
        if (!bookmarks) continue;
        queue.push({ type: "BOOKMARK", revision });
        this.counts.bookmarks++;
      }
    }, BOOKMARK_INTERVAL).unref();
  }

  #reset(): void {
    this.#loaded?.watch.stop();
    this.#loaded = undefined;
    clearInterval(this.#bookmarks);
    this.#bookmarks = undefined;
    for (const { queue } of [...this.subscriptions]) queue.finish();
  }
}

function closedError(): Error {
  return new Error("the storage is closed");
}

/** Milliseconds between bookmarks of a watch. */
const BOOKMARK_INTERVAL = 60_000;

interface Page {
  /** How many objects were looked at. */
  fetched: number;
  page: ListResult;
}

/** A page of what is there now. */
function presentPage(loaded: Loaded, prefix: string, request: ListRequest, predicate: Predicate): Page {
  const { limit } = request, { start, end } = bounds(prefix, request);
  const items: Item[] = [];
  let more = false, fetched = 0;
  loaded.ordered.scan(start, end, (item) => {
    if (items.length === limit) {
      more = true;
      return false;
    }
    fetched++;
    if (predicate.everything || predicate.matches(item)) items.push(item);
    return true;
  });
  const remaining = more && predicate.everything
    ? loaded.ordered.count(items[items.length - 1].key + "\0", end)
    : undefined;
  return { fetched, page: listPage(items, { prefix, revision: loaded.watch.progress(), more, remaining }) };
}

/** The same, of objects with the one value of a field that the selector asks for. */
function indexedPage(
  loaded: Loaded,
  index: FieldIndex,
  prefix: string,
  request: ListRequest,
  predicate: Predicate,
): Page {
  const { limit } = request, { start, end } = bounds(prefix, request);
  const keys = index.find(predicate.requiresField(index.field)!, start, end);
  const items: Item[] = [];
  let next = 0;
  for (; next < keys.length && items.length < limit; next++) {
    const item = loaded.items.get(keys[next])!;
    if (predicate.matches(item)) items.push(item);
  }
  const revision = loaded.watch.progress();
  return { fetched: next, page: listPage(items, { prefix, revision, more: next < keys.length }) };
}

/** A page of what was there at a revision inside the window: the present with later changes taken back. */
function pastPage(loaded: Loaded, prefix: string, request: ListRequest, options: ListOptions): ListResult {
  const { predicate = EVERYTHING } = options, { limit, revision } = request;
  const { start, end } = bounds(prefix, request);
  const before = loaded.window.before(revision);
  const present: StoredItem[] = [];
  loaded.ordered.scan(start, end, (item) => {
    if (!before.has(item.key)) present.push(item);
    return true;
  });
  const back = [...before.values()].filter((item) => item !== undefined && item.key >= start && item.key < end);
  const all = back.length === 0 ? present : present.concat(back as StoredItem[]).sort((a, b) => a.key < b.key ? -1 : 1);
  const items: Item[] = [];
  let next = 0;
  for (; next < all.length && items.length < limit; next++) {
    if (predicate.everything || predicate.matches(all[next])) items.push(all[next]);
  }
  const remaining = predicate.everything ? all.length - next : undefined;
  return listPage(items, { prefix, revision, more: next < all.length, remaining });
}

function bounds(prefix: string, request: ListRequest): { start: string; end: string } {
  const end = prefix.endsWith("/") ? prefixEnd(prefix) : prefix + "\0";
  return { start: request.start ?? prefix, end };
}
