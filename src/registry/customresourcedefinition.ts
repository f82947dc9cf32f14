// Deleting a CustomResourceDefinition: it is first marked as terminating, and goes once its objects are gone.
import { setCondition } from "../apis/apiextensions/conditions.ts";
import { CLEANUP_FINALIZER, type CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import { now } from "../machinery/time.ts";
import type { RequestContext } from "../apis/context.ts";
import type { DeleteHooks } from "./delete.ts";
import { checkPreconditions } from "./preconditions.ts";
import { keyOf } from "./keys.ts";
import { type DeleteOptions, objectOf } from "./rest.ts";
import { interpretStorageError } from "./storage_errors.ts";
import { Store } from "./store.ts";

export class CustomResourceDefinitionStore extends Store {
  override async delete(
    context: RequestContext,
    name: string,
    options: DeleteOptions,
    hooks: DeleteHooks,
  ): ReturnType<Store["delete"]> {
    const crd = objectOf(await this.get(context, name, {}));
    checkPreconditions(this.config.resource, crd, options.preconditions);
    const { deletionTimestamp, uid } = crd.metadata;
    // What was created under the name in the meantime is not meant.
    const meant = { ...options, preconditions: { uid, ...options.preconditions } };
    if (deletionTimestamp !== undefined) return await super.delete(context, name, meant, hooks);
    return await this.#terminate(context, name, meant, hooks);
  }

  async #terminate(
    context: RequestContext,
    name: string,
    { preconditions }: DeleteOptions,
    { dryRun, validate }: DeleteHooks,
  ): ReturnType<Store["delete"]> {
    try {
      const outcome = await this.config.storage.guaranteedUpdate(keyOf(this.config, context, name), async (object) => {
        await validate?.(object);
        markAsTerminating(object as CustomResourceDefinition);
        return { object };
      }, { preconditions, dryRun });
      return { result: outcome, deleted: false };
    } catch (e) {
      throw interpretStorageError(e, "update", { resource: this.config.resource, name });
    }
  }
}

function markAsTerminating(crd: CustomResourceDefinition): void {
  crd.metadata.deletionTimestamp ??= now();
  const finalizers = crd.metadata.finalizers ??= [];
  if (!finalizers.includes(CLEANUP_FINALIZER)) finalizers.push(CLEANUP_FINALIZER);
  setCondition(crd, {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  });
}
