// TaintNodesByCondition: new nodes are not ready until somebody says so.
import type { Taint } from "../../facts/generated/types.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isResource, on } from "./attributes.ts";
import { NOT_READY } from "./default_toleration_seconds.ts";

const NODES = { group: "", resource: "nodes" };

export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: "TaintNodesByCondition",
    handles: on("CREATE"),
    looksAt: (attributes) => isResource(attributes, NODES),
    admit(attributes) {
      const spec = attributes.object!.spec ??= {};
      const taints: Taint[] = spec.taints ??= [];
      if (!taints.some((t) => t.key === NOT_READY && t.effect === "NoSchedule")) {
        taints.push({ key: NOT_READY, effect: "NoSchedule" });
      }
    },
  };
}
