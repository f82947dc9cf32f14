// Deleting a namespace: it is first marked as terminating, and goes once its finalizers of both kinds are gone.
import { now } from "../machinery/time.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { RequestContext } from "../apis/context.ts";
import { type DeleteOptions, objectOf, type ValidateObject } from "./rest.ts";
import { Store } from "./store.ts";
import type { StoreConfig } from "./config.ts";
import { checkPreconditions } from "./preconditions.ts";
import { keyOf } from "./keys.ts";
import { interpretStorageError } from "./storage_errors.ts";

export class NamespaceStore extends Store {
  constructor(config: StoreConfig) {
    super({
      ...config,
      hooks: { ...config.hooks, mayDeleteDuringUpdate: (object) => (object.spec?.finalizers ?? []).length === 0 },
    });
  }

  override async delete(
    context: RequestContext,
    name: string,
    options: DeleteOptions,
    hooks: { dryRun: boolean; validate?: ValidateObject },
  ): ReturnType<Store["delete"]> {
    const result = await this.get(context, name, {});
    const namespace = objectOf(result);
    checkPreconditions(this.config.resource, namespace, options.preconditions);
    // The conditions under which it goes are those of every object, once it is empty.
    if (namespace.metadata.deletionTimestamp === undefined) {
      return await this.#terminate(context, name, options, hooks);
    }
    if ((namespace.spec?.finalizers ?? []).length === 0) return await super.delete(context, name, options, hooks);
    return { result, deleted: false };
  }

  async #terminate(
    context: RequestContext,
    name: string,
    options: DeleteOptions,
    { dryRun, validate }: { dryRun: boolean; validate?: ValidateObject },
  ): ReturnType<Store["delete"]> {
    let open: (() => void) | undefined;
    try {
      const outcome = await this.config.storage.guaranteedUpdate(keyOf(this.config, context, name), async (object) => {
        await validate?.(object);
        if (!dryRun) open ??= await this.config.namespaceGate?.close(name);
        object.metadata.deletionTimestamp ??= now();
        object.status = { ...object.status, phase: "Terminating" };
        this.#keepGarbageFinalizers(object, options);
        return { object };
      }, { preconditions: options.preconditions, dryRun });
      return { result: outcome, deleted: false };
    } catch (e) {
      throw interpretStorageError(e, "delete", { resource: this.config.resource, name });
    } finally {
      open?.();
    }
  }

  /** Only `orphan` matters to a namespace: what is in it would stay. */
  #keepGarbageFinalizers({ metadata }: KubeObject, { orphanDependents, propagationPolicy }: DeleteOptions): void {
    const orphan = orphanDependents ?? propagationPolicy === "Orphan";
    const rest = (metadata.finalizers ?? []).filter((f) => f !== "orphan");
    const wanted = orphan ? [...rest, "orphan"] : rest;
    if (wanted.length > 0) metadata.finalizers = wanted;
    else delete metadata.finalizers;
  }
}
