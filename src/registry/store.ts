// The generic Store: a resource over storage, with the words of k8s.io/apiserver's registry. Each operation that writes
// is a file of its own beside this one.
import type { Strategy } from "../apis/kind.ts";
import { sideBySide } from "../machinery/side_by_side.ts";
import type { GroupVersionKind, KubeObject } from "../machinery/types.ts";
import type { ListOptions, ListResult, Watcher, WatchOptions } from "../storage/interface.ts";
import type { Outcome } from "../storage/mod.ts";
import type { StoreConfig } from "./config.ts";
import type { RequestContext } from "../apis/context.ts";
import { createObject } from "./create.ts";
import { deletedStatus, type DeleteHooks, deleteObject, type Deletion } from "./delete.ts";
import { collectionPrefix, keyOf } from "./keys.ts";
import {
  type CreateOptions,
  type DeleteOptions,
  objectOf,
  type ResourceStorage,
  type Result,
  type Transform,
  type UpdateOptions,
} from "./rest.ts";
import { interpretStorageError } from "./storage_errors.ts";
import { updateObject } from "./update.ts";
import { badRequestError, hasReason } from "../machinery/errors.ts";
import { InvalidResourceVersion } from "../storage/resource_version.ts";

/** Objects listed at a time while a collection is deleted. */
const DELETE_PAGE = 10_000;

export class Store implements ResourceStorage {
  readonly kind: GroupVersionKind;
  readonly resetFields?: readonly (readonly string[])[];

  constructor(readonly config: StoreConfig) {
    this.kind = config.gvk;
    this.resetFields = config.strategy.resetFields;
  }

  create(
    context: RequestContext,
    _name: string,
    object: KubeObject,
    options: CreateOptions,
  ): Promise<Result> {
    return createObject(this.config, context, object, options);
  }

  get(context: RequestContext, name: string, options: { resourceVersion?: string }): Result | Promise<Result> {
    const key = keyOf(this.config, context, name);
    if (!options.resourceVersion) {
      const item = this.config.storage.storage.getCached?.(key);
      if (item) return { item };
    }
    return this.#read(key, name, options);
  }

  async #read(key: string, name: string, options: { resourceVersion?: string }): Promise<Result> {
    try {
      return { item: await this.config.storage.storage.get(key, options) };
    } catch (e) {
      // Resources that are not watched out of memory are read by another way, which words it differently.
      if (e instanceof InvalidResourceVersion && this.config.ttl !== undefined) {
        throw badRequestError(`invalid resource version: ${e.message}`);
      }
      throw interpretStorageError(e, "get", { resource: this.config.resource, name });
    }
  }

  async list(context: RequestContext, options: ListOptions): Promise<ListResult> {
    const { storage, resource } = this.config;
    try {
      return await storage.storage.list(this.#prefix(context, options), options);
    } catch (e) {
      throw interpretStorageError(e, "list", { resource, name: "" });
    }
  }

  watch(context: RequestContext, options: WatchOptions): Promise<Watcher> {
    return this.config.storage.storage.watch(this.#prefix(context, options), options);
  }

  /** One object alone where a field selector names it. */
  #prefix(context: RequestContext, options: ListOptions | WatchOptions): string {
    const name = options.predicate?.requiresField("metadata.name");
    const single = name !== undefined && name !== "" && !("continue" in options && options.continue);
    if (single && (context.namespace !== "" || !this.config.namespaced)) {
      return keyOf(this.config, context, name);
    }
    return collectionPrefix(this.config, context);
  }

  update(
    context: RequestContext,
    name: string,
    transform: Transform,
    options: UpdateOptions,
  ): Promise<{ result: Result; created: boolean }> {
    return this.updateWith(this.config.strategy, context, name, { transform, options });
  }

  /** An update under the rules of a subresource. */
  updateWith(
    strategy: Strategy,
    context: RequestContext,
    name: string,
    { transform, options }: { transform: Transform; options: UpdateOptions },
  ): Promise<{ result: Result; created: boolean }> {
    return updateObject(this.config, context, name, { strategy, transform, options });
  }

  async delete(
    context: RequestContext,
    name: string,
    options: DeleteOptions,
    hooks: DeleteHooks,
  ): Promise<{ result: Result; deleted: boolean }> {
    this.#warnOfDefault(context, options);
    const deletion = await deleteObject(this.config, context, name, options, hooks);
    return { result: this.#answer(deletion), deleted: deletion.deleted };
  }

  #warnOfDefault(context: RequestContext, { propagationPolicy, orphanDependents }: DeleteOptions): void {
    const warning = this.config.definition.defaultDeletionWarning;
    if (warning === undefined || propagationPolicy !== undefined || orphanDependents !== undefined) return;
    context.addWarning(warning);
  }

  #answer(deletion: Deletion): Outcome {
    const { outcome } = deletion;
    if (!deletion.deleted || deletion.answersObject) return outcome;
    return { object: deletedStatus(this.config, deletion.last ?? objectOf(outcome)) };
  }

  async deleteCollection(
    context: RequestContext,
    options: DeleteOptions,
    listOptions: ListOptions,
    hooks: DeleteHooks,
  ): Promise<ListResult> {
    this.#warnOfDefault(context, options);
    const first = await this.list(context, { ...listOptions, limit: listOptions.limit || DELETE_PAGE });
    await this.#deleteItems(context, first, options, hooks);
    if (listOptions.limit) return first;
    let { continue: next } = first;
    const items = [...first.items];
    while (next !== undefined) {
      const page = await this.list(context, {
        ...listOptions,
        resourceVersion: "",
        resourceVersionMatch: "",
        limit: DELETE_PAGE,
        continue: next,
      });
      await this.#deleteItems(context, page, options, hooks);
      items.push(...page.items);
      next = page.continue;
    }
    return { items, revision: first.revision };
  }

  /** Some at a time; what went meanwhile is no error. The first error ends it. */
  async #deleteItems(
    context: RequestContext,
    { items }: ListResult,
    options: DeleteOptions,
    hooks: DeleteHooks,
  ): Promise<void> {
    await sideBySide(items, Math.max(this.config.deleteCollectionWorkers, 16), async ({ fields }) => {
      const inside = { ...context, namespace: fields["metadata.namespace"] ?? "" };
      try {
        await deleteObject(this.config, inside, fields["metadata.name"], options, hooks);
      } catch (e) {
        if (!hasReason(e, "NotFound")) throw e;
      }
    });
  }
}
