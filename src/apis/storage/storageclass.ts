// Storage classes: how volumes are made.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { StorageClass } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const storageClass: KindDefinition<KubeObject & StorageClass> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "StorageClass" },
  resource: "storageclasses",
  setDefaults(object) {
    object.reclaimPolicy ??= "Delete";
    object.volumeBindingMode ??= "Immediate";
  },
  columns: [
    {
      ...NAME,
      cell: (o) => {
        const annotations = o.metadata.annotations ?? {};
        const isDefault = annotations["storageclass.kubernetes.io/is-default-class"] === "true" ||
          annotations["storageclass.beta.kubernetes.io/is-default-class"] === "true";
        return isDefault ? `${o.metadata.name} (default)` : o.metadata.name!;
      },
    },
    text("Provisioner", "Who makes the volumes.", (o) => o.provisioner ?? ""),
    text("ReclaimPolicy", "What becomes of volumes that are given up.", (o) => o.reclaimPolicy ?? "Delete"),
    text("VolumeBindingMode", "When volumes are bound.", (o) => o.volumeBindingMode ?? "Immediate"),
    text("AllowVolumeExpansion", "Whether volumes may grow.", (o) => o.allowVolumeExpansion ?? false),
    AGE,
  ],
};
