// NodeDeclaredFeatureValidator: a change of a running pod needs nothing that its node does not know (KEP-5328).
import { isSidecar } from "../../apis/core/pod_spec/visit.ts";
import type { Container, PodSpec } from "../../facts/generated/types.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { changesPodOnNode } from "./pod_resize_validator.ts";

/** Features that an update may need, in the order of their names. */
const NEEDED_BY: readonly [feature: string, (now: PodSpec, before: PodSpec) => boolean][] = [
  [
    "InPlacePodLevelResourcesVerticalScaling",
    (now, before) => !deepEqual(now.resources ?? {}, before.resources ?? {}),
  ],
  [
    "InPlacePodVerticalScalingInitContainers",
    (now, before) =>
      (before.initContainers ?? []).some((container: Container, i) =>
        !isSidecar(container) && !deepEqual(container.resources ?? {}, now.initContainers?.[i]?.resources ?? {})
      ),
  ],
];

export function nodeDeclaredFeatureValidator({ lookup, features }: PluginContext): AdmissionPlugin {
  return {
    name: "NodeDeclaredFeatureValidator",
    handles: features.enabled("NodeDeclaredFeatures") ? on("UPDATE") : () => false,
    async validate(attributes) {
      const { subresource, object, oldObject } = attributes;
      if ((subresource !== "" && subresource !== "resize") || !changesPodOnNode(attributes)) return;
      const needed = NEEDED_BY.filter(([, isNeeded]) => isNeeded(object!.spec, oldObject!.spec)).map(([name]) => name);
      if (needed.length === 0) return;
      const name: string = object!.spec.nodeName, node = await lookup.get("", "nodes", name);
      if (node === undefined) throw refusal(attributes, `node ${goQuote(name)} not found`);
      const declared = new Set(node.status?.declaredFeatures);
      const missing = needed.filter((feature) => !declared.has(feature));
      if (missing.length === 0) return;
      const what = missing.join(", ");
      throw refusal(
        attributes,
        `pod update requires features ${what} which are not available on node ${goQuote(name)}`,
      );
    },
  };
}
