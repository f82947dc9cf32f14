// CSI drivers: what a storage driver can do.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, boolean, NAME, text } from "../columns.ts";
import type { CSIDriver } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const csiDriver: KindDefinition<KubeObject & CSIDriver> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "CSIDriver" },
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
