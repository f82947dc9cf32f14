// Who owns what after a change, and the conflicts of an apply with what others own.
import { StatusError, statusError } from "../errors.ts";
import type { ChangesByVersion } from "./changes.ts";
import type { Comparison } from "./compare.ts";
import { difference, EMPTY, type FieldSet, intersection, isEmptySet, paths, setOfNames, union } from "./field_set.ts";
import { type Identity, identityText, isSameManager, type Manager, type Managers } from "./managed_fields.ts";
import { pathText } from "./path_element.ts";

/** Fields that nobody owns. */
export const UNOWNED = setOfNames([
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
]);

export function withoutUnowned(set: FieldSet): FieldSet {
  return difference(set, UNOWNED);
}

/** Fields of one manager that an apply would change. */
export interface Conflict {
  manager: Manager;
  set: FieldSet;
}

/** What others own that changes. Entries of unknown versions have no say. */
export function conflictsWith(managers: Managers, changes: ChangesByVersion, self?: Identity): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const manager of managers) {
    const seen = changes.get(manager.apiVersion);
    if (seen === undefined || self !== undefined && isSameManager(manager, self)) continue;
    const set = intersection(manager.set, union(seen.modified, seen.added));
    if (!isEmptySet(set)) conflicts.push({ manager, set });
  }
  return conflicts;
}

/** The entries of others without what has changed; those left with nothing, or of versions nobody knows, go. */
export function dispossess(managers: Managers, changes: ChangesByVersion, self?: Identity): Managers {
  const left: Manager[] = [];
  let last: Comparison | undefined, touched = EMPTY;
  for (const manager of managers) {
    if (self !== undefined && isSameManager(manager, self)) {
      left.push(manager);
      continue;
    }
    const seen = changes.get(manager.apiVersion);
    if (seen === undefined) continue;
    if (seen !== last) touched = union(union(seen.modified, seen.added), seen.removed);
    last = seen;
    const set = difference(manager.set, touched);
    if (set === manager.set) left.push(manager);
    else if (!isEmptySet(set)) left.push({ ...manager, set });
  }
  return left;
}

/** The refusal of an apply that met fields of others. */
export class ApplyConflict extends StatusError {
  constructor(readonly conflicts: readonly Conflict[]) {
    super(statusOf(conflicts));
  }

  /** The fields that it is about, whoever owns them. */
  get fields(): FieldSet {
    return this.conflicts.reduce((all, { set }) => union(all, set), this.conflicts[0].set);
  }

  /** The same without fields that are no conflict after all. */
  without(fields: FieldSet): ApplyConflict {
    const left = this.conflicts.map(({ manager, set }) => ({ manager, set: difference(set, fields) }));
    return new ApplyConflict(left.filter(({ set }) => !isEmptySet(set)));
  }
}

function statusOf(conflicts: readonly Conflict[]) {
  const byIdentity = conflicts.toSorted((a, b) => identityText(a.manager) < identityText(b.manager) ? -1 : 1);
  const all = byIdentity.map(({ manager, set }) => ({
    manager: managerText(manager),
    fields: [...paths(set)].map(pathText),
  }));
  const causes = all.flatMap(({ manager, fields }) =>
    fields.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${manager}`, field }))
  );
  return statusError(409, "Conflict", message(all), { causes }).status;
}

function message(conflicts: readonly { manager: string; fields: string[] }[]): string {
  const count = conflicts.reduce((sum, { fields }) => sum + fields.length, 0);
  if (count === 1) {
    return `Apply failed with 1 conflict: conflict with ${conflicts[0].manager}: ${conflicts[0].fields[0]}`;
  }
  const lines = conflicts.flatMap(({ manager, fields }) => [
    `conflicts with ${manager}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}

/** `"kubectl"`, `"kubectl-edit" with subresource "status" using v1` */
function managerText({ manager, operation, apiVersion, subresource }: Manager): string {
  let text = JSON.stringify(manager);
  if (subresource !== "") text += ` with subresource ${JSON.stringify(subresource)}`;
  return operation === "Apply" ? text : `${text} using ${apiVersion}`;
}
