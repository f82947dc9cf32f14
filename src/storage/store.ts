// Interface over a Backend: objects in, items out, optimistic concurrency, no memory of its own.
import { parseExactly } from "../machinery/big_integers.ts";
import { expiredError, internalError, tooLargeResourceVersionError, unknownError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import { EventQueue } from "./event_queue.ts";
import {
  type AttributesOf,
  type Backend,
  type BackendWatch,
  type Change,
  CompactedError,
  type GetOptions,
  type Interface,
  type Item,
  type KeyValue,
  type ListOptions,
  type ListResult,
  type Preconditions,
  type UpdateResult,
  type Value,
  type Watcher,
  type WatchOptions,
} from "./interface.ts";
import { type Attributes, StoredItem } from "./item.ts";
import { prefixEnd } from "./key_range.ts";
import { listExpiredError, listPage, type ListRequest, listRequest } from "./list_options.ts";
import { checkPreconditions } from "./preconditions.ts";
import { parseResourceVersion } from "./resource_version.ts";
import { addedEvents, EVERYTHING, type ItemChange, selectEvent } from "./selection.ts";
import { storageError } from "./storage_errors.ts";
import { layoutOf, type TextLayout } from "./text.ts";
import { Turns } from "./turns.ts";
import { sameValue } from "./value.ts";

/** Makes the text of an object; members in the order of the kind's schema. */
export type Encode = (object: KubeObject) => string;

export interface StoreOptions {
  /** What the keys of the resource start with, ending in `/`. */
  prefix: string;
  attributesOf: AttributesOf;
  /** JSON.stringify unless given. */
  encode?: Encode;
  /** What else there may be than JSON as it is written here; undefined: nothing. */
  form?: StoredForm;
  /** A crash may lose the last seconds of writes (never tear one, never hand out its revision again). */
  relaxedDurability?: boolean;
}

/** Other forms of objects, which somebody else may have stored (protobuf, other versions of a kind). */
export interface StoredForm {
  /** Reads bytes that are no JSON. Throws an Error for what it does not know. */
  decode(value: Uint8Array): KubeObject;
  /** Writes such bytes; undefined: what is written is JSON. */
  encode?(object: KubeObject): Uint8Array;
  /** The object as it would be stored now; undefined: it is so already. */
  upgrade(object: KubeObject): KubeObject | undefined;
}

/** An object on its way into the database. */
interface Prepared {
  value: Value;
  stored: string;
  layout: TextLayout;
  attributes: Attributes;
  /** Set once its revision is known. */
  item?: StoredItem;
}

type Validate = (current: KubeObject, item: Item) => void | Promise<void>;

export class Store implements Interface {
  readonly prefix: string;
  readonly #backend: Backend;
  readonly #attributesOf: AttributesOf;
  readonly #encode: Encode;
  readonly #form: StoredForm | undefined;
  readonly #relaxed: boolean;
  /** By key: several writers may want the same one. */
  readonly #pending = new Map<string, Prepared[]>();

  constructor(backend: Backend, options: StoreOptions) {
    this.#backend = backend;
    this.prefix = options.prefix;
    this.#attributesOf = options.attributesOf;
    this.#encode = options.encode ?? JSON.stringify;
    this.#form = options.form;
    this.#relaxed = options.relaxedDurability ?? false;
  }

  /** The item of a stored value. One that this process wrote itself is not parsed again. */
  itemOf({ key, value, revision, stale = false }: KeyValue): StoredItem {
    const pending = this.#pending.get(key)?.find((prepared) => sameValue(prepared.value, value));
    if (pending !== undefined) return itemOfPrepared(key, revision, pending);
    const item = this.#decoded(key, value, revision);
    if (this.#isStale({ value, stale })) item.stale = true;
    return item;
  }

  /** Whether a value is stored in another form than it would be written in now. */
  #isStale({ value, stale = false }: Pick<KeyValue, "value" | "stale">): boolean {
    return stale || (typeof value === "string") !== (this.#form?.encode === undefined);
  }

  #decoded(key: string, value: Value, revision: number): StoredItem {
    const object = this.#parse(key, value), upgraded = this.#form?.upgrade(object);
    if (typeof value === "string" && upgraded === undefined) {
      const layout = layoutOf(value);
      if (layout !== undefined) return StoredItem.fromStored(key, revision, value, layout, this.#attributesOf(object));
    }
    const { stored, layout, attributes } = this.#prepare(upgraded ?? object);
    const item = StoredItem.fromStored(key, revision, stored, layout, attributes);
    if (upgraded !== undefined) item.stale = true;
    return item;
  }

  #parse(key: string, value: Value): KubeObject {
    if (typeof value === "string") return parseExactly(value);
    if (this.#form === undefined) throw internalError(`the value of ${key} in the storage is no JSON`);
    return this.#form.decode(value);
  }

  async create(key: string, object: KubeObject, options: { ttl?: number } = {}): Promise<Item> {
    const version = object.metadata.resourceVersion;
    if (version !== undefined && version !== "" && version !== "0") {
      throw unknownError("resourceVersion should not be set on objects to be created");
    }
    const { item } = await this.#put(key, object, { expected: 0, ttl: options.ttl });
    if (item === undefined) throw storageError("KeyExists", key);
    return item;
  }

  async get(key: string, options: GetOptions = {}): Promise<Item> {
    const atLeast = parseResourceVersion(options.resourceVersion ?? "");
    const found = await this.#backend.get(key);
    if (atLeast > 0) await this.#checkReached(atLeast);
    if (found === undefined) throw storageError("KeyNotFound", key);
    return this.itemOf(found);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const request = listRequest(prefix, options);
    if (request.revision > 0) await this.#checkReached(request.revision);
    try {
      return await this.#list(prefix, request, options);
    } catch (error) {
      throw error instanceof CompactedError ? listExpiredError(prefix, request) : error;
    }
  }

  async watch(prefix: string, options: WatchOptions): Promise<Watcher> {
    const { resourceVersion = "", sendInitialEvents, predicate = EVERYTHING } = options;
    let after = parseResourceVersion(resourceVersion);
    const initial: Item[] = [];
    if (sendInitialEvents || (after === 0 && sendInitialEvents === undefined)) {
      const list = await this.list(prefix, { predicate });
      initial.push(...list.items);
      if (after > list.revision) throw tooLargeResourceVersionError(after, list.revision, 1);
      after = list.revision;
    } else if (after === 0) after = await this.#backend.currentRevision();
    let watch: BackendWatch | undefined = undefined;
    const queue = new EventQueue(options.signal, () => watch?.stop());
    queue.pushInitial(addedEvents(initial));
    if (sendInitialEvents && options.allowWatchBookmarks) {
      queue.push({ type: "BOOKMARK", revision: after, initialEventsEnd: true });
    }
    const recursive = prefix.endsWith("/");
    watch = this.#backend.watch(
      prefix,
      after,
      (changes) => {
        for (const change of changes) {
          if (!recursive && change.key !== prefix) continue;
          const event = selectEvent(this.changeOf(change), predicate);
          if (event !== undefined) queue.push(event);
        }
      },
      (error) => error === undefined ? queue.finish() : queue.fail(watchError(error, after)),
      { previous: true },
    );
    if (queue.ended) watch.stop();
    return queue;
  }

  /** A change of the log with the items of both sides; the log must have been asked for previous values. */
  changeOf(change: Change): ItemChange {
    const { key, revision, prevRevision, prevValue } = change;
    const previous = prevValue === undefined
      ? undefined
      : this.itemOf({ key, value: prevValue, revision: prevRevision });
    if (change.type === "delete") {
      return { type: "DELETED", item: previous!.withRevision(revision), previous, events: {} };
    }
    return { type: previous === undefined ? "ADDED" : "MODIFIED", item: this.itemOf(change), previous, events: {} };
  }

  async delete(
    key: string,
    options: { preconditions?: Preconditions; validate?: Validate; suggestion?: Item } = {},
  ): Promise<Item> {
    let item = options.suggestion as StoredItem | undefined, sure = false;
    while (true) {
      if (item === undefined) {
        item = await this.get(key) as StoredItem;
        sure = true;
      }
      try {
        const object = options.preconditions || options.validate ? item.object() : undefined;
        if (object !== undefined) checkPreconditions(key, options.preconditions, object);
        if (options.validate !== undefined) await options.validate(object!, item);
      } catch (error) {
        if (sure) throw error;
        const newest = await this.get(key) as StoredItem;
        if (newest.revision === item.revision) throw error;
        item = newest;
        sure = true;
        continue;
      }
      const result = await this.#backend.delete(key, { expected: item.revision, relaxed: this.#relaxed });
      if (result.ok) return item.withRevision(result.revision);
      if (result.current === undefined) throw storageError("KeyNotFound", key);
      item = this.itemOf(result.current);
      sure = true;
    }
  }

  async guaranteedUpdate(
    key: string,
    update: (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>,
    options: { ignoreNotFound?: boolean; preconditions?: Preconditions; suggestion?: Item } = {},
  ): Promise<Item> {
    const read = () => this.#find(key, options.ignoreNotFound ?? false);
    let item = options.suggestion as StoredItem | undefined, sure = false;
    if (item === undefined) {
      item = await read();
      sure = true;
    }
    while (true) {
      let result: UpdateResult;
      try {
        const object = item?.object() ?? emptyObject();
        checkPreconditions(key, options.preconditions, object);
        const updated = update(object, item);
        result = updated instanceof Promise ? await updated : updated;
      } catch (error) {
        if (sure) throw error;
        const newest = await read();
        if (newest?.revision === item?.revision) throw error;
        item = newest;
        sure = true;
        continue;
      }
      const written = await this.#put(key, result.object, {
        expected: item?.revision ?? 0,
        ttl: result.ttl,
        item,
        sure,
      });
      if (written.item !== undefined) return written.item;
      if (written.current === undefined && !options.ignoreNotFound) throw storageError("KeyNotFound", key);
      item = written.current && this.itemOf(written.current);
      sure = true;
    }
  }

  count(prefix: string): Promise<number> {
    return this.#backend.count(prefix);
  }

  currentRevision(): Promise<number> {
    return this.#backend.currentRevision();
  }

  /** Writes unless that changes nothing or what is stored is not what was expected. */
  async #put(
    key: string,
    object: KubeObject,
    options: { expected: number; ttl?: number; item?: StoredItem; sure?: boolean },
  ): Promise<{ item?: Item; current?: KeyValue }> {
    const prepared = this.#prepare(object);
    if (options.item?.stored() === prepared.stored) {
      const { item } = options;
      // The cache does not know in which form an item is stored now.
      const current = options.sure ? undefined : await this.#backend.get(key);
      if (!options.sure && current?.revision !== item.revision) return { current };
      const stale = current === undefined ? item.stale : this.#isStale(current);
      if (!stale) return { item };
    }
    const pending = this.#pending.get(key) ?? [];
    if (pending.push(prepared) === 1) this.#pending.set(key, pending);
    try {
      const { expected, ttl } = options;
      const result = await this.#backend.put(key, prepared.value, { expected, ttl, relaxed: this.#relaxed });
      return result.ok ? { item: itemOfPrepared(key, result.revision, prepared) } : { current: result.current };
    } finally {
      if (pending.length === 1) this.#pending.delete(key);
      else pending.splice(pending.indexOf(prepared), 1);
    }
  }

  #prepare(object: KubeObject): Prepared {
    object.metadata.resourceVersion = undefined;
    let stored = this.#encode(object), layout = layoutOf(stored);
    if (layout === undefined) {
      const { kind, apiVersion, metadata, ...rest } = object;
      stored = JSON.stringify({ kind, apiVersion, metadata, ...rest });
      layout = layoutOf(stored);
    }
    if (layout === undefined) throw unknownError("an object without kind, apiVersion or metadata cannot be stored");
    return { value: this.#form?.encode?.(object) ?? stored, stored, layout, attributes: this.#attributesOf(object) };
  }

  async #find(key: string, ignoreNotFound: boolean): Promise<StoredItem | undefined> {
    const found = await this.#backend.get(key);
    if (found !== undefined) return this.itemOf(found);
    if (!ignoreNotFound) throw storageError("KeyNotFound", key);
    return undefined;
  }

  async #list(prefix: string, request: ListRequest, options: ListOptions): Promise<ListResult> {
    const { predicate = EVERYTHING } = options;
    const whole = prefix.endsWith("/");
    const end = whole ? prefixEnd(prefix) : prefix + "\0";
    const exact = request.consistency === "exact";
    const items: Item[] = [], turns = new Turns();
    let start = request.start ?? prefix, revision = exact ? request.revision : 0;
    while (true) {
      const page = await this.#backend.range(start, end, {
        revision: revision || undefined,
        limit: request.limit === Infinity ? undefined : request.limit,
      });
      revision ||= page.revision;
      for (let i = 0; i < page.items.length; i++) {
        if (turns.over) await turns.othersFirst();
        const item = this.itemOf(page.items[i]);
        if (predicate.everything || predicate.matches(item)) items.push(item);
        if (items.length < request.limit) continue;
        const more = page.more || i + 1 < page.items.length;
        const remaining = predicate.everything ? page.count - i - 1 : undefined;
        return listPage(items, { prefix, revision, more, remaining });
      }
      if (!page.more) return listPage(items, { prefix, revision, more: false });
      start = page.items[page.items.length - 1].key + "\0";
    }
  }

  async #checkReached(revision: number): Promise<void> {
    const current = await this.#backend.currentRevision();
    if (revision > current) throw tooLargeResourceVersionError(revision, current, 1);
  }
}

/** The one item of a write, whoever asks first: its writer or those that are told of the change. */
function itemOfPrepared(key: string, revision: number, prepared: Prepared): StoredItem {
  const { item, stored, layout, attributes } = prepared;
  if (item?.revision === revision) return item;
  return prepared.item = StoredItem.fromStored(key, revision, stored, layout, attributes);
}

/** What an update function gets when nothing is stored. */
export function emptyObject(): KubeObject {
  return { kind: "", apiVersion: "", metadata: {} };
}

/** What a watch is told that cannot go on. */
export function watchError(error: Error, after: number): Error {
  if (!(error instanceof CompactedError)) return error;
  return expiredError(`too old resource version: ${after} (${error.compactRevision})`);
}
