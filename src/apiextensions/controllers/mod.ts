// What becomes of a CustomResourceDefinition once it is stored: its names are settled, it is established, its conditions
// are kept, and when it is deleted its objects go first. Every step writes the status as any client would.
import { isCommunityGroup } from "../../apis/apiextensions/api_approval.ts";
import { findCondition, isConditionTrue } from "../../apis/apiextensions/conditions.ts";
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import { controllerContext } from "../../controllers/informer.ts";
import { WorkQueue } from "../../controllers/work_queue.ts";
import { later } from "../../later.ts";
import { hasReason } from "../../machinery/errors.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { ResourceStorage } from "../../registry/rest.ts";
import type { CrdInformer } from "../crd_informer.ts";
import { checkApiApproval } from "./api_approval.ts";
import { establish } from "./establishing.ts";
import { finalize, needsFinalizing } from "./finalizing.ts";
import { NameRegistry } from "./naming.ts";

const NAME = "crd-controller";
const FINALIZING_WORKERS = 5;
/** How soon to look again at a CRD that was changed by somebody else while it was worked on. */
const CONFLICT_RETRY_MS = 100;

export interface CrdControllersOptions {
  informer: CrdInformer;
  /** Writes the status (and finalizers) of a CRD as the server's own client. */
  updateStatus(crd: CustomResourceDefinition): Promise<CustomResourceDefinition>;
  /** The objects of a CRD, whether it is served or not; undefined when it cannot have any. */
  instancesOf(crd: CustomResourceDefinition): ResourceStorage | undefined;
  /** Work that failed and will be tried again. */
  onError(crd: string, error: unknown): void;
}

/** To be called when the informer starts; runs until the signal ends. */
export function startCrdControllers(options: CrdControllersOptions, signal: AbortSignal): void {
  const { informer, updateStatus, instancesOf, onError } = options;
  const names = new NameRegistry();
  const write = async (crd: CustomResourceDefinition) => {
    try {
      return await updateStatus(crd);
    } catch (e) {
      // Whoever was faster brings it back.
      if (hasReason(e, "NotFound") || hasReason(e, "Conflict")) return undefined;
      throw e;
    }
  };
  const steps: ((crd: CustomResourceDefinition) => boolean | Promise<boolean>)[] = [
    (crd) => names.resolve(crd),
    later(async () => (await import("./non_structural.ts")).checkStructure),
    checkApiApproval,
    establish,
  ];
  // One at a time, so that no name is given to two.
  const statuses: WorkQueue = new WorkQueue({
    workers: 1,
    process: async (name) => {
      let crd = informer.get(name);
      for (const step of steps) {
        if (crd === undefined) return;
        if (!await step(crd)) continue;
        crd = await write(crd);
        if (crd !== undefined) informer.wrote(crd);
      }
    },
    onError,
  }, signal);
  // What the finalizer itself writes must not start it again.
  const finalizing = new Set<string>();
  const deletions: WorkQueue = new WorkQueue({
    workers: FINALIZING_WORKERS,
    process: async (name) => {
      const crd = informer.get(name);
      if (crd === undefined || !needsFinalizing(crd)) return;
      const done = await finalize({ instancesOf, write, context: controllerContext(NAME, signal) }, crd);
      if (!done) deletions.addAfter(name, CONFLICT_RETRY_MS);
    },
    onError,
  }, signal);
  informer.addHandler({
    changed(crd) {
      const name = crd.metadata.name!;
      const freed = names.put(crd);
      if (!isSettled(crd)) statuses.add(name);
      for (const other of freed) statuses.add(other);
      if (needsFinalizing(crd) && !finalizing.has(name)) {
        finalizing.add(name);
        deletions.add(name);
      }
    },
    deleted(name) {
      finalizing.delete(name);
      for (const other of names.delete(name)) statuses.add(other);
    },
  });
}

/** Whether no step has anything to do, as for nearly every CRD that is told of: it need not be read again. */
function isSettled(crd: CustomResourceDefinition): boolean {
  const { spec = {}, status = {} } = crd;
  return deepEqual(spec.names, status.acceptedNames) && isConditionTrue(crd, "Established") &&
    !isCommunityGroup(spec.group ?? "") && !spec.preserveUnknownFields &&
    findCondition(crd, "NonStructuralSchema") === undefined;
}
