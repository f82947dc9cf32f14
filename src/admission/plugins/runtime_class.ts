// RuntimeClass: a pod gets the overhead and the scheduling of its runtime class.
import type { KubeObject } from "../../machinery/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isPod, refusal } from "./attributes.ts";
import type { ObjectLookup } from "./lookup.ts";

export function runtimeClassAdmission(lookup: ObjectLookup): AdmissionPlugin {
  async function classOf(attributes: AdmissionAttributes): Promise<KubeObject | undefined> {
    const name = attributes.object!.spec.runtimeClassName;
    if (!name) return undefined;
    const found = await lookup.get("node.k8s.io", "runtimeclasses", name);
    if (found === undefined) throw refusal(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return found;
  }

  function setScheduling(attributes: AdmissionAttributes, runtimeClass: KubeObject): void {
    const { nodeSelector = {}, tolerations = [] } = runtimeClass.scheduling ?? {};
    const spec = attributes.object!.spec;
    for (const [key, value] of Object.entries(nodeSelector)) {
      const own = spec.nodeSelector?.[key];
      if (own !== undefined && own !== value) {
        throw refusal(
          attributes,
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
        );
      }
      (spec.nodeSelector ??= {})[key] = value;
    }
    for (const toleration of tolerations) {
      if (!(spec.tolerations ?? []).some((t: unknown) => deepEqual(t, toleration))) {
        (spec.tolerations ??= []).push(toleration);
      }
    }
  }

  return {
    name: "RuntimeClass",
    handles: (operation) => operation === "CREATE",
    async admit(attributes) {
      if (!isPod(attributes)) return;
      const found = await classOf(attributes);
      if (found === undefined) return;
      const fixed = found.overhead?.podFixed, spec = attributes.object!.spec;
      if (fixed !== undefined) {
        if (spec.overhead !== undefined && !deepEqual(spec.overhead, fixed)) {
          throw refusal(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
        }
        spec.overhead = { ...fixed };
      }
      setScheduling(attributes, found);
    },
    async validate(attributes) {
      if (!isPod(attributes)) return;
      const { overhead } = attributes.object!.spec;
      if (overhead === undefined || Object.keys(overhead).length === 0) return;
      const found = await classOf(attributes);
      if (found?.overhead?.podFixed === undefined) {
        throw refusal(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
    },
  };
}
