// The quality of service class of a pod: who is stopped first when a node runs out of memory.
import { addQuantities, compareQuantities } from "../../machinery/quantity.ts";
import type { PodSpec, ResourceRequirements } from "../../facts/generated/types.ts";
import type { ResourceList } from "./resource_names.ts";

const COMPUTE = ["cpu", "memory"] as const;

function isPositive(quantity: string | undefined): quantity is string {
  return quantity !== undefined && quantity !== "0" && !quantity.startsWith("-");
}

function add(total: ResourceList, list: ResourceList | undefined): void {
  for (const name of COMPUTE) {
    const quantity = list?.[name];
    if (isPositive(quantity)) total[name] = total[name] === undefined ? quantity : addQuantities(total[name], quantity);
  }
}

/** Guaranteed: cpu and memory are limited everywhere, and requests are the limits. BestEffort: nothing is asked for. */
export function qosClass(spec: PodSpec): "Guaranteed" | "Burstable" | "BestEffort" {
  const requests: ResourceList = {}, limits: ResourceList = {};
  let guaranteed = true;
  const limited = (list: ResourceList | undefined) => COMPUTE.every((name) => isPositive(list?.[name]));
  if (spec.resources) {
    add(requests, spec.resources.requests);
    add(limits, spec.resources.limits);
    if (Object.keys(spec.resources.limits ?? {}).length > 0) guaranteed = limited(spec.resources.limits);
  } else {
    for (const { resources } of [...spec.containers ?? [], ...spec.initContainers ?? []]) {
      const own: ResourceRequirements = resources ?? {};
      add(requests, own.requests);
      add(limits, own.limits);
      if (!limited(own.limits)) guaranteed = false;
    }
  }
  const asked = Object.keys(requests), capped = Object.keys(limits);
  if (asked.length === 0 && capped.length === 0) return "BestEffort";
  const equal = asked.length === capped.length &&
    asked.every((name) => limits[name] !== undefined && compareQuantities(limits[name], requests[name]) === 0);
  return guaranteed && equal ? "Guaranteed" : "Burstable";
}
