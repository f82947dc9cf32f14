// PersistentVolumeClaimResize: a bound claim grows where its class allows it.
import { compareQuantities } from "../../machinery/quantity.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isVolumeClaim, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { CLASS_ANNOTATION } from "./default_storage_class.ts";

function sizeOf(claim: KubeObject): string {
  return claim.spec?.resources?.requests?.storage ?? "0";
}

function classNameOf(claim: KubeObject): string {
  return claim.metadata.annotations?.[CLASS_ANNOTATION] ?? claim.spec?.storageClassName ?? "";
}

export function persistentVolumeClaimResize({ lookup }: PluginContext): AdmissionPlugin {
  return {
    name: "PersistentVolumeClaimResize",
    handles: on("UPDATE"),
    looksAt: isVolumeClaim,
    async validate(attributes) {
      const claim = attributes.object!, before = attributes.oldObject!;
      if (compareQuantities(sizeOf(claim), sizeOf(before)) <= 0) return;
      if (before.status?.phase !== "Bound") {
        throw refusal(attributes, "Only bound persistent volume claims can be expanded");
      }
      const name = classNameOf(claim);
      const found = name !== "" && name === classNameOf(before)
        ? await lookup.get("storage.k8s.io", "storageclasses", name)
        : undefined;
      if (found?.allowVolumeExpansion === true) return;
      throw refusal(
        attributes,
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
      );
    },
  };
}
