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
    looksAt: (attributes) => PROTECTIONS.some((p) => isResource(attributes, p)),
    admit(attributes) {
      const { finalizer } = PROTECTIONS.find((p) => isResource(attributes, p))!;
      const { metadata } = attributes.object!;
      if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...metadata.finalizers ?? [], finalizer];
    },
  };
}
