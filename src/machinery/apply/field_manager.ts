// The field manager: keeps managedFields up on every write and does server-side apply (KEP-555).
import { emptyObject } from "../codec/decode.ts";
import { StatusError, statusError } from "../errors.ts";
import type { StructType } from "../schema/model.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { compare, type Comparison } from "./compare.ts";
import {
  difference,
  EMPTY,
  type FieldSet,
  FieldSetBuilder,
  intersection,
  isEmptySet,
  paths,
  pathText,
  recursiveDifference,
  union,
  withNamedParents,
} from "./field_set.ts";
import {
  capManagers,
  encodeManagers,
  identityOf,
  type Manager,
  type Managers,
  managersFor,
  type ManagerState,
} from "./managed_fields.ts";
import { merge, removeFields, toFieldSet } from "./merge.ts";
import { deepEqual } from "./typed.ts";

/** Converts an object to another version of its kind; undefined when that version is not known. */
export type ConvertTo = (
  object: KubeObject,
  apiVersion: string,
) => { object: KubeObject; type: StructType } | undefined;

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
  /** Paths that this way of writing puts back, as names. */
  resetFields?: readonly (readonly string[])[];
  /** For kinds with several versions. */
  convert?: ConvertTo;
}

/** metadata that nobody owns. */
const UNOWNED = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "generation",
  "managedFields",
  "resourceVersion",
];

const STRIPPED = fieldSetOf([["apiVersion"], ["kind"], ["metadata"], ...UNOWNED.map((name) => ["metadata", name])]);

function fieldSetOf(names: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of names) builder.add(path.map((name) => `f:${name}`));
  return builder.build();
}

const resets = new WeakMap<readonly (readonly string[])[], FieldSet>();

function ignoredBy(info: WriteInfo): FieldSet {
  if (info.resetFields === undefined) return EMPTY;
  let set = resets.get(info.resetFields);
  if (set === undefined) resets.set(info.resetFields, set = fieldSetOf(info.resetFields));
  return set;
}

/** Sets metadata.managedFields of `object`, in place, after a create, an update or a patch. */
export function updateManagedFields(info: WriteInfo, object: KubeObject): void {
  const { live } = info;
  const managers = managersFor(live?.metadata, object.metadata, info.subresource);
  delete object.metadata.managedFields;
  // An object that nobody tracks stays so, until somebody applies.
  if (managers.size === 0 && live?.metadata.uid) return;
  track(info, managers, object);
  capManagers(managers);
  encodeManagers(object, managers);
}

function track(info: WriteInfo, managers: Managers, object: KubeObject): void {
  const changes = changesOf(info, info.type, liveOf(info), object);
  if (changes === undefined) return;
  const { taken } = settle(info, managers, object, { changes, force: true });
  if (isEmptySet(taken)) return;
  const self: Manager = {
    manager: info.manager,
    operation: "Update",
    apiVersion: info.apiVersion,
    subresource: info.subresource,
  };
  const id = identityOf(self);
  const before = managers.get(id);
  managers.set(id, { ...self, set: before === undefined ? taken : union(before.set, taken), time: info.now });
}

/** The stored object without managedFields, or an empty one. */
function liveOf({ live, type }: WriteInfo): JsonObject {
  if (live === undefined) return emptyObject(type);
  return withoutManagedFields(live);
}

function withoutManagedFields(object: KubeObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonObject;
}

function changesOf(
  info: WriteInfo,
  type: StructType,
  before: JsonObject,
  after: KubeObject,
): Comparison | undefined {
  const changes = compare(type, before, after as unknown as JsonObject);
  if (changes === undefined) return undefined;
  const ignored = ignoredBy(info);
  const own = (set: FieldSet) => difference(recursiveDifference(set, ignored), STRIPPED);
  return { added: own(changes.added), modified: own(changes.modified), removed: own(changes.removed) };
}

interface Settlement {
  changes: Comparison;
  force: boolean;
  /** The entry that applies, which does not conflict with itself. */
  applying?: string;
}

