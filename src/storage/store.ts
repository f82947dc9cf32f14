// storage.Interface over a key-value engine: objects to canonical JSON and back, compare-and-set loops, preconditions.
import type { KubeObject } from "../machinery/types.ts";
import {
  type AttributesOf,
  type Backend,
  type GetOptions,
  type Interface,
  type Item,
  type KeyValue,
  type ListOptions,
  type ListResult,
  type Preconditions,
  StorageError,
  type UpdateResult,
  type Watcher,
  type WatchOptions,
} from "./interface.ts";
import { PendingItem, StoredItem } from "./item.ts";
import { decodeContinue, encodeContinue, endOfPrefix } from "./paging.ts";

export interface StoreOptions {
  backend: Backend;
  attributesOf: AttributesOf;
  /** Canonical JSON of an object: `kind`, `apiVersion` and `metadata` first, metadata in its order. */
  encode?: (object: KubeObject) => string;
}

/** Everything but watch, which the cacher offers. */
export class Store implements Omit<Interface, "watch"> {
  readonly #backend: Backend;
  readonly #attributesOf: AttributesOf;
  readonly #encode: (object: KubeObject) => string;

  constructor({ backend, attributesOf, encode = JSON.stringify }: StoreOptions) {
    this.#backend = backend;
    this.#attributesOf = attributesOf;
    this.#encode = encode;
  }

  async create(key: string, object: KubeObject, { ttl }: { ttl?: number } = {}): Promise<Item> {
    if (object.metadata.resourceVersion) {
      throw new StorageError("InvalidObject", key, "resourceVersion should not be set on objects to be created");
    }
    const pending = this.#pending(key, object);
    const result = await this.#backend.put(key, pending.stored, { expected: 0, ttl, tag: pending });
    if (result.ok) return pending.at(result.revision);
    throw keyExists(key, result.current?.revision);
  }

  async get(key: string, _options: GetOptions = {}): Promise<Item> {
    const found = await this.#backend.get(key);
    if (found === undefined) throw keyNotFound(key);
    return this.itemOf(found);
  }

  itemOf({ key, value, revision }: KeyValue): StoredItem {
    return StoredItem.parse(key, revision, value, this.#attributesOf);
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const { predicate, limit = 0 } = options;
    const from = options.continue ? decodeContinue(options.continue, prefix) : undefined;
    const exact = options.resourceVersionMatch === "Exact" ? Number(options.resourceVersion) : undefined;
    const { items, revision } = await this.#backend.range(from?.start ?? prefix, endOfPrefix(prefix), {
      revision: from?.revision ?? exact,
    });
    const wanted: Item[] = [];
    for (let i = 0; i < items.length; i++) {
      const item = this.itemOf(items[i]);
      if (predicate !== undefined && !predicate.matches(item)) continue;
      wanted.push(item);
      if (wanted.length === limit && i + 1 < items.length) {
        return {
          items: wanted,
          revision,
          continue: encodeContinue(revision, prefix, item.key),
          remaining: predicate === undefined || predicate.everything ? items.length - i - 1 : undefined,
        };
      }
    }
    return { items: wanted, revision };
  }

  async delete(
    key: string,
    options: {
      preconditions?: Preconditions;
      validate?: (current: KubeObject, item: Item) => void | Promise<void>;
      suggestion?: Item;
    } = {},
  ): Promise<Item> {
    let current = (options.suggestion as StoredItem | undefined) ?? await this.#read(key);
    for (;;) {
      if (current === undefined) throw keyNotFound(key);
      checkPreconditions(key, current, options.preconditions);
      await options.validate?.(current.object(), current);
      const result = await this.#backend.delete(key, { expected: current.revision, tag: current });
      if (result.ok) return current.withRevision(result.revision);
      current = result.current && this.itemOf(result.current);
    }
  }

  async guaranteedUpdate(
    key: string,
    update: (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>,
    options: { ignoreNotFound?: boolean; preconditions?: Preconditions; suggestion?: Item } = {},
  ): Promise<Item> {
    let current = (options.suggestion as StoredItem | undefined) ?? await this.#read(key);
    for (;;) {
      if (current === undefined && !options.ignoreNotFound) throw keyNotFound(key);
      if (current !== undefined) checkPreconditions(key, current, options.preconditions);
      const { object, ttl } = await update(current?.object() ?? emptyObject(), current);
      const pending = this.#pending(key, object);
      if (current !== undefined && ttl === undefined && pending.stored === current.stored()) return current;
      const expected = current?.revision ?? 0;
      const result = await this.#backend.put(key, pending.stored, { expected, ttl, tag: pending });
      if (result.ok) return pending.at(result.revision);
      current = result.current && this.itemOf(result.current);
    }
  }

  count(prefix: string): Promise<number> {
    return this.#backend.count(prefix);
  }

  currentRevision(): Promise<number> {
    return this.#backend.currentRevision();
  }

  async #read(key: string): Promise<StoredItem | undefined> {
    const found = await this.#backend.get(key);
    return found && this.itemOf(found);
  }

  #pending(key: string, object: KubeObject): PendingItem {
    const { resourceVersion } = object.metadata;
    if (resourceVersion !== undefined) delete object.metadata.resourceVersion;
    const stored = this.#encode(object);
    return new PendingItem(key, stored, this.#attributesOf(object), object.metadata.uid !== undefined);
  }
}

function emptyObject(): KubeObject {
  return { kind: "", apiVersion: "", metadata: {} };
}

export function keyNotFound(key: string): StorageError {
  return new StorageError("KeyNotFound", key, `key not found: ${key}`);
}

export function keyExists(key: string, revision = 0): StorageError {
  return new StorageError("KeyExists", key, `key exists: ${key}`, revision);
}

/** Throws InvalidObject with the words of the real server. */
export function checkPreconditions(key: string, item: Item, preconditions: Preconditions | undefined): void {
  if (preconditions?.uid === undefined && preconditions?.resourceVersion === undefined) return;
  const { uid, resourceVersion } = preconditions;
  const is = item.object().metadata.uid ?? "";
  if (uid !== undefined && uid !== is) {
    throw new StorageError(
      "InvalidObject",
      key,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${is}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== String(item.revision)) {
    throw new StorageError(
      "InvalidObject",
      key,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${item.revision}`,
    );
  }
}

export type { Watcher, WatchOptions };
