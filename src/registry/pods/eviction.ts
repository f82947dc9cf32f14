// Eviction: deleting a pod unless that takes more pods of an application away than its disruption budget allows (KEP-85).
import type { Pod } from "../../apis/core/pod.ts";
import type { PodDisruptionBudget } from "../../apis/policy/poddisruptionbudget.ts";
import { updateManagedFields } from "../../machinery/apply/mod.ts";
import { clone } from "../../machinery/clone.ts";
import { badRequestError, hasReason, invalidError, unknownError } from "../../machinery/errors.ts";
import { invalid, path } from "../../machinery/field_error.ts";
import { labelSelectorOf, SelectorError } from "../../machinery/selectors/mod.ts";
import { now } from "../../machinery/time.ts";
import { apiVersionOf, type GroupVersionKind, type KubeObject } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import { checkDeletePreconditions } from "../preconditions.ts";
import { type CreateOptions, type DeleteOptions, objectOf, type ResourceStorage, type Result } from "../rest.ts";
import type { Store } from "../store.ts";
import { statusStrategy } from "../strategy.ts";
import { setPodCondition } from "./conditions.ts";
import { spend, stillProcessed } from "./disruption.ts";

const EVICTION: GroupVersionKind = { group: "policy", version: "v1", kind: "Eviction" };
const EVICTED = {
  type: "DisruptionTarget",
  status: "True",
  reason: "EvictionByEvictionAPI",
  message: "Eviction API: evicting",
};

/** Conflicts with other writers are met by starting again, so many times. */
const ATTEMPTS = 20;

/** Who the server is in managedFields. */
const MANAGER = "kube-apiserver";

/** `pods/eviction` */
export class EvictionStore implements ResourceStorage {
  readonly kind = EVICTION;
  readonly acceptedVersions = ["policy/v1", "policy/v1beta1"];

  constructor(readonly pods: Store, readonly budgets: Store) {}

  async create(context: RequestContext, name: string, eviction: KubeObject, options: CreateOptions): Promise<Result> {
    if (name !== eviction.metadata.name) throw badRequestError("name in URL does not match name in Eviction object");
    const asked = deleteOptionsOf(name, eviction, options);
    await options.validate?.(eviction);
    const guarded = await this.#deleteUnguarded(context, name, asked);
    if (guarded !== undefined) await this.#deleteGuarded(context, guarded, asked);
    return { object: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" } };
  }

  /** Deletes a pod that no budget counts on; any other is left and given back. */
  async #deleteUnguarded(context: RequestContext, name: string, options: DeleteOptions): Promise<Pod | undefined> {
    const retries = options.preconditions?.resourceVersion === undefined;
    for (let attempt = 1;; attempt++) {
      const pod = objectOf(await this.pods.get(context, name, {})) as Pod;
      const over = isOver(pod);
      if (!over && pod.status?.phase !== "Pending") return pod;
      try {
        return await this.#delete(context, name, over ? options : asRead(pod, options));
      } catch (error) {
        if (!retries || attempt === ATTEMPTS || !hasReason(error, "Conflict")) throw error;
      }
    }
  }

