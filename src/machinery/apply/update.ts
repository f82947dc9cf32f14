// managedFields of writes that are no apply: who creates, updates or patches owns what has changed.
import type { StructType } from "../schema/model.ts";
import type { KubeObject } from "../types.ts";
import {
  changesOf,
  type Convert,
  emptyOf,
  inEveryVersion,
  inOneVersion,
  type ResetFields,
  speakOnlyOf,
  untracked,
} from "./changes.ts";
import type { ChangesByVersion } from "./changes.ts";
import { createdSet } from "./created_set.ts";
import { type FieldSet, isEmptySet, union } from "./field_set.ts";
import {
  capManagers,
  encodeManagers,
  isSameManager,
  type Manager,
  type Managers,
  managersFor,
  withManager,
} from "./managed_fields.ts";
import { dispossess, withoutUnowned } from "./ownership.ts";
import { FieldPathError } from "./path_element.ts";
import { reconcile } from "./schema_sets.ts";

export interface WriteInfo {
  /** The type of the version in which the request is. */
  type: StructType;
  apiVersion: string;
  /** The stored object in that version; undefined on create. */
  live: KubeObject | undefined;
  manager: string;
  /** "" for the object itself. */
  subresource: string;
  /** RFC 3339 in seconds. */
  now: string;
  resetFields?: ResetFields;
  convert: Convert;
}

/**
 * Sets metadata.managedFields of `object`, in place, after a create, an update or a patch. A promise only when entries
 * speak of other versions than the request's.
 */
export function updateManagedFields(info: WriteInfo, object: KubeObject): void | Promise<void> {
  const managers = managersFor(info.live?.metadata, object.metadata, info.subresource);
  delete object.metadata.managedFields;
  try {
    const tracked = track(info, managers, object);
    if (!(tracked instanceof Promise)) return encodeManagers(object, capManagers(tracked));
    return tracked.then((all) => encodeManagers(object, capManagers(all)), forgive);
  } catch (error) {
    forgive(error);
  }
}

/** An object whose fields cannot be told apart is written all the same, with nothing tracked. */
function forgive(error: unknown): void {
  if (!(error instanceof FieldPathError)) throw error;
}

/** The entries after a write. Throws FieldPathError. */
export function track(info: WriteInfo, managers: Managers, object: KubeObject): Managers | Promise<Managers> {
  const { type, apiVersion, live, convert } = info;
  // An object that nobody tracks stays so, until somebody applies.
  if (managers.length === 0 && live?.metadata.uid) return managers;
  if (live === undefined && managers.length === 0) return created(info, object);
  const before = live === undefined ? emptyOf(type) : untracked(live);
  const changes = inOneVersion(
    apiVersion,
    changesOf(type, { before, after: object as never, resetFields: info.resetFields }),
  );
  if (speakOnlyOf(managers, apiVersion)) return settle(info, reconciled(info, managers), changes);
  return inEveryVersion(changes, { managers, before: live, after: object, convert, resetFields: info.resetFields })
    .then((all) => settle(info, reconciled(info, managers), all));
}

function settle(info: WriteInfo, managers: Managers, changes: ChangesByVersion): Managers {
  const { added, modified } = changes.get(info.apiVersion)!;
  const left = dispossess(managers, changes);
  const taken = withoutUnowned(union(modified, added));
  if (isEmptySet(taken)) return left;
  const self = writerOf(info, taken);
  const known = left.find((m) => isSameManager(m, self));
  return withManager(left, known === undefined ? self : { ...self, set: union(known.set, taken) });
}

/** Of an object that is new, and nobody's so far, everything is its creator's. */
function created(info: WriteInfo, object: KubeObject): Managers {
  const set = createdSet(info.type, object as never, info.resetFields);
  return isEmptySet(set) ? [] : [writerOf(info, set)];
}

function writerOf({ manager, apiVersion, subresource, now }: WriteInfo, set: FieldSet): Manager {
  return { manager: manager || "unknown", operation: "Update", apiVersion, subresource, time: now, set };
}

/** Entries that were written when the type was another are brought up to it. */
export function reconciled({ type, apiVersion }: WriteInfo, managers: Managers): Managers {
  return managers.map((manager) => {
    if (manager.apiVersion !== apiVersion) return manager;
    const set = reconcile(type, manager.set);
    return set === manager.set ? manager : { ...manager, set };
  });
}
