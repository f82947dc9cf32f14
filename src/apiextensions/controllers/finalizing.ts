// A CRD that is being deleted: its objects are deleted first, and once the last of them is gone the CRD goes too.
import { type Condition, isConditionTrue, setCondition } from "../../apis/apiextensions/conditions.ts";
import { CLEANUP_FINALIZER, type CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { ResourceStorage } from "../../registry/rest.ts";

/** How long objects with finalizers of their own are waited for at a time. */
const WAIT_MS = 60_000;

/** What would be their objects are the server's own. */
const OVERLAPPING = new Set(["apiservices.apiregistration.k8s.io", "customresourcedefinitions.apiextensions.k8s.io"]);

export interface FinalizingOptions {
  /** The objects of a CRD, served or not; undefined when it has none. */
  instancesOf(crd: CustomResourceDefinition): ResourceStorage | undefined;
  /** Writes metadata.finalizers and status; undefined when the CRD has changed or gone. */
  write(crd: CustomResourceDefinition): Promise<CustomResourceDefinition | undefined>;
  context: RequestContext;
}

/** Whether the deletion of this CRD waits for its objects to go. */
export function needsFinalizing({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(CLEANUP_FINALIZER);
}

/** False when somebody else wrote the CRD meanwhile. Throws when objects are left: to be tried again. */
export async function finalize(options: FinalizingOptions, crd: CustomResourceDefinition): Promise<boolean> {
  setCondition(crd, terminating("True", "InstanceDeletionInProgress", "CustomResource deletion is in progress"));
  const current = await options.write(crd);
  if (current === undefined) return false;
  if (OVERLAPPING.has(current.metadata.name!)) {
    setCondition(
      current,
      terminating("False", "OverlappingBuiltInResource", "instances overlap with built-in resources in storage"),
    );
  } else if (isConditionTrue(current, "Established")) {
    try {
      await deleteInstances(options, current);
    } catch (e) {
      if (!(e instanceof InstancesLeft) || options.context.signal.aborted) throw e;
      setCondition(current, terminating("True", e.reason, e.message));
      await options.write(current);
      throw e;
    }
    setCondition(current, terminating("False", "InstanceDeletionCompleted", "removed all instances"));
  } else {
    setCondition(current, terminating("False", "NeverEstablished", "resource was never established"));
  }
  current.metadata.finalizers = current.metadata.finalizers?.filter((f) => f !== CLEANUP_FINALIZER);
  return await options.write(current) !== undefined;
}

function terminating(status: Condition["status"], reason: string, message: string): Condition {
  return { type: "Terminating", status, reason, message };
}

class InstancesLeft extends Error {
  constructor(readonly reason: string, message: string) {
    super(message);
  }
}

async function deleteInstances({ instancesOf, context }: FinalizingOptions, crd: CustomResourceDefinition) {
  const instances = instancesOf(crd);
  if (instances === undefined) return;
  const list = () =>
    instances.list!(context, {}).catch((e) => {
      throw new InstancesLeft("InstanceDeletionFailed", `could not list instances: ${e.message}`);
    });
  const { items } = await list();
  const failures: unknown[] = [];
  for (const namespace of new Set(items.map((item) => item.fields["metadata.namespace"] ?? ""))) {
    await instances.deleteCollection!({ ...context, namespace }, {}, {}, { dryRun: false })
      .catch((e) => failures.push(e));
  }
  if (failures.length > 0) {
    const { message } = new AggregateFailure(failures);
    throw new InstancesLeft("InstanceDeletionFailed", `could not issue all deletes: ${message}`);
  }
  await waitUntilGone(instances, context);
}

/** Returns when there is no object left, told by a watch. */
async function waitUntilGone(instances: ResourceStorage, context: RequestContext): Promise<void> {
  const { items, revision } = await instances.list!(context, {});
  const left = new Set(items.map((item) => item.key));
  if (left.size === 0) return;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(WAIT_MS)]);
  const watcher = await instances.watch!(context, { resourceVersion: String(revision), signal });
  for await (const events of watcher) {
    for (const event of events) {
      if (event.type === "ERROR") throw event.error;
      if (event.type === "DELETED") left.delete(event.item.key);
      if (event.type === "ADDED") left.add(event.item.key);
    }
    if (left.size === 0) return;
  }
  throw new InstancesLeft(
    "InstanceDeletionCheck",
    "could not confirm zero CustomResources remaining: context deadline exceeded",
  );
}
