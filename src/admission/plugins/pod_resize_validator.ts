// PodResizeValidator: a running pod does not grow beyond what its node has (KEP-1287).
import { aggregate } from "../../apis/core/pod_spec/resources.ts";
import type { ResourceList } from "../../apis/core/resource_names.ts";
import type { PodSpec } from "../../facts/generated/types.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { addQuantities, compareQuantities, quantityMilliValue, quantityValue } from "../../machinery/quantity.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isOf, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

const MEASURED = [["cpu", quantityMilliValue], ["memory", quantityValue]] as const;

/** Of the pod as a whole where it says something, with the overhead of its runtime class. */
function requestOf(spec: PodSpec, requests: ResourceList, name: string): string {
  const own = spec.resources?.requests?.[name] ?? requests[name] ?? "0", overhead = spec.overhead?.[name];
  return overhead === undefined ? own : addQuantities(own, overhead);
}

function exceeding(spec: PodSpec, allocatable: ResourceList): string[] {
  const requests = aggregate(spec, "requests");
  return MEASURED.flatMap(([name, measure]) => {
    const requested = requestOf(spec, requests, name), there = allocatable[name] ?? "0";
    if (compareQuantities(requested, there) <= 0) return [];
    return `${name}, requested: ${measure(requested)}, allocatable: ${measure(there)}`;
  });
}

function refuse(attributes: AdmissionAttributes, why: string, reason: string): never {
  const error = refusal(attributes, why);
  error.status.details = { ...error.status.details, causes: [{ reason }] };
  throw error;
}

/** Whether the spec of a pod on a node changed: its generation rises with it. */
export function changesPodOnNode({ resource, object, oldObject }: AdmissionAttributes): boolean {
  if (!isOf(resource, { group: "", resource: "pods" }) || !object!.spec.nodeName) return false;
  return object!.metadata.generation !== oldObject!.metadata.generation;
}

export function podResizeValidator({ lookup }: PluginContext): AdmissionPlugin {
  return {
    name: "PodResizeValidator",
    handles: on("UPDATE"),
    async validate(attributes) {
      if (attributes.subresource !== "resize" || !changesPodOnNode(attributes)) return;
      const spec: PodSpec = attributes.object!.spec, name = spec.nodeName!;
      const node = await lookup.get("", "nodes", name);
      if (node === undefined) throw refusal(attributes, `node ${goQuote(name)} not found`);
      const system = node.metadata.labels?.["kubernetes.io/os"] ?? "linux";
      if (system !== "linux") {
        const why = `pod resize is only supported on linux nodes, node ${goQuote(name)} is ${goQuote(system)}`;
        refuse(attributes, why, "UnsupportedPlatform");
      }
      const wrong = exceeding(spec, node.status?.allocatable ?? {});
      if (wrong.length > 0) {
        refuse(attributes, `node didn't have enough allocatable resources: ${wrong.join("; ")}`, "NodeCapacity");
      }
    },
  };
}
