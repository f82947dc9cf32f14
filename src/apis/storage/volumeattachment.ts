// Volume attachments: a volume that is to be attached to a node.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, boolean, NAME, text } from "../columns.ts";
import type { VolumeAttachment } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const volumeAttachment: KindDefinition<KubeObject & VolumeAttachment> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "VolumeAttachment" },
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
