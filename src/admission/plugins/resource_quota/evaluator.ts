// What quotas count of a resource, and how quotas choose objects.
import type { ResourceList } from "../../../apis/core/resource_names.ts";
import type { ScopedResourceSelectorRequirement } from "../../../facts/generated/types.ts";
import { formatGroupResource, type GroupResource, type KubeObject } from "../../../machinery/types.ts";
import type { AdmissionAttributes } from "../../interface.ts";

export type ScopeRequirement = ScopedResourceSelectorRequirement;

/** Measures the objects of one resource. */
export interface Evaluator {
  /** Whether a request can change what is used. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Those names of a quota's limits that this resource counts for. */
  matching(names: readonly string[]): string[];
  /** Whether the object is in a scope; a resource without scopes is in none. */
  isInScope?(scope: ScopeRequirement, object: KubeObject): boolean;
  /** What the object would have to say because these are limited; undefined when it says enough. */
  missing?(names: readonly string[], object: KubeObject): string | undefined;
  usage(object: KubeObject): ResourceList;
}

/** `count/pods`, `count/deployments.apps` */
export function countName(resource: GroupResource): string {
  return `count/${formatGroupResource(resource)}`;
}

/** Counts objects, under these names. */
export function counting(...names: readonly string[]): Evaluator {
  const usage = Object.fromEntries(names.map((name) => [name, "1"]));
  return {
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === "",
    matching: (limited) => names.filter((name) => limited.includes(name)),
    usage: () => usage,
  };
}

/** How `In`, `NotIn`, `Exists` and `DoesNotExist` choose among what an object has under the scope's name. */
export function matchesValues({ operator, values = [] }: ScopeRequirement, has: readonly string[]): boolean {
  switch (operator) {
    case "Exists":
      return has.length > 0;
    case "DoesNotExist":
      return has.length === 0;
    case "In":
      return has.some((value) => values.includes(value));
    default:
      return has.length === 0 || has.some((value) => !values.includes(value));
  }
}
