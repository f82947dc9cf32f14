// What the rules of containers need to know of the pod around them.
import type { PodSpec, Volume } from "../../../facts/generated/types.ts";
import type { PodOptions } from "./options.ts";

export interface PodScope {
  spec: PodSpec;
  options: PodOptions;
  /** The good volumes by name. */
  volumes: ReadonlyMap<string, Volume>;
  /** Names of spec.resourceClaims. */
  claims: ReadonlySet<string>;
}
