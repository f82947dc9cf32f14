// ExtendedResourceToleration: a pod that asks for an extended resource tolerates the taint of the nodes that have it.
import { isExtendedResource } from "../../apis/core/resource_names.ts";
import type { PodSpec, Toleration } from "../../facts/generated/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isPod, on } from "./attributes.ts";

/** A toleration of the same taint is replaced. */
function addToleration(spec: PodSpec, toleration: Toleration): void {
  const tolerations = spec.tolerations ??= [];
  const same = tolerations.findIndex((t) =>
    t.key === toleration.key && t.effect === toleration.effect && t.operator === toleration.operator &&
    (t.value ?? "") === (toleration.value ?? "")
  );
  if (same < 0) tolerations.push(toleration);
  else if (!deepEqual(tolerations[same], toleration)) tolerations[same] = toleration;
}

export function extendedResourceToleration(): AdmissionPlugin {
  return {
    name: "ExtendedResourceToleration",
    handles: on("CREATE", "UPDATE"),
    admit(attributes) {
      if (!isPod(attributes)) return;
      const spec: PodSpec = attributes.object!.spec;
      const containers = [...spec.containers ?? [], ...spec.initContainers ?? []];
      const names = new Set(containers.flatMap((c) => Object.keys(c.resources?.requests ?? {})));
      for (const key of [...names].filter(isExtendedResource).sort()) {
        addToleration(spec, { key, operator: "Exists", effect: "NoSchedule" });
      }
    },
  };
}
