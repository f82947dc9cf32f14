// Dry runs: writes that do everything but write (`?dryRun=All`).
import { clone } from "../machinery/clone.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { Interface, Item, Preconditions, UpdateResult } from "./interface.ts";
import { StorageError } from "./interface.ts";
import { checkPreconditions } from "./preconditions.ts";
import { storageError } from "./storage_errors.ts";
import { emptyObject } from "./store.ts";

type UpdateFunction = (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>;

/** What a write answers: an item, or in a dry run the object that would have been written. */
export type Outcome = { item: Item } | { object: KubeObject };

/** The writes of storage.Interface with a `dryRun` switch; reads go to `storage` itself. */
export class DryRunStorage {
  /** @param comeBack what storing and reading an object makes of it: a dry run answers that */
  constructor(
    readonly storage: Interface,
    readonly comeBack: (object: KubeObject) => KubeObject | Promise<KubeObject> = clone,
  ) {}

  async create(key: string, object: KubeObject, options: { ttl?: number; dryRun: boolean }): Promise<Outcome> {
    if (!options.dryRun) return { item: await this.storage.create(key, object, options) };
    if (await this.#find(key) !== undefined) throw storageError("KeyExists", key);
    return { object: await this.comeBack(object) };
  }

  async delete(
    key: string,
    options: {
      preconditions?: Preconditions;
      validate?: (current: KubeObject, item: Item) => void | Promise<void>;
      dryRun: boolean;
    },
  ): Promise<Outcome> {
    if (!options.dryRun) return { item: await this.storage.delete(key, options) };
    const item = await this.#find(key);
    if (item === undefined) throw storageError("KeyNotFound", key);
    const object = item.object();
    checkPreconditions(belowRoot(key), options.preconditions, object);
    await options.validate?.(object, item);
    return { object };
  }

  async guaranteedUpdate(
    key: string,
    update: UpdateFunction,
    options: { ignoreNotFound?: boolean; preconditions?: Preconditions; dryRun: boolean },
  ): Promise<Outcome> {
    if (!options.dryRun) return { item: await this.storage.guaranteedUpdate(key, update, options) };
    const item = await this.#find(key);
    if (item === undefined && !options.ignoreNotFound) throw storageError("KeyNotFound", key);
    const current = item?.object() ?? emptyObject();
    checkPreconditions(belowRoot(key), options.preconditions, current);
    const { object } = await update(current, item);
    if (item !== undefined) object.metadata.resourceVersion = String(item.revision);
    return { object: await this.comeBack(object) };
  }

  async #find(key: string): Promise<Item | undefined> {
    try {
      return await this.storage.get(key);
    } catch (e) {
      if (e instanceof StorageError && e.code === "KeyNotFound") return undefined;
      throw e;
    }
  }
}

/** A key as messages of dry runs tell it: what lies above all resources is put before keys by what is not asked here. */
function belowRoot(key: string): string {
  return key.slice(key.indexOf("/", 1));
}
