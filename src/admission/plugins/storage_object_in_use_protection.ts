// StorageObjectInUseProtection: volumes, claims and their attributes classes go only when nobody uses them any more.
import type { AdmissionPlugin } from "../interface.ts";
import { isResource, on } from "./attributes.ts";

const PROTECTIONS = [
  { group: "", resource: "persistentvolumeclaims", finalizer: "kubernetes.io/pvc-protection" },
  { group: "", resource: "persistentvolumes", finalizer: "kubernetes.io/pv-protection" },
  { group: "storage.k8s.io", resource: "volumeattributesclasses", finalizer: "kubernetes.io/vac-protection" },
];

export function storageObjectInUseProtection(): AdmissionPlugin {
  return {
    name: "StorageObjectInUseProtection",
    handles: on("CREATE"),
    admit(attributes) {
      const protection = PROTECTIONS.find((p) => isResource(attributes, p));
      if (protection === undefined) return;
      const { metadata } = attributes.object!, { finalizer } = protection;
      if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...metadata.finalizers ?? [], finalizer];
    },
  };
}
