// Pods: containers that live and end together on one node.
import type { KubeObject } from "../../machinery/types.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import type { KindDefinition } from "../kind.ts";
import { POD_COLUMNS, podRowConditions } from "./pod_columns.ts";
import { dropInitContainerAnnotations, setPodDefaults } from "./pod_spec/defaults.ts";

export type Pod = KubeObject & v1.Pod;

const rules = new LaterModule(() => import("./pod_rules.ts"));

/** podIP and the first of podIPs are the same; where they differ, the one that older clients know counts. */
function alignPodIPs(status: v1.PodStatus): void {
  const { podIP, podIPs } = status;
  if (podIP && podIP !== podIPs?.[0]?.ip) status.podIPs = [{ ip: podIP }];
  else if (podIPs?.length && !podIP) status.podIP = podIPs[0].ip;
}

export const pod: KindDefinition<Pod> = {
  gvk: { group: "", version: "v1", kind: "Pod" },
  resource: "pods",
  load: () => rules.load(),
  generation: true,
  returnsDeletedObject: true,
  checksMetadata: true,
  columns: POD_COLUMNS,
  rowConditions: podRowConditions,
  subresources: {
    status: {
      checksMetadata: true,
      resetFields: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
      prepareForUpdate: (pod, old) => rules.module.status.prepareForUpdate(pod, old),
      validateUpdate: (pod, old) => rules.module.status.validateUpdate(pod, old),
      warningsOnUpdate: (pod) => rules.module.status.warningsOnUpdate(pod),
    },
    resize: {
      checksMetadata: true,
      prepareForUpdate: (pod, old) => rules.module.resize.prepareForUpdate(pod, old),
      validateUpdate: (pod, old) => rules.module.resize.validateUpdate(pod, old),
    },
    ephemeralcontainers: {
      checksMetadata: true,
      prepareForUpdate: (pod, old) => rules.module.ephemeralContainers.prepareForUpdate(pod, old),
      validateUpdate: (pod, old) => rules.module.ephemeralContainers.validateUpdate(pod, old),
    },
  },
  setDefaults(pod) {
    dropInitContainerAnnotations(pod.metadata);
    setPodDefaults(pod);
    // Only in pods: what is negative counts as one second.
    if (pod.spec!.terminationGracePeriodSeconds! < 0) pod.spec!.terminationGracePeriodSeconds = 1;
    if (pod.status) alignPodIPs(pod.status);
  },
  prepareForCreate: (pod, context) => rules.module.main.prepareForCreate(pod, context),
  validate: (pod) => rules.module.main.validate(pod),
  warningsOnCreate: (pod) => rules.module.main.warningsOnCreate(pod),
  prepareForUpdate: (pod, old) => rules.module.main.prepareForUpdate(pod, old),
  validateUpdate: (pod, old) => rules.module.main.validateUpdate(pod, old),
  gracePeriod({ spec = {}, status: now = {} }, requested) {
    if (!spec.nodeName || now.phase === "Failed" || now.phase === "Succeeded") return 0;
    const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
  fields: ({ spec = {}, status: now = {} }) => ({
    "spec.nodeName": spec.nodeName ?? "",
    "spec.restartPolicy": spec.restartPolicy ?? "",
    "spec.schedulerName": spec.schedulerName ?? "",
    "spec.serviceAccountName": spec.serviceAccountName ?? "",
    "spec.hostNetwork": String(spec.hostNetwork ?? false),
    "status.phase": now.phase ?? "",
    "status.podIP": now.podIPs?.[0]?.ip ?? "",
    "status.nominatedNodeName": now.nominatedNodeName ?? "",
  }),
};
