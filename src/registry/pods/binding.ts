// Binding a pod to a node: the one way in which schedulers set spec.nodeName.
import type { Pod } from "../../apis/core/pod.ts";
import { badRequestError, conflictError, unknownError } from "../../machinery/errors.ts";
import { aggregate, type FieldError } from "../../machinery/field_error.ts";
import type { GroupVersionKind, KubeObject } from "../../machinery/types.ts";
import { collect } from "../../machinery/validation/field.ts";
import type { RequestContext } from "../../apis/context.ts";
import { keyOf } from "../keys.ts";
import type { CreateOptions, ResourceStorage, Result } from "../rest.ts";
import { interpretStorageError } from "../storage_errors.ts";
import type { Store } from "../store.ts";
import { setPodCondition } from "./conditions.ts";

const BINDING: GroupVersionKind = { group: "", version: "v1", kind: "Binding" };
const CONFLICTS = { group: "", resource: "pods/binding" };

/** `pods/binding` */
export class BindingStore implements ResourceStorage {
  readonly kind = BINDING;

  constructor(readonly pods: Store) {}

  async create(context: RequestContext, name: string, binding: KubeObject, options: CreateOptions): Promise<Result> {
    if (name !== binding.metadata.name) throw badRequestError("name in URL does not match name in Binding object");
    const problems = validateTarget(binding.target ?? {});
    if (problems.length > 0) throw unknownError(aggregate(problems));
    await options.validate?.(binding);
    await this.#assign(context, name, binding, options.dryRun);
    return { object: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" } };
  }

  async #assign(context: RequestContext, name: string, binding: KubeObject, dryRun: boolean): Promise<void> {
    const { config } = this.pods;
    const { uid, resourceVersion } = binding.metadata;
    const preconditions = { uid: uid || undefined, resourceVersion: resourceVersion || undefined };
    try {
      await config.storage.guaranteedUpdate(keyOf(config, context, name), (pod) => {
        bind(pod as Pod, binding);
        return { object: pod };
      }, { preconditions, dryRun });
    } catch (error) {
      throw interpretStorageError(error, "update", { resource: config.resource, name });
    }
  }
}

function validateTarget({ kind = "", name = "" }: { kind?: string; name?: string }): FieldError[] {
  return collect((root) => {
    const at = root.child("target");
    if (kind !== "" && kind !== "Node") at.child("kind").notSupportedInOrder(kind, ["Node", "<empty>"]);
    if (name === "") at.child("name").required();
  });
}

/** Throws 409 for a pod that cannot be bound now. */
function bind(pod: Pod, binding: KubeObject): void {
  const { metadata } = pod, spec = pod.spec ??= { containers: [] }, status = pod.status ??= {};
  const name = metadata.name!;
  if (metadata.deletionTimestamp !== undefined) {
    throw conflictError(CONFLICTS, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec.nodeName) {
    throw conflictError(CONFLICTS, name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  if (spec.schedulingGates?.length) {
    throw conflictError(CONFLICTS, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  spec.nodeName = binding.target.name;
  delete status.nominatedNodeName;
  for (const member of ["annotations", "labels"] as const) {
    if (binding.metadata[member]) metadata[member] = { ...metadata[member], ...binding.metadata[member] };
  }
  setPodCondition(status, { type: "PodScheduled", status: "True" });
}

/** `bindings`: the collection that older schedulers post to. */
export function legacyBindings(pods: () => Store): ResourceStorage {
  return {
    kind: BINDING,
    create: (context, _name, binding, options) =>
      new BindingStore(pods()).create(context, binding.metadata.name ?? "", binding, options),
  };
}