/** Takes what changed from those who had it. Throws the conflicts of an apply that is not forced. */
function settle(
  info: WriteInfo,
  managers: Managers,
  object: KubeObject,
  { changes, force, applying }: Settlement,
): { taken: FieldSet } {
  const taken = union(changes.added, changes.modified);
  const conflicts: { state: ManagerState; set: FieldSet }[] = [];
  const lost: [string, FieldSet][] = [];
  for (const [id, state] of managers) {
    if (id === applying) continue;
    const theirs = inVersion(info, state, object, changes);
    if (theirs === undefined) {
      managers.delete(id);
      continue;
    }
    const set = intersection(state.set, union(theirs.added, theirs.modified));
    if (!isEmptySet(set)) conflicts.push({ state, set });
    lost.push([id, union(set, theirs.removed)]);
  }
  if (!force && conflicts.length > 0) throw new ApplyConflict(conflicts);
  for (const [id, set] of lost) {
    const state = managers.get(id)!;
    const left = difference(state.set, set);
    if (left === state.set) continue;
    if (isEmptySet(left)) managers.delete(id);
    else managers.set(id, { ...state, set: left });
  }
  return { taken };
}

/** The changes as an entry of another version sees them; undefined when that version is no longer known. */
function inVersion(
  info: WriteInfo,
  state: ManagerState,
  object: KubeObject,
  changes: Comparison,
): Comparison | undefined {
  if (state.apiVersion === info.apiVersion) return changes;
  const after = info.convert?.(object, state.apiVersion);
  if (after === undefined) return undefined;
  const before = info.live && info.convert?.(info.live, state.apiVersion);
  const live = before === undefined ? emptyObject(after.type) : withoutManagedFields(before.object);
  return changesOf(info, after.type, live, after.object) ?? { added: EMPTY, modified: EMPTY, removed: EMPTY };
}

interface Conflict {
  state: ManagerState;
  set: FieldSet;
}

/** The refusal of an apply, with what it met. */
class ApplyConflict extends StatusError {
  constructor(readonly conflicts: readonly Conflict[]) {
    super(conflictsStatus(conflicts));
  }

  /** The same without fields that are no conflict after all. */
  without(fields: FieldSet): ApplyConflict {
    const left = this.conflicts.map(({ state, set }) => ({ state, set: difference(set, fields) }));
    return new ApplyConflict(left.filter(({ set }) => !isEmptySet(set)));
  }
}

