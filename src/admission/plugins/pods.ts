// Plugins that fill in what a new pod leaves open: tolerations of broken nodes, and the priority of its class.
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isPod, refusal } from "./attributes.ts";
import type { ObjectLookup } from "./lookup.ts";

interface Toleration {
  key?: string;
  operator?: string;
  effect?: string;
  tolerationSeconds?: number;
}

const NOT_READY = "node.kubernetes.io/not-ready", UNREACHABLE = "node.kubernetes.io/unreachable";

export interface TolerationSeconds {
  notReady: number;
  unreachable: number;
}

/** Pods stay for a while on a node that is not ready or cannot be reached. */
export function defaultTolerationSeconds({ notReady, unreachable }: TolerationSeconds): AdmissionPlugin {
  return {
    name: "DefaultTolerationSeconds",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit(attributes) {
      if (!isPod(attributes)) return;
      const spec = attributes.object!.spec;
      const tolerations: Toleration[] = spec.tolerations ?? [];
      const covers = (t: Toleration, key: string) =>
        (t.key === key || !t.key) && (t.effect === "NoExecute" || !t.effect);
      for (const [key, tolerationSeconds] of [[NOT_READY, notReady], [UNREACHABLE, unreachable]] as const) {
        if (tolerations.some((t) => covers(t, key))) continue;
        (spec.tolerations ??= []).push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds });
      }
    },
  };
}

/** New nodes are not ready until somebody says so. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  handles: (operation) => operation === "CREATE",
  admit({ resource, subresource, object }) {
    if (resource.resource !== "nodes" || resource.group !== "" || subresource !== "") return;
    const spec = object!.spec ??= {};
    const taints: Toleration[] = spec.taints ??= [];
    if (!taints.some((t) => t.key === NOT_READY && t.effect === "NoSchedule")) {
      taints.push({ key: NOT_READY, effect: "NoSchedule" });
    }
  },
};

const SYSTEM_CLASSES = new Set(["system-node-critical", "system-cluster-critical"]);

/** The priority of a pod is the one of its class; a client does not set it by itself. */
export function priority(lookup: ObjectLookup): AdmissionPlugin {
  async function classOf(attributes: AdmissionAttributes): Promise<KubeObject | undefined> {
    const spec = attributes.object!.spec;
    if (spec.priorityClassName) {
      const found = await lookup.get("scheduling.k8s.io", "priorityclasses", spec.priorityClassName);
      if (found === undefined) {
        throw refusal(attributes, `no PriorityClass with name ${spec.priorityClassName} was found`);
      }
      return found;
    }
    const defaults = (await lookup.list("scheduling.k8s.io", "priorityclasses")).filter((c) => c.globalDefault);
    const chosen = defaults.sort((a, b) => a.value - b.value)[0];
    if (chosen !== undefined) spec.priorityClassName = chosen.metadata.name;
    return chosen;
  }

  return {
    name: "Priority",
    handles: (operation) => operation !== "CONNECT",
    async admit(attributes) {
      const { operation, object, oldObject } = attributes;
      if (!isPod(attributes) || operation === "DELETE") return;
      const spec = object!.spec;
      if (operation === "UPDATE") {
        spec.priority ??= oldObject!.spec.priority;
        spec.preemptionPolicy ??= oldObject!.spec.preemptionPolicy;
        if (spec.priority === undefined) delete spec.priority;
        if (spec.preemptionPolicy === undefined) delete spec.preemptionPolicy;
        return;
      }
      const given = await classOf(attributes);
      const value = given?.value ?? 0, policy = given?.preemptionPolicy ?? "PreemptLowerPriority";
      if (spec.priority !== undefined && spec.priority !== value) {
        throw refusal(
          attributes,
          `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
        );
      }
      spec.priority = value;
      if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
        throw refusal(
          attributes,
          `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
        );
      }
      spec.preemptionPolicy = policy;
    },
    async validate(attributes) {
      const { operation, resource, name, object, oldObject } = attributes;
      if (resource.resource !== "priorityclasses") return;
      if (operation === "DELETE") {
        if (SYSTEM_CLASSES.has(name)) {
          throw refusal(attributes, "this is a system priority class and cannot be deleted");
        }
        return;
      }
      if (!object?.globalDefault || oldObject?.globalDefault) return;
      const other = (await lookup.list("scheduling.k8s.io", "priorityclasses")).find((c) =>
        c.globalDefault && c.metadata.name !== object.metadata.name
      );
      if (other !== undefined) {
        throw refusal(
          attributes,
          `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
        );
      }
    },
  };
}
