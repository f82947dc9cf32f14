// All containers of a pod, in the order in which rules go through them.
import type { Container, EphemeralContainer, PodSpec } from "../../../facts/generated/types.ts";
import type { Field } from "../../../machinery/validation/field.ts";

export type ContainerList = "initContainers" | "containers" | "ephemeralContainers";

/** Init containers first, then the containers, then the ephemeral ones. */
export const CONTAINER_LISTS: readonly ContainerList[] = ["initContainers", "containers", "ephemeralContainers"];

export function containersOf(spec: PodSpec): (Container | EphemeralContainer)[] {
  return [...spec.initContainers ?? [], ...spec.containers ?? [], ...spec.ephemeralContainers ?? []];
}

/** `at` is the spec. */
export function visitContainers(
  spec: PodSpec,
  at: Field,
  visit: (container: Container | EphemeralContainer, at: Field) => void,
): void {
  for (const list of CONTAINER_LISTS) {
    const containers = spec[list];
    if (!containers) continue;
    const field = at.child(list);
    for (let i = 0; i < containers.length; i++) visit(containers[i], field.index(i));
  }
}

/** A sidecar (KEP-753): an init container that keeps running. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}