  async #deleteGuarded(context: RequestContext, pod: Pod, options: DeleteOptions): Promise<void> {
    const name = pod.metadata.name!;
    const budget = await this.#budgetOf(context, pod);
    if (budget === undefined) return await this.#delete(context, name, options);
    if (!isReady(pod) && mayGoUnready(budget)) {
      const exact = asRead(pod, options);
      try {
        return await this.#delete(context, name, exact);
      } catch (error) {
        // It changed meanwhile, and may be ready now.
        throw exact !== options && hasReason(error, "Conflict") ? stillProcessed(budget) : error;
      }
    }
    await this.#spend(context, budget, name, isDryRun(options));
    await this.#delete(context, name, options);
  }

  /** The one budget that the pod is under. Throws a 500 when there are more. */
  async #budgetOf(context: RequestContext, pod: Pod): Promise<PodDisruptionBudget | undefined> {
    const { items } = await this.budgets.list(context, {});
    const matching = items.map((item) => item.object() as PodDisruptionBudget).filter((b) => covers(b, pod));
    if (matching.length <= 1) return matching[0];
    throw unknownError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }

  async #spend(context: RequestContext, { metadata }: KubeObject, pod: string, dryRun: boolean): Promise<void> {
    const { definition, type, gvk } = this.budgets.config;
    const strategy = statusStrategy(definition);
    const transform = async (current: KubeObject | undefined) => {
      const object = clone(current!);
      spend(object as PodDisruptionBudget, pod);
      await updateManagedFields({
        type,
        apiVersion: apiVersionOf(gvk),
        live: current,
        manager: MANAGER,
        subresource: "status",
        now: now(),
        resetFields: strategy.resetFields,
        convert: () => Promise.resolve(undefined),
      }, object);
      return object;
    };
    await this.budgets.updateWith(strategy, context, metadata.name!, { transform, options: { options: {}, dryRun } });
  }

  async #delete(context: RequestContext, name: string, options: DeleteOptions): Promise<undefined> {
    const dryRun = isDryRun(options);
    let { preconditions } = options;
    if (!dryRun) {
      const marked = await this.#mark(context, name, options);
      if (preconditions?.resourceVersion !== undefined) {
        preconditions = { ...preconditions, resourceVersion: marked.metadata.resourceVersion };
      }
    }
    await this.pods.delete(context, name, { ...options, preconditions }, { dryRun });
  }

  /** Says on the pod why it goes. */
  async #mark(context: RequestContext, name: string, { preconditions }: DeleteOptions): Promise<KubeObject> {
    const { definition, gvk } = this.pods.config;
    const { result } = await this.pods.updateWith(statusStrategy(definition), context, name, {
      transform(current) {
        checkDeletePreconditions(gvk, current!, preconditions);
        const pod = clone(current as Pod & KubeObject);
        setPodCondition(pod.status ??= {}, EVICTED);
        return pod;
      },
      options: { options: {}, dryRun: false },
    });
    return objectOf(result);
  }
}

/** What the eviction says about the deletion; a dry run may be asked for inside or by the request. */
function deleteOptionsOf(name: string, { deleteOptions }: KubeObject, { options }: CreateOptions): DeleteOptions {
  const field = "ignoreStoreReadErrorWithClusterBreakingPotential";
  if (deleteOptions?.[field]) {
    const detail = "can not be set for pod eviction, try after removing the option";
    throw invalidError(EVICTION, name, [invalid(path("deleteOptions", field), true, detail)]);
  }
  const inside: string[] = deleteOptions?.dryRun ?? [], outside = options.dryRun as string[] | undefined ?? [];
  if (inside.length > 0 && outside.length > 0 && inside.join() !== outside.join()) {
    throw unknownError(
      `Non-matching dry-run options in request and content: [${outside.join(" ")}] and [${inside.join(" ")}]`,
    );
  }
  return { ...deleteOptions, dryRun: inside.length > 0 ? inside : outside };
}

function isDryRun({ dryRun = [] }: DeleteOptions): boolean {
  return dryRun.includes("All");
}

/** The same deletion, of the pod only as it was read. */
function asRead({ metadata }: Pod, options: DeleteOptions): DeleteOptions {
  if (options.preconditions?.resourceVersion !== undefined) return options;
  return { ...options, preconditions: { ...options.preconditions, resourceVersion: metadata.resourceVersion } };
}

/** Its end disrupts nobody any more. */
function isOver({ metadata, status }: Pod): boolean {
  const phase = status?.phase;
  return phase === "Succeeded" || phase === "Failed" || metadata.deletionTimestamp !== undefined;
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/** Whether pods that are not ready are let go without the budget having to allow it (KEP-3017). */
function mayGoUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** A budget whose selector cannot be used is over no pod. */
function covers({ spec }: PodDisruptionBudget, pod: Pod): boolean {
  try {
    return labelSelectorOf(spec?.selector)?.matches(pod.metadata.labels) ?? false;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
