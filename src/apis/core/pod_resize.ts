// Changing the resources of a pod while it runs (KEP-1287).
import { deepEqual } from "../../machinery/validation/equality.ts";
import type { Field } from "../../machinery/validation/field.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { qosClass } from "./pod_qos.ts";
import { MIRROR_POD } from "./pod_spec/annotations.ts";
import { isSidecar } from "./pod_spec/visit.ts";
import type { ResourceList } from "./resource_names.ts";

type ContainerList = "containers" | "initContainers";

const LISTS: readonly ContainerList[] = ["containers", "initContainers"];

/** Of a resize only resources and their policies count; where the containers do not fit, everything is left to see. */
export function keepOnlyResize(spec: v1.PodSpec, old: v1.PodSpec): v1.PodSpec {
  if (LISTS.some((list) => (spec[list]?.length ?? 0) !== (old[list]?.length ?? 0))) return spec;
  const kept: v1.PodSpec = { ...old, resources: spec.resources };
  for (const list of LISTS) {
    const containers = spec[list] ?? undefined;
    const same = containers?.every((container, i) => container.name === old[list]![i].name) ?? true;
    kept[list] = !same ? containers : containers?.map(({ resources, resizePolicy }, i) => ({
      ...old[list]![i],
      resources,
      resizePolicy,
    }));
  }
  return kept;
}

/** False: nothing more is to be said, neither now nor of the rest. */
export function mayBeResized(pod: v1.Pod, at: Field): boolean {
  let problem: string | undefined;
  if (pod.metadata.annotations?.[MIRROR_POD] !== undefined) problem = "static pods cannot be resized";
  else if (pod.spec?.os?.name === "windows") problem = "windows pods cannot be resized";
  if (problem === undefined) return true;
  at.errors.length = 0;
  at.top("[]").forbidden(problem);
  return false;
}

/** `at` is the spec. */
export function validateResize(pod: v1.Pod, old: v1.Pod, at: Field): void {
  const spec = pod.spec ?? {}, before = old.spec ?? {};
  if ((old.status?.qosClass || qosClass(before)) !== qosClass(spec)) {
    at.invalid(pod.status?.qosClass ?? "", "Pod QOS Class may not change as a result of resizing");
  }
  const running = old.status?.containerStatuses?.find((container) => container.state?.running);
  if (running && !running.resources) at.forbidden("Pod running on node without support for resize");
  const rest: v1.PodSpec = { ...spec };
  if (hasResources(before) || hasResources(spec)) validatePodLevel(rest, before, at);
  if (old.status?.nodeAllocatableResourceClaimStatuses?.length) {
    at.forbidden("pods with node allocatable resource claims cannot be resized");
  }
  if (!validateOrder(spec, before, at)) return;
  for (const list of ["initContainers", "containers"] as const) {
    before[list]?.forEach((container, i) =>
      validateNotRemoved(spec[list]![i].resources, container.resources, at.child(list).index(i).child("resources"))
    );
  }
  rest.containers = spec.containers?.map((container, i) => {
    const kept = withOldCompute(container, before.containers![i]);
    if (!deepEqual(kept, before.containers![i])) at.forbidden("only cpu and memory resources are mutable");
    return kept;
  });
  rest.initContainers = spec.initContainers?.map((container, i) =>
    validateInitContainer(container, before.initContainers![i], at.child("initContainers").index(i))
  );
  if (at.count === 0 && !deepEqual(rest, before)) at.forbidden("only cpu and memory resources are mutable");
}

function hasResources(spec: v1.PodSpec): boolean {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  return Object.keys(requests).length + Object.keys(limits).length > 0;
}

/** Puts the old cpu and memory of the pod as a whole into `rest`. */
function validatePodLevel(rest: v1.PodSpec, old: v1.PodSpec, at: Field): void {
  if (old.resources && !rest.resources) return at.child("resources").forbidden("pod-level resources cannot be removed");
  if (old.resources) {
    for (const side of ["requests", "limits"] as const) {
      if (removes(rest.resources?.[side], old.resources[side])) {
        at.child("resources", side).forbidden(`pod-level resource ${side} cannot be removed`);
      }
    }
  }
  const { requests, limits } = rest.resources ?? {};
  const kept: v1.ResourceRequirements = {
    ...rest.resources,
    requests: oldCompute(requests, old.resources?.requests),
    limits: oldCompute(limits, old.resources?.limits),
  };
  const nothing = !old.resources && !kept.requests && !kept.limits && !kept.claims?.length;
  rest.resources = nothing ? undefined : kept;
  if (!deepEqual(rest.resources, old.resources)) at.forbidden("only cpu and memory resources are mutable at pod-level");
}

function validateOrder(spec: v1.PodSpec, old: v1.PodSpec, at: Field): boolean {
  const before = at.count;
  for (const list of LISTS) {
    const now = spec[list] ?? [], past = old[list] ?? [];
    if (now.length !== past.length) at.child(list).forbidden(`${list} may not be added or removed on resize`);
    else {
      past.forEach((container, i) => {
        if (now[i].name === container.name) return;
        at.child(list).index(i).child("name").forbidden(`${list} may not be renamed or reordered on resize`);
      });
    }
  }
  return at.count === before;
}

function removes(now: ResourceList = {}, before: ResourceList = {}): boolean {
  return Object.keys(before).some((name) => !(name in now));
}

function validateNotRemoved(
  now: v1.ResourceRequirements | undefined,
  before: v1.ResourceRequirements | undefined,
  at: Field,
): void {
  for (const side of ["requests", "limits"] as const) {
    if (removes(now?.[side], before?.[side])) at.child(side).forbidden(`resource ${side} cannot be removed`);
  }
}

/** A list with the old cpu and memory; undefined when there is nothing in it. */
function oldCompute(now: ResourceList | undefined, before: ResourceList | undefined): ResourceList | undefined {
  const list: ResourceList = { ...now };
  for (const name of ["cpu", "memory"]) {
    delete list[name];
    if (before?.[name] !== undefined) list[name] = before[name];
  }
  return Object.keys(list).length === 0 && !before ? undefined : list;
}

function withOldCompute(container: v1.Container, old: v1.Container): v1.Container {
  const resources: v1.ResourceRequirements = {};
  for (const side of ["limits", "requests"] as const) {
    const list = oldCompute(container.resources?.[side], old.resources?.[side]);
    if (list) resources[side] = list;
  }
  return { ...container, resources };
}

function validateInitContainer(container: v1.Container, old: v1.Container, at: Field): v1.Container {
  const kept = withOldCompute(container, old);
  if (!deepEqual(kept, old)) {
    at.forbidden("only cpu and memory resources for init or sidecar containers are mutable");
  }
  if (!isSidecar(container) && !deepEqual(container, old)) {
    for (const { restartPolicy } of container.resizePolicy ?? []) {
      if (restartPolicy !== "RestartContainer") continue;
      at.forbidden("non-sidecar init containers with a resize policy of RestartContainer cannot be resized");
    }
  }
  return kept;
}
