// Storage classes, CSI drivers and volume attachments: defaults and columns.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, boolean, NAME, text } from "../columns.ts";
import type { CSIDriver, StorageClass, VolumeAttachment } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

const GROUP = "storage.k8s.io";

export const storageClass: KindDefinition<KubeObject & StorageClass> = {
  gvk: { group: GROUP, version: "v1", kind: "StorageClass" },
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

export const csiDriver: KindDefinition<KubeObject & CSIDriver> = {
  gvk: { group: GROUP, version: "v1", kind: "CSIDriver" },
  resource: "csidrivers",
  allowUnconditionalUpdate: false,
  setDefaults(object) {
    const spec = object.spec ??= {};
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ["Persistent"];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  columns: [
    NAME,
    boolean("AttachRequired", "Whether volumes are attached.", (o) => o.spec?.attachRequired ?? true),
    boolean("PodInfoOnMount", "Whether mounts tell of the pod.", (o) => o.spec?.podInfoOnMount ?? false),
    boolean("StorageCapacity", "Whether capacity is published.", (o) => o.spec?.storageCapacity ?? false),
    text(
      "TokenRequests",
      "Audiences of tokens.",
      (o) => (o.spec?.tokenRequests ?? []).map((t) => t.audience ?? "").join(",") || "<unset>",
    ),
    boolean(
      "RequiresRepublish",
      "Whether volumes are published over and over.",
      (o) => o.spec?.requiresRepublish ?? false,
    ),
    text("Modes", "Lives of volumes.", (o) => (o.spec?.volumeLifecycleModes ?? []).join(",") || "<unset>"),
    AGE,
  ],
};

export const volumeAttachment: KindDefinition<KubeObject & VolumeAttachment> = {
  gvk: { group: GROUP, version: "v1", kind: "VolumeAttachment" },
  resource: "volumeattachments",
  allowUnconditionalUpdate: false,
  columns: [
    NAME,
    { ...text("Attacher", "Who attaches.", (o) => o.spec?.attacher ?? ""), format: "name" },
    text("PV", "The volume.", (o) => o.spec?.source?.persistentVolumeName ?? ""),
    text("Node", "Where it is attached.", (o) => o.spec?.nodeName ?? ""),
    boolean("Attached", "Whether it is.", (o) => o.status?.attached ?? false),
    AGE,
  ],
};
