// What the checks of pod security are made of.
import { containersOf } from "../../../apis/core/pod_spec/visit.ts";
import type { Container, EphemeralContainer, PodSpec } from "../../../facts/generated/types.ts";
import type { ObjectMeta } from "../../../machinery/types.ts";

/** What a check looks at. */
export interface PodLike {
  metadata: ObjectMeta;
  spec: PodSpec;
}

/** Why a pod is not allowed; both go into messages. */
export interface Violation {
  reason: string;
  detail: string;
}

export type CheckFunction = (pod: PodLike) => Violation | undefined;

/** What is asked at which level, from which minor version of the policy on. */
export interface Check {
  id: string;
  level: "baseline" | "restricted";
  /** In the order of versions; none before the first. */
  versions: readonly [since: number, check: CheckFunction][];
  /** Checks of the baseline level that the restricted one need not ask any more. */
  overrides?: readonly string[];
}

export type AnyContainer = Container | EphemeralContainer;

/** `"a", "b"` */
export function quoted(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(", ");
}

/** The word for one, or for several. */
export function plural(one: string, count: number, several = `${one}s`): string {
  return count === 1 ? one : several;
}

/** `container "a"` or `containers "a", "b"` */
export function containerNames(names: readonly string[]): string {
  return `${plural("container", names.length)} ${quoted(names)}`;
}

/** Names of the containers about which `isWrong` says so. */
export function namesWhere(spec: PodSpec, isWrong: (container: AnyContainer) => boolean): string[] {
  return containersOf(spec).filter(isWrong).map((container) => container.name ?? "");
}

/** `pod`, `container "a"` or both, as who set something. */
export function setters(pod: boolean, containers: readonly string[]): string {
  return [...pod ? ["pod"] : [], ...containers.length > 0 ? [containerNames(containers)] : []].join(" and ");
}

/** Sorted, each once. */
export function sortedSet(values: Iterable<string>): string[] {
  return [...new Set(values)].sort();
}

export function isWindows({ spec }: PodLike): boolean {
  return spec.os?.name === "windows";
}

/** Root in a user namespace is nobody outside of it (KEP-127). */
export function inUserNamespace({ spec }: PodLike): boolean {
  return spec.hostUsers === false;
}

/** The check for pods of which `exempt` is not true. */
export function unless(exempt: (pod: PodLike) => boolean, check: CheckFunction): CheckFunction {
  return (pod) => exempt(pod) ? undefined : check(pod);
}
