// Rules of requests and limits, of containers and of the pod as a whole (KEP-2837).
import type * as v1 from "../../../facts/generated/types.ts";
import { addQuantities, compareQuantities } from "../../../machinery/quantity.ts";
import { validateDNS1123Label } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import {
  isDivisibleByPageSize,
  isHugePages,
  isOvercommitAllowed,
  type ResourceList,
  validateContainerResourceName,
  validatePodResourceName,
  validateResourceQuantity,
} from "../resource_names.ts";
import type { PodScope } from "./scope.ts";
import { isSidecar } from "./visit.ts";

export function validateContainerResources(resources: v1.ResourceRequirements, at: Field, scope: PodScope): void {
  validateRequirements(resources, at, { scope, validateName: validateContainerResourceName });
}

interface RequirementsScope {
  scope: PodScope;
  validateName(name: string, at: Field): void;
}

function validateRequirements(resources: v1.ResourceRequirements, at: Field, rules: RequirementsScope): void {
  const { limits, requests, claims } = resources;
  let computes = false, hugePages = false;
  const note = (name: string) => {
    computes ||= name === "cpu" || name === "memory";
    hugePages ||= isHugePages(name);
  };
  for (const name in limits) {
    note(name);
    validateEntry({ name, quantity: limits[name] }, at.child("limits").key(name), rules);
  }
  for (const name in requests) {
    const quantity = requests[name], limit = limits?.[name];
    note(name);
    const field = at.child("requests").key(name);
    rules.validateName(name, field);
    validateResourceQuantity({ name, quantity }, field);
    if (limit !== undefined) {
      const order = quantity === limit ? 0 : compareQuantities(quantity, limit);
      if (order !== 0 && !isOvercommitAllowed(name)) {
        at.child("requests").invalid(quantity, `must be equal to ${name} limit of ${limit}`);
      } else if (order > 0) {
        at.child("requests").invalid(quantity, `must be less than or equal to ${name} limit of ${limit}`);
      }
    } else if (!isOvercommitAllowed(name)) {
      at.child("limits").required("Limit must be set for non overcommitable resources");
    }
    validateHugePages({ name, quantity }, field, rules.scope);
  }
  if (hugePages && !computes) at.forbidden("HugePages require cpu or memory");
  if (claims) validateClaimReferences(claims, at.child("claims"), rules.scope);
}

function validateEntry(entry: { name: string; quantity: string }, at: Field, rules: RequirementsScope): void {
  rules.validateName(entry.name, at);
  validateResourceQuantity(entry, at);
  validateHugePages(entry, at, rules.scope);
}

function validateHugePages({ name, quantity }: { name: string; quantity: string }, at: Field, scope: PodScope): void {
  if (!isHugePages(name) || scope.options.allowIndivisibleHugePages) return;
  if (!isDivisibleByPageSize(name, quantity)) {
    at.invalid(quantity, `${quantity} is not positive integer multiple of ${name}`);
  }
}

/** Claims of dynamic resource allocation that a container uses (KEP-4381). */
function validateClaimReferences(claims: readonly v1.ResourceClaim[], at: Field, scope: PodScope): void {
  const seen = new Set<string>();
  claims.forEach(({ name = "", request = "" }, i) => {
    const field = at.index(i);
    if (name === "") return field.required();
    if (seen.has(name)) field.duplicate(name);
    else {
      if (request !== "") validateDNS1123Label(request, field.child("request"));
      const key = request === "" ? name : `${name}/${request}`;
      if (seen.has(key)) field.duplicate(key);
      else if (request === "") {
        for (const other of seen) if (other.startsWith(`${name}/`)) field.duplicate(name);
      }
      seen.add(key);
    }
    if (scope.claims.has(name)) return;
    const known = [...scope.claims].sort().join(", ");
    const detail = "must be one of the names in pod.spec.resourceClaims";
    field.notFound(name, known === "" ? `${detail} which is empty` : `${detail}: ${known}`);
  });
}

/** What a RuntimeClass adds to the containers' own. */
export function validateOverhead(overhead: ResourceList, at: Field, scope: PodScope): void {
  const limits = at.child("limits");
  for (const name in overhead) {
    validateEntry({ name, quantity: overhead[name] }, limits.key(name), {
      scope,
      validateName: validateContainerResourceName,
    });
  }
  const names = Object.keys(overhead);
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
    at.forbidden("HugePages require cpu or memory");
  }
}

/** Requests and limits of the whole pod. */
export function validatePodResources(resources: v1.ResourceRequirements, at: Field, scope: PodScope): void {
  const { spec } = scope;
  if (spec.os?.name === "windows") return at.forbidden("may not be set for a windows pod");
  if (resources.claims) at.child("claims").forbidden("claims may not be set for Resources at pod-level");
  validateRequirements(resources, at, { scope, validateName: validatePodResourceName });
  const requests = aggregate(spec, "requests");
  for (const name of Object.keys(requests).sort()) {
    const pod = resources.requests?.[name];
    if (pod !== undefined && compareQuantities(requests[name], pod) > 0) {
      at.child("requests").key(name).invalid(
        pod,
        `must be greater than or equal to aggregate container requests of ${requests[name]}`,
      );
    }
  }
  const limits = aggregate(spec, "limits");
  for (const name of Object.keys(limits).sort()) {
    const pod = resources.limits?.[name];
    if (isHugePages(name) && pod !== undefined && compareQuantities(limits[name], pod) > 0) {
      at.child("limits").key(name).invalid(
        pod,
        `must be greater than or equal to aggregate container limits of ${limits[name]}`,
      );
    }
  }
  spec.containers?.forEach((container, i) => {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const pod = resources.limits?.[name];
      if (pod === undefined || compareQuantities(limit, pod) <= 0) continue;
      at.child("containers").index(i).key(name).child("limits").invalid(
        limit,
        `must be less than or equal to pod limits of ${pod}`,
      );
    }
  });
}

function add(to: ResourceList, list: ResourceList | undefined): void {
  for (const name in list) to[name] = to[name] === undefined ? list[name] : addQuantities(to[name], list[name]);
}

function raise(to: ResourceList, list: ResourceList): void {
  for (const name in list) {
    if (to[name] === undefined || compareQuantities(list[name], to[name]) > 0) to[name] = list[name];
  }
}

/** What a pod needs at most at one time: its containers and sidecars together, or an init container with those before it. */
export function aggregate(spec: v1.PodSpec, side: "requests" | "limits"): ResourceList {
  const total: ResourceList = {};
  for (const container of spec.containers ?? []) add(total, container.resources?.[side]);
  const sidecars: ResourceList = {}, starting: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.[side];
    if (isSidecar(container)) {
      add(total, own);
      add(sidecars, own);
      raise(starting, sidecars);
    } else {
      const both: ResourceList = {};
      add(both, own);
      add(both, sidecars);
      raise(starting, both);
    }
  }
  raise(total, starting);
  return total;
}
