// PodTopologyLabels: a pod that comes to a node gets the node's zone and region as labels (KEP-4742).
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isOf, on, PODS } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

const LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** Undefined when the pod does not go to a node by this. */
function nodeNameOf({ subresource, object }: AdmissionAttributes): string | undefined {
  if (subresource === "") return object!.spec?.nodeName || undefined;
  if (subresource === "binding" && object!.target?.kind === "Node") return object!.target.name || undefined;
}

export function podTopologyLabels({ lookup, features }: PluginContext): AdmissionPlugin {
  async function copyLabels({ metadata }: { metadata: { labels?: Record<string, string> } }, nodeName: string) {
    const node = await lookup.get("", "nodes", nodeName);
    for (const label of LABELS) {
      const value = node?.metadata.labels?.[label];
      if (value !== undefined) (metadata.labels ??= {})[label] = value;
    }
  }

  return {
    name: "PodTopologyLabels",
    handles: features.enabled("PodTopologyLabelsAdmission") ? on("CREATE") : () => false,
    looksAt: ({ resource }) => isOf(resource, PODS),
    admit(attributes) {
      const nodeName = nodeNameOf(attributes);
      if (nodeName !== undefined) return copyLabels(attributes.object!, nodeName);
    },
  };
}
