// metadata.managedFields: entries in and out of an object, their identity and order, and how many there may be.
import type { JsonObject, KubeObject, ManagedFieldsEntry, ObjectMeta } from "../types.ts";
import { type FieldSet, isEmptySet, sorted, union } from "./field_set.ts";

/** Who set fields: one entry of managedFields. */
export interface Manager {
  manager: string;
  operation: "Apply" | "Update";
  apiVersion: string;
  subresource: string;
}

export interface ManagerState extends Manager {
  set: FieldSet;
  /** RFC 3339 in seconds; undefined for an entry that came without one. */
  time?: string;
}

/** Entries by identity. */
export type Managers = Map<string, ManagerState>;

export function identityOf({ manager, operation, apiVersion, subresource }: Manager): string {
  // An applier is one whatever version it applies in.
  return JSON.stringify([manager, operation, operation === "Apply" ? "" : apiVersion, subresource]);
}

/** Undefined when an entry makes no sense: then all are distrusted. */
function decodeManagers(entries: readonly ManagedFieldsEntry[]): Managers | undefined {
  const managers: Managers = new Map();
  for (const entry of entries) {
    const { manager = "", operation = "", apiVersion = "", time, fieldsType, fieldsV1 = {}, subresource = "" } = entry;
    if (operation !== "Apply" && operation !== "Update") return undefined;
    if (fieldsType !== "FieldsV1") return undefined;
    const state: ManagerState = { manager, operation, apiVersion, subresource, time, set: fieldsV1 };
    managers.set(identityOf(state), state);
  }
  return managers;
}

/** A client gives `[]` or `[{}]` to forget who manages what. */
function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0]).length === 0);
}

/** The entries to go on with: the new object's when it brings good ones, else the stored one's. */
export function managersFor(live: ObjectMeta | undefined, given: ObjectMeta, subresource: string): Managers {
  const stored = () => decodeManagers(live?.managedFields ?? []) ?? new Map();
  if (subresource !== "") return stored();
  if (isReset(given.managedFields)) return new Map();
  const managers = decodeManagers(given.managedFields ?? []);
  return managers === undefined || managers.size === 0 ? stored() : managers;
}

/** Writes the entries into the object, in their order. */
export function encodeManagers(object: KubeObject, managers: Managers): void {
  const entries = [...managers.values()].filter((m) => !isEmptySet(m.set)).sort(compareManagers).map(entryOf);
  if (entries.length > 0) object.metadata.managedFields = entries;
  else delete object.metadata.managedFields;
}

function entryOf({ manager, operation, apiVersion, time, set, subresource }: ManagerState): ManagedFieldsEntry {
  const entry: ManagedFieldsEntry = { manager, operation, apiVersion };
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = inOrder(set);
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

/** Sets that were read are in order already; each is put in order once. */
const ordered = new WeakMap<FieldSet, JsonObject>();

function inOrder(set: FieldSet): JsonObject {
  let known = ordered.get(set);
  if (known === undefined) ordered.set(set, known = sorted(set));
  return known;
}

function compareManagers(a: ManagerState, b: ManagerState): number {
  return compareText(a.operation, b.operation) || compareText(a.time ?? "", b.time ?? "") ||
    compareText(a.manager, b.manager) || compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Entries of updates that one object may have. */
const MAX_UPDATERS = 10;
const ANCIENT = "ancient-changes";

/** Joins the oldest updaters into one per version until there are few enough. */
export function capManagers(managers: Managers): void {
  const updaters = [...managers].filter(([, m]) => m.operation === "Update" && m.subresource === "");
  let count = updaters.length;
  if (count <= MAX_UPDATERS) return;
  updaters.sort(([, a], [, b]) => compareText(a.time ?? "", b.time ?? "") || compareText(a.manager, b.manager));
  for (const [id, state] of updaters) {
    if (count <= MAX_UPDATERS) return;
    managers.delete(id);
    const bucket: ManagerState = { ...state, manager: ANCIENT };
    const joined = managers.get(identityOf(bucket));
    if (joined !== undefined) {
      bucket.set = union(joined.set, state.set);
      count--;
    }
    managers.set(identityOf(bucket), bucket);
  }
}
