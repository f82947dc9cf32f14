// What quotas count of pods: their number, and what they ask for as long as they run.
import {
  isExtendedResource,
  isHugePages,
  isNativeResource,
  type ResourceList,
} from "../../../apis/core/resource_names.ts";
import { isPodLevelResource } from "../../../apis/core/resource_names.ts";
import { qosClass } from "../../../apis/core/pod_qos.ts";
import { aggregate } from "../../../apis/core/pod_spec/resources.ts";
import { isSidecar } from "../../../apis/core/pod_spec/visit.ts";
import type {
  Container,
  ContainerStatus,
  PodAffinityTerm,
  PodSpec,
  PodStatus,
} from "../../../facts/generated/types.ts";
import { addQuantities, compareQuantities } from "../../../machinery/quantity.ts";
import { parseTime } from "../../../machinery/time.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import { countName, type Evaluator, matchesValues, type ScopeRequirement } from "./evaluator.ts";
import { addLists, greatest } from "./resource_lists.ts";

const COUNT = countName({ group: "", resource: "pods" });
const DEVICE_CLASS = "deviceclass.resource.kubernetes.io/";

/** Names of limits, the list of a container that counts for them and the resource in it. */
const COMPUTE: readonly [name: string, side: "requests" | "limits", resource: string][] = ["cpu", "memory"].concat(
  "ephemeral-storage",
).flatMap((resource): [string, "requests" | "limits", string][] => [
  [resource, "requests", resource],
  [`requests.${resource}`, "requests", resource],
  [`limits.${resource}`, "limits", resource],
]);

/** Whoever limits one of these wants every container to say how much it needs: a rule that came first and stayed. */
const REQUIRED = COMPUTE.filter(([, , resource]) => resource !== "ephemeral-storage").map(([name]) => name);

const NAMES = new Set(["pods", COUNT, ...COMPUTE.map(([name]) => name)]);

type Lists = { requests: ResourceList; limits: ResourceList };

function computeUsage({ requests, limits }: Lists): ResourceList {
  const usage: ResourceList = { pods: "1" };
  for (const [name, side, resource] of COMPUTE) {
    const quantity = (side === "requests" ? requests : limits)[resource];
    if (quantity !== undefined) usage[name] = quantity;
  }
  for (const name in requests) {
    if (isHugePages(name)) usage[name] = usage[`requests.${name}`] = requests[name];
    if (isExtendedResource(name) || name.startsWith(DEVICE_CLASS)) usage[`requests.${name}`] = requests[name];
  }
  return usage;
}

/** Whether a name stands for an extended resource, which may not be overcommitted. */
export function isExtendedRequest(name: string): boolean {
  if (!name.startsWith("requests.")) return false;
  return !isNativeResource(name) || name.startsWith(`requests.${DEVICE_CLASS}`);
}

/** A container with what it has while it is being resized, where that is more than it asks for. */
function effective(container: Container, status: ContainerStatus | undefined, infeasible: boolean): Container {
  if (status?.resources === undefined) return container;
  const { requests, limits } = status.resources, wanted = infeasible ? undefined : container.resources;
  return {
    ...container,
    resources: {
      ...container.resources,
      requests: greatest(wanted?.requests, requests, status.allocatedResources),
      limits: greatest(wanted?.limits, limits),
    },
  };
}

function effectiveSpec(spec: PodSpec, status: PodStatus): PodSpec {
  const byName = new Map<string | undefined, ContainerStatus>();
  for (const known of [...status.containerStatuses ?? [], ...status.initContainerStatuses ?? []]) {
    byName.set(known.name, known);
  }
  if (byName.size === 0) return spec;
  const pending = status.conditions?.find((condition) => condition.type === "PodResizePending");
  const infeasible = pending?.reason === "Infeasible";
  const now = (container: Container) => effective(container, byName.get(container.name), infeasible);
  return {
    ...spec,
    containers: spec.containers?.map(now),
    initContainers: spec.initContainers?.map((container) => isSidecar(container) ? now(container) : container),
  };
}

