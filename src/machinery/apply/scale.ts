// managedFields between an object and its scale: whoever owns the number of replicas of one owns that of the other.
import type { ManagedFieldsEntry, ObjectMeta } from "../types.ts";
import { descend, difference, type FieldSet, isEmptySet, setOfNames } from "./field_set.ts";
import { encodeEntries, isSameManager, type Manager, managersFor } from "./managed_fields.ts";

export interface ScaleMapping {
  /** Where the object has the number of replicas, by the version in which entries may speak: `["spec", "replicas"]`. */
  replicas: Readonly<Record<string, readonly string[]>>;
  /** The version of the object in the request. */
  apiVersion: string;
}

const SCALE_VERSION = "autoscaling/v1";
const SCALE_REPLICAS = ["spec", "replicas"];

function has(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet = set, member = false;
  for (const name of path) {
    const at = descend(node, `f:${name}`);
    if (at === undefined) return false;
    node = at.below;
    member = at.member;
  }
  return member;
}

/** The entries of an object as those of its scale. */
export function scaleManagedFields(object: ObjectMeta, { replicas }: ScaleMapping): ManagedFieldsEntry[] | undefined {
  const owners = managersFor(object, {}, "").filter(({ apiVersion, set }) => {
    const path = replicas[apiVersion];
    return path !== undefined && has(set, path);
  });
  const set = setOfNames([SCALE_REPLICAS]);
  return encodeEntries(owners.map((owner) => ({ ...owner, apiVersion: SCALE_VERSION, set })));
}

/** The entries of an object after a write of its scale; entries of versions that are not mapped go. */
export function parentManagedFields(
  object: ObjectMeta,
  scale: ObjectMeta,
  { replicas, apiVersion }: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const owners = managersFor(scale, {}, "");
  const kept = new Set<Manager>(), left: Manager[] = [];
  for (const manager of managersFor(object, {}, "")) {
    const path = replicas[manager.apiVersion];
    if (path === undefined) continue;
    const owner = owners.find((o) => isSameManager(o, manager));
    if (!has(manager.set, path) || owner !== undefined) {
      if (owner !== undefined && has(manager.set, path)) kept.add(owner);
      left.push(manager);
      continue;
    }
    const set = difference(manager.set, setOfNames([path]));
    if (!isEmptySet(set)) left.push({ ...manager, set });
  }
  const set = setOfNames([replicas[apiVersion]]);
  for (const owner of owners) {
    if (kept.has(owner) || !has(owner.set, SCALE_REPLICAS)) continue;
    left.push({ ...owner, apiVersion, set, time: undefined });
  }
  return encodeEntries(left);
}
