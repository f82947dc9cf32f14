// Claims to persistent volumes: defaults and columns.
import type { KubeObject } from "../../machinery/types.ts";
import { accessModes, AGE, NAME, text, wide } from "../columns.ts";
import type { PersistentVolumeClaim } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type ClaimObject = KubeObject & PersistentVolumeClaim;

export const persistentVolumeClaim: KindDefinition<ClaimObject> = {
  gvk: { group: "", version: "v1", kind: "PersistentVolumeClaim" },
  resource: "persistentvolumeclaims",
  returnsDeletedObject: true,
  setDefaults(claim) {
    claim.spec ??= {};
    claim.spec.volumeMode ??= "Filesystem";
    claim.status ??= {};
    claim.status.phase ||= "Pending";
  },
  prepareForCreate(claim) {
    claim.status = { phase: "Pending" };
  },
  columns: [
    NAME,
    text("Status", "Phase.", (c) => c.metadata.deletionTimestamp ? "Terminating" : c.status?.phase ?? ""),
    text("Volume", "The volume that it holds.", (c) => c.spec?.volumeName ?? ""),
    text("Capacity", "Size of the volume.", (c) => c.spec?.volumeName ? c.status?.capacity?.storage ?? "" : ""),
    text("Access Modes", "How it is mounted.", (c) => c.spec?.volumeName ? accessModes(c.status?.accessModes) : ""),
    text(
      "StorageClass",
      "Class.",
      (c) => c.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? c.spec?.storageClassName ?? "",
    ),
    text("VolumeAttributesClass", "Class of its attributes.", (c) => c.spec?.volumeAttributesClassName ?? "<unset>"),
    AGE,
    wide(text("VolumeMode", "Filesystem or block device.", (c) => c.spec?.volumeMode ?? "<unset>")),
  ],
};