/** Of the pod as a whole where it says something, with the overhead of its runtime class. */
function podLists(spec: PodSpec, status: PodStatus): Lists {
  const effectively = effectiveSpec(spec, status);
  const lists: Lists = { requests: aggregate(effectively, "requests"), limits: aggregate(effectively, "limits") };
  for (const side of ["requests", "limits"] as const) {
    const whole = spec.resources?.[side] ?? {};
    for (const name in whole) if (isPodLevelResource(name)) lists[side][name] = whole[name];
  }
  lists.requests = addLists(lists.requests, spec.overhead ?? {});
  for (const [name, quantity] of Object.entries(spec.overhead ?? {})) {
    const limit = lists.limits[name];
    if (limit !== undefined && compareQuantities(limit, "0") !== 0) lists.limits[name] = addQuantities(limit, quantity);
  }
  return lists;
}

/** Neither finished nor stuck while it is being deleted. */
function counts({ metadata, status }: KubeObject): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadata;
  if (deletionTimestamp === undefined || grace === undefined) return true;
  return Date.now() <= parseTime(deletionTimestamp)! + grace * 1000;
}

export function podUsage(pod: KubeObject): ResourceList {
  if (!counts(pod)) return { [COUNT]: "1" };
  return { [COUNT]: "1", ...computeUsage(podLists(pod.spec, pod.status ?? {})) };
}

function hasOwnResources({ resources }: PodSpec): boolean {
  return Object.keys({ ...resources?.requests, ...resources?.limits }).some(isPodLevelResource);
}

function missing(names: readonly string[], { spec }: KubeObject): string | undefined {
  if (hasOwnResources(spec)) return undefined;
  const required = REQUIRED.filter((name) => names.includes(name)).sort();
  const containers: Container[] = [...spec.containers ?? [], ...spec.initContainers ?? []];
  const wrong = required.flatMap((name) => {
    const silent = containers.filter(({ resources }) =>
      computeUsage({ requests: resources?.requests ?? {}, limits: resources?.limits ?? {} })[name] === undefined
    );
    if (silent.length === 0) return [];
    return `${name} for: ${[...new Set(silent.map((container) => container.name))].sort().join(",")}`;
  });
  return wrong.length === 0 ? undefined : `must specify ${wrong.join("; ")}`;
}

function isTerminating({ spec }: KubeObject): boolean {
  return (spec.activeDeadlineSeconds ?? -1) >= 0;
}

function looksElsewhere({ affinity }: PodSpec): boolean {
  const terms: (PodAffinityTerm | undefined)[] = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((one) => [
    ...one?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    ...one?.preferredDuringSchedulingIgnoredDuringExecution?.map((weighted) => weighted.podAffinityTerm) ?? [],
  ]);
  return terms.some((term) => (term?.namespaces ?? []).length > 0 || term?.namespaceSelector !== undefined);
}

function isInScope(scope: ScopeRequirement, pod: KubeObject): boolean {
  switch (scope.scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return qosClass(pod.spec) === "BestEffort";
    case "NotBestEffort":
      return qosClass(pod.spec) !== "BestEffort";
    case "PriorityClass":
      return matchesValues(scope, pod.spec.priorityClassName ? [pod.spec.priorityClassName] : []);
    case "CrossNamespacePodAffinity":
      return looksElsewhere(pod.spec);
    default:
      return false;
  }
}

export const pods: Evaluator = {
  handles({ operation, subresource, object, oldObject }) {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    if (operation === "UPDATE") return isTerminating(object!) !== isTerminating(oldObject!);
    return operation === "CREATE";
  },
  matching: (names) =>
    names.filter((name) =>
      NAMES.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-") || isExtendedRequest(name)
    ),
  isInScope,
  missing,
  usage: podUsage,
};
