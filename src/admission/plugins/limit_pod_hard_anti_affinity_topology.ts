// LimitPodHardAntiAffinityTopology: a pod may keep others off its node, not off a whole zone.
import type { PodAffinityTerm } from "../../facts/generated/types.ts";
import { forbiddenError } from "../../machinery/errors.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isPod, on } from "./attributes.ts";

const HOSTNAME = "kubernetes.io/hostname";

export function limitPodHardAntiAffinityTopology(): AdmissionPlugin {
  return {
    name: "LimitPodHardAntiAffinityTopology",
    handles: on("CREATE", "UPDATE"),
    validate(attributes) {
      if (!isPod(attributes)) return;
      const { metadata, spec } = attributes.object!;
      const terms: PodAffinityTerm[] = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ??
        [];
      const wrong = terms.find((term) => term.topologyKey !== HOSTNAME);
      if (wrong === undefined) return;
      throw forbiddenError(
        attributes.resource,
        metadata.name ?? "",
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wrong.topologyKey} but only key ${HOSTNAME} is allowed`,
      );
    },
  };
}
