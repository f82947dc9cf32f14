// Fields of features that are off by default: what a request says in them is dropped, unless the stored object has them.
import type * as v1 from "../../../facts/generated/types.ts";
import { containersOf } from "./visit.ts";

/** Changes `spec` in place. */
export function dropDisabledFields(spec: v1.PodSpec | undefined, old: v1.PodSpec | undefined): void {
  if (!spec) return;
  // GenericWorkload
  if (!old?.schedulingGroup) delete spec.schedulingGroup;
  dropStopSignals(spec, old);
  // ClusterTrustBundleProjection and PodCertificateRequest
  for (const member of ["clusterTrustBundle", "podCertificate"] as const) dropProjections(spec, old, member);
}

/** ContainerStopSignals */
function dropStopSignals(spec: v1.PodSpec, old: v1.PodSpec | undefined): void {
  let inUse: boolean | undefined;
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const container of list ?? []) {
      if (container.lifecycle?.stopSignal === undefined) continue;
      inUse ??= old !== undefined && containersOf(old).some((c) => c.lifecycle?.stopSignal !== undefined);
      if (inUse) return;
      delete container.lifecycle.stopSignal;
      if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
    }
  }
}

function dropProjections(
  spec: v1.PodSpec,
  old: v1.PodSpec | undefined,
  member: "clusterTrustBundle" | "podCertificate",
): void {
  let inUse: boolean | undefined;
  for (const { projected } of spec.volumes ?? []) {
    for (const source of projected?.sources ?? []) {
      if (!source[member]) continue;
      inUse ??= old?.volumes?.some((v) => v.projected?.sources?.some((s) => s[member])) ?? false;
      if (inUse) return;
      delete source[member];
    }
  }
}

const STATUS_LISTS = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"] as const;

/** The same for what kubelets report. */
export function dropDisabledStatusFields(status: v1.PodStatus, old: v1.PodStatus | undefined): void {
  // DRANodeAllocatableResources
  if (!old?.nodeAllocatableResourceClaimStatuses?.length) delete status.nodeAllocatableResourceClaimStatuses;
  // ImageVolumeWithDigest
  const reported = (s: v1.PodStatus) =>
    STATUS_LISTS.some((list) => s[list]?.some((c) => c.volumeMounts?.some((mount) => mount.volumeStatus)));
  if (!reported(status) || (old && reported(old))) return;
  for (const list of STATUS_LISTS) {
    for (const container of status[list] ?? []) {
      for (const mount of container.volumeMounts ?? []) delete mount.volumeStatus;
    }
  }
}
