// Persistent volumes: defaults and columns.
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { accessModes, AGE, NAME, text, wide } from "../columns.ts";
import type { PersistentVolume } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type VolumeObject = KubeObject & PersistentVolume;

export const persistentVolume: KindDefinition<VolumeObject> = {
  gvk: { group: "", version: "v1", kind: "PersistentVolume" },
  resource: "persistentvolumes",
  returnsDeletedObject: true,
  setDefaults(volume) {
    const spec = volume.spec ??= {};
    volume.status ??= {};
    volume.status.phase ||= "Pending";
    spec.persistentVolumeReclaimPolicy ||= "Retain";
    spec.volumeMode ??= "Filesystem";
    if (spec.hostPath) spec.hostPath.type ??= "";
    if (spec.iscsi) spec.iscsi.iscsiInterface ||= "default";
    if (spec.rbd) {
      spec.rbd.pool ||= "rbd";
      spec.rbd.user ||= "admin";
      spec.rbd.keyring ||= "/etc/ceph/keyring";
    }
  },
  prepareForCreate(volume) {
    volume.status = { phase: "Pending", lastPhaseTransitionTime: now() };
  },
  columns: [
    NAME,
    text("Capacity", "Size.", (v) => v.spec?.capacity?.storage ?? ""),
    text("Access Modes", "How it may be mounted.", (v) => accessModes(v.spec?.accessModes)),
    text(
      "Reclaim Policy",
      "What becomes of it when it is given up.",
      (v) => v.spec?.persistentVolumeReclaimPolicy ?? "",
    ),
    text("Status", "Phase.", (v) => v.metadata.deletionTimestamp ? "Terminating" : v.status?.phase ?? ""),
    text(
      "Claim",
      "Who holds it.",
      (v) => v.spec?.claimRef ? `${v.spec.claimRef.namespace ?? ""}/${v.spec.claimRef.name ?? ""}` : "",
    ),
    text(
      "StorageClass",
      "Class.",
      (v) => v.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? v.spec?.storageClassName ?? "",
    ),
    text("VolumeAttributesClass", "Class of its attributes.", (v) => v.spec?.volumeAttributesClassName ?? "<unset>"),
    text("Reason", "Why it is in this phase.", (v) => v.status?.reason ?? ""),
    AGE,
    wide(text("VolumeMode", "Filesystem or block device.", (v) => v.spec?.volumeMode ?? "<unset>")),
  ],
};