function conflictsStatus(conflicts: readonly Conflict[]) {
  const all = conflicts.flatMap(({ state, set }) =>
    [...paths(set)].map((path) => ({ manager: managerText(state), path: pathText(path) }))
  );
  const causes = all.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${manager}`,
    field: path,
  }));
  return statusError(409, "Conflict", conflictMessage(all), { causes }).status;
}

function conflictMessage(all: readonly { manager: string; path: string }[]): string {
  if (all.length === 1) return `Apply failed with 1 conflict: conflict with ${all[0].manager}: ${all[0].path}`;
  const managers = [...new Set(all.map((c) => c.manager))].sort();
  const parts = managers.map((manager) =>
    `conflicts with ${manager}:` + all.filter((c) => c.manager === manager).map((c) => `\n- ${c.path}`).join("")
  );
  return `Apply failed with ${all.length} conflicts: ${parts.join("\n")}`;
}

function managerText({ manager, operation, apiVersion, subresource }: ManagerState): string {
  let text = JSON.stringify(manager);
  if (subresource !== "") text += ` with subresource ${JSON.stringify(subresource)}`;
  return operation === "Apply" ? text : `${text} using ${apiVersion}`;
}

const BEFORE_FIRST_APPLY = "before-first-apply";

export interface ApplyInfo extends WriteInfo {
  force: boolean;
}

const KUBECTL = "kubectl";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The stored object with a configuration applied by kubectl: what it had set by client-side apply before is its own, and
 * the annotation by which it did so is kept up as long as it is there.
 */
function applyFromKubectl(info: ApplyInfo, applied: KubeObject): KubeObject {
  const object = tryApply(info, applied);
  if (object.metadata.annotations?.[LAST_APPLIED] === undefined) return object;
  const annotation = lastAppliedOf(applied);
  if (object.metadata.annotations[LAST_APPLIED] !== annotation) {
    object.metadata.annotations = { ...object.metadata.annotations, [LAST_APPLIED]: annotation };
  }
  return object;
}

function tryApply(info: ApplyInfo, applied: KubeObject): KubeObject {
  try {
    return applyConfiguration(info, applied);
  } catch (e) {
    if (!(e instanceof ApplyConflict) || info.live === undefined) throw e;
    const own = clientSideApplied(info, info.live);
    if (!e.conflicts.every(({ set }) => isEmptySet(difference(set, own)))) throw e.without(own);
    return applyConfiguration({ ...info, force: true }, applied);
  }
}

/** The fields that client-side apply set last, as the annotation remembers them. */
function clientSideApplied({ type }: ApplyInfo, live: KubeObject): FieldSet {
  const text = live.metadata.annotations?.[LAST_APPLIED];
  if (text === undefined) return EMPTY;
  try {
    const last = JSON.parse(text) as JsonObject;
    return union(toFieldSet(type, last), fieldSetOf([["metadata", "annotations", LAST_APPLIED]]));
  } catch {
    return EMPTY;
  }
}

/** What kubectl would write into its annotation. */
function lastAppliedOf({ metadata, ...rest }: KubeObject): string {
  const { managedFields: _managedFields, annotations = {}, ...others } = metadata;
  const { [LAST_APPLIED]: _own, ...kept } = annotations;
  const meta = Object.keys(kept).length > 0 ? { ...others, annotations: kept } : others;
  return JSON.stringify(sortedKeys({ ...rest, metadata: meta } as unknown as Json)) + "\n";
}

function sortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sortedKeys(value[name]!)]));
}

/** Throws Conflict. */
export function applyObject(info: ApplyInfo, applied: KubeObject): KubeObject {
  return info.manager === KUBECTL && info.subresource === ""
    ? applyFromKubectl(info, applied)
    : applyConfiguration(info, applied);
}

/**
 * The stored object with a configuration applied, managedFields included. When nothing changes the stored object's
 * fields and times stay. Throws Conflict.
 */
function applyConfiguration(info: ApplyInfo, applied: KubeObject): KubeObject {
  const { type, live } = info;
  const stored = liveOf(info);
  const managers = managersFor(live?.metadata, {}, info.subresource);
  if (managers.size === 0 && live?.metadata.uid) {
    track({ ...info, live: undefined, manager: BEFORE_FIRST_APPLY }, managers, stored as unknown as KubeObject);
  }
  const before = new Map(managers);
  const self: Manager = {
    manager: info.manager,
    operation: "Apply",
    apiVersion: info.apiVersion,
    subresource: info.subresource,
  };
  const id = identityOf(self);
  const last = managers.get(id);
  const config = configOf(applied);
  const named = toFieldSet(type, config);
  const set = difference(recursiveDifference(named, ignoredBy(info)), STRIPPED);
  managers.set(id, { ...self, set, time: last?.time });
  const merged = merge(type, stored, config) as JsonObject;
  const object = prune(info, managers, { merged, last, named }) as unknown as KubeObject;
  const changes = changesOf(info, type, stored, object);
  if (changes !== undefined) settle(info, managers, object, { changes, force: info.force, applying: id });
  if (isEmptySet(set)) managers.delete(id);
  else if (changes !== undefined) managers.set(id, { ...managers.get(id)!, time: info.now });
  else keepTime(managers, before, id, info.now);
  capManagers(managers);
  encodeManagers(object, managers);
  return object;
}

/** An apply that changes who owns what but no value counts without a time. */
function keepTime(managers: Managers, before: Managers, id: string, _now: string): void {
  const state = managers.get(id)!, last = before.get(id);
  if (last !== undefined && deepEqual(last.set as JsonObject, state.set as JsonObject)) managers.set(id, last);
}

function configOf(applied: KubeObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = applied.metadata;
  return { ...applied, metadata } as unknown as JsonObject;
}

interface Pruning {
  merged: JsonObject;
  /** The manager's entry before. */
  last: ManagerState | undefined;
  /** Everything that the configuration names now, what nobody owns included. */
  named: FieldSet;
}

/** Takes away what this manager applied last, applies no more, and nobody else owns. */
function prune(info: WriteInfo, managers: Managers, { merged, last, named }: Pruning): JsonObject {
  if (last === undefined || isEmptySet(last.set)) return merged;
  let owned: FieldSet = named;
  for (const state of managers.values()) {
    if (state.apiVersion === info.apiVersion) owned = union(owned, state.set);
    else {
      const converted = info.convert?.(merged as unknown as KubeObject, state.apiVersion);
      // What an entry of another version owns is not given away.
      if (converted !== undefined) owned = union(owned, state.set);
    }
  }
  const gone = difference(withNamedParents(last.set), withNamedParents(owned));
  return removeFields(info.type, merged, gone);
}
