// Dry runs: writes that do everything but write (`?dryRun=All`).
import type { KubeObject } from "../machinery/types.ts";
import type { Interface, Item, Preconditions, UpdateResult } from "./interface.ts";
import { checkPreconditions, keyExists, keyNotFound } from "./store.ts";
import { StorageError } from "./interface.ts";

type UpdateFunction = (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>;

/** What a write answers: an item, or in a dry run the object that would have been written. */
export type Outcome = { item: Item } | { object: KubeObject };

/** The writes of storage.Interface with a `dryRun` switch; reads go to `storage` itself. */
export class DryRunStorage {
  constructor(readonly storage: Interface) {}

  async create(key: string, object: KubeObject, options: { ttl?: number; dryRun: boolean }): Promise<Outcome> {
    if (!options.dryRun) return { item: await this.storage.create(key, object, options) };
    if (await this.#find(key) !== undefined) throw keyExists(key);
    return { object };
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
    if (item === undefined) throw keyNotFound(key);
    checkPreconditions(key, item, options.preconditions);
    const object = item.object();
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
    if (item === undefined && !options.ignoreNotFound) throw keyNotFound(key);
    if (item !== undefined) checkPreconditions(key, item, options.preconditions);
    const { object } = await update(item?.object() ?? { kind: "", apiVersion: "", metadata: {} }, item);
    if (item !== undefined) object.metadata.resourceVersion = String(item.revision);
    return { object };
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
