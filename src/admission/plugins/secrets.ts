// The secrets that a pod names.
import { containersOf } from "../../apis/core/pod_spec/visit.ts";
import type { PodSpec, Volume } from "../../facts/generated/types.ts";

function ofVolume(volume: Volume): (string | undefined)[] {
  const { azureFile, cephfs, cinder, flexVolume, projected, rbd, secret, scaleIO, iscsi, storageos, csi } = volume;
  return [
    azureFile?.secretName,
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef?.name),
    ...projected?.sources?.map((source) => source.secret?.name) ?? [],
    secret?.secretName,
    csi?.nodePublishSecretRef?.name,
  ];
}

/** Of image pulls, variables and volumes. */
export function secretNames(spec: PodSpec): Set<string> {
  const names = [
    ...spec.imagePullSecrets?.map((secret) => secret.name) ?? [],
    ...containersOf(spec).flatMap((container) => [
      ...container.envFrom?.map((from) => from.secretRef?.name) ?? [],
      ...container.env?.map((variable) => variable.valueFrom?.secretKeyRef?.name) ?? [],
    ]),
    ...spec.volumes?.flatMap(ofVolume) ?? [],
  ];
  return new Set(names.filter((name): name is string => name !== undefined && name !== ""));
}
