// What a pod, and a volume, name: the objects that a node has to read to run them.
import type { Container, EphemeralContainer, PersistentVolume, Pod, Volume } from "../../facts/generated/types.ts";
import type { KubeObject } from "../../machinery/types.ts";

/** Resources that nodes read because something of theirs names them. */
export type ReferencedResource =
  | "secrets"
  | "configmaps"
  | "persistentvolumeclaims"
  | "resourceclaims"
  | "serviceaccounts";

/** Called for each name, some of them several times. */
export type ReferenceVisitor = (resource: ReferencedResource, name: string) => void;

const MIRROR = "kubernetes.io/config.mirror";

/** Mirror pods name nothing: they are made by the node itself, which must not give itself rights. */
export function visitPodReferences(pod: KubeObject & Pod, visit: ReferenceVisitor): void {
  const { metadata, spec = {}, status } = pod;
  if (metadata.annotations?.[MIRROR] !== undefined) return;
  const note = (resource: ReferencedResource, name: string | undefined) => name && visit(resource, name);
  note("serviceaccounts", spec.serviceAccountName);
  for (const { name } of spec.imagePullSecrets ?? []) note("secrets", name);
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const container of list ?? []) visitContainer(container, note);
  }
  for (const volume of spec.volumes ?? []) visitVolume(volume, metadata.name ?? "", note);
  for (const { name, resourceClaimName } of spec.resourceClaims ?? []) {
    const made = status?.resourceClaimStatuses?.find((claim) => claim.name === name)?.resourceClaimName;
    note("resourceclaims", resourceClaimName ?? made);
  }
  note("resourceclaims", status?.extendedResourceClaimStatus?.resourceClaimName);
}

type Note = (resource: ReferencedResource, name: string | undefined) => void;

function visitContainer({ env = [], envFrom = [] }: Container | EphemeralContainer, note: Note): void {
  for (const { secretRef, configMapRef } of envFrom) {
    note("secrets", secretRef?.name);
    note("configmaps", configMapRef?.name);
  }
  for (const { valueFrom } of env) {
    note("secrets", valueFrom?.secretKeyRef?.name);
    note("configmaps", valueFrom?.configMapKeyRef?.name);
  }
}

function visitVolume(volume: Volume, pod: string, note: Note): void {
  note("secrets", volume.secret?.secretName);
  note("configmaps", volume.configMap?.name);
  note("persistentvolumeclaims", volume.persistentVolumeClaim?.claimName);
  if (volume.ephemeral) note("persistentvolumeclaims", `${pod}-${volume.name}`);
  for (const { secret, configMap } of volume.projected?.sources ?? []) {
    note("secrets", secret?.name);
    note("configmaps", configMap?.name);
  }
  note("secrets", volume.azureFile?.secretName);
  note("secrets", volume.csi?.nodePublishSecretRef?.name);
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume;
  for (const source of [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos]) {
    note("secrets", source?.secretRef?.name);
  }
}

/** Secrets of a volume that a node needs to mount it, in the claim's namespace where none is said. */
export function visitVolumeSecrets(
  { spec = {} }: KubeObject & PersistentVolume,
  visit: (namespace: string, name: string) => void,
): void {
  const claimNamespace = spec.claimRef?.namespace ?? "";
  const note = (reference: { namespace?: string | null; name?: string } | null | undefined, fallback = "") => {
    if (reference?.name) visit(reference.namespace || fallback, reference.name);
  };
  const { azureFile, cephfs, flexVolume, rbd, scaleIO, iscsi, cinder, storageos, csi } = spec;
  note(azureFile && { namespace: azureFile.secretNamespace, name: azureFile.secretName }, claimNamespace);
  for (const source of [cephfs, flexVolume, rbd, scaleIO, iscsi]) note(source?.secretRef, claimNamespace);
  for (const reference of [cinder?.secretRef, storageos?.secretRef]) note(reference);
  for (const name of ["nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef"] as const) note(csi?.[name]);
}
