// A write that changes nothing but the times of managedFields changes nothing at all.
import type { KubeObject } from "../types.ts";
import { untracked } from "./changes.ts";
import { sameJson } from "./typed.ts";

/** Puts the times of `object`'s managedFields back when all else is as in `old`. */
export function keepTimes(object: KubeObject, old: KubeObject): void {
  const entries = object.metadata.managedFields ?? [], before = old.metadata.managedFields ?? [];
  if (entries.length !== before.length || entries.every((entry, i) => entry.time === before[i].time)) return;
  const sameOwners = entries.every((entry, i) =>
    sameJson({ ...entry, time: "" } as never, { ...before[i], time: "" } as never)
  );
  if (!sameOwners || !sameJson(untracked(object), untracked(old))) return;
  object.metadata.managedFields = entries.map((entry, i) => ({ ...entry, time: before[i].time }));
}
