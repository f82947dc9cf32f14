// Deleting a priority class: those of the system stay, whether they are there or not. Deleting a collection takes them,
// as with kube-apiserver.
import { isSystemPriorityClass } from "../apis/scheduling/priorityclass.ts";
import { forbiddenError } from "../machinery/errors.ts";
import type { RequestContext } from "../apis/context.ts";
import type { DeleteHooks } from "./delete.ts";
import type { DeleteOptions } from "./rest.ts";
import { Store } from "./store.ts";

export class PriorityClassStore extends Store {
  override async delete(
    context: RequestContext,
    name: string,
    options: DeleteOptions,
    hooks: DeleteHooks,
  ): ReturnType<Store["delete"]> {
    if (isSystemPriorityClass(name)) {
      throw forbiddenError(this.config.resource, name, "this is a system priority class and cannot be deleted");
    }
    return await super.delete(context, name, options, hooks);
  }
}
