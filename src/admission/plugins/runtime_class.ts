// RuntimeClass: a pod gets the overhead and the scheduling of its runtime class.
import { goQuote } from "../../machinery/go_text.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isPod, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { mergeTolerations } from "./tolerations.ts";
import { lookUp } from "../../machinery/look_up.ts";

export function runtimeClass({ lookup }: PluginContext): AdmissionPlugin {
  async function classOf(attributes: AdmissionAttributes): Promise<KubeObject | undefined> {
    const name = attributes.object!.spec.runtimeClassName;
    if (!name) return undefined;
    const found = await lookup.get("node.k8s.io", "runtimeclasses", name);
    if (found === undefined) throw refusal(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
    return found;
  }

  function setScheduling(attributes: AdmissionAttributes, runtimeClass: KubeObject): void {
    const { nodeSelector = {}, tolerations = [] } = runtimeClass.scheduling ?? {};
    const spec = attributes.object!.spec;
    for (const [key, value] of Object.entries(nodeSelector)) {
      const own = lookUp<string>(spec.nodeSelector ?? {}, key);
      if (own !== undefined && own !== value) {
        throw refusal(
          attributes,
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
        );
      }
      (spec.nodeSelector ??= {})[key] = value;
    }
    const merged = mergeTolerations(spec.tolerations ?? [], tolerations);
    if (merged.length > 0) spec.tolerations = merged;
  }

  function checkOverhead(attributes: AdmissionAttributes, fixed: unknown): void {
    if (deepEqual(attributes.object!.spec.overhead ?? {}, fixed ?? {})) return;
    throw refusal(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }

  return {
    name: "RuntimeClass",
    handles: on("CREATE"),
    looksAt: isPod,
    async admit(attributes) {
      const found = await classOf(attributes);
      if (found === undefined) return;
      const fixed = found.overhead?.podFixed, spec = attributes.object!.spec;
      if (fixed !== undefined) {
        if (Object.keys(spec.overhead ?? {}).length > 0) checkOverhead(attributes, fixed);
        spec.overhead = { ...fixed };
      }
      setScheduling(attributes, found);
    },
    async validate(attributes) {
      const found = await classOf(attributes);
      if (found?.overhead !== undefined) return checkOverhead(attributes, found.overhead.podFixed);
      if (Object.keys(attributes.object!.spec.overhead ?? {}).length > 0) {
        throw refusal(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
    },
  };
}
