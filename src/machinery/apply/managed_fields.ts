// metadata.managedFields: entries in and out of an object, their identity and order, and how many there may be.
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from "../types.ts";
import { EMPTY, type FieldSet, isEmptySet, parseFieldSet, union } from "./field_set.ts";
import { FieldPathError } from "./path_element.ts";
import { sameJson } from "./typed.ts";

export interface Identity {
  manager: string;
  operation: "Apply" | "Update";
  /** An applier is one whatever version it applies in. */
  apiVersion: string;
  subresource: string;
}

/** Who set which fields: one entry of managedFields. */
export interface Manager extends Identity {
  set: FieldSet;
  /** RFC 3339 in seconds; undefined for an entry without one. */
  time?: string;
}

/** Entries, each identity once. */
export type Managers = readonly Manager[];

export function isSameManager(a: Identity, b: Identity): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource &&
    (a.operation === "Apply" || a.apiVersion === b.apiVersion);
}

/** The entries with one in the place of its namesake, or behind the others. */
export function withManager(managers: Managers, manager: Manager): Managers {
  const others = managers.filter((m) => !isSameManager(m, manager));
  return isEmptySet(manager.set) ? others : [...others, manager];
}

/**
 * The entries to go on with: those that the new object brings when they make sense, else the stored ones. A client
 * gives `[]` or `[{}]` to have everything forgotten. What a subresource is given does not count.
 */
export function managersFor(stored: ObjectMeta | undefined, given: ObjectMeta, subresource: string): Managers {
  const own = stored?.managedFields ?? [], entries = given.managedFields;
  if (subresource !== "" || entries === undefined || entries === null || isSameList(entries, own)) return trusted(own);
  if (isReset(entries)) return [];
  const managers = decodeEntries(entries);
  return managers === undefined || managers.length === 0 ? trusted(own) : managers;
}

function isSameList(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return a.length > 0 && sameJson(a as never, b as never);
}

function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  if (entries.length !== 1) return entries.length === 0;
  return Object.values(entries[0]).every((value) => value === undefined || value === null || value === "");
}

/** Entries that this server wrote. Of several of one manager (a scale may leave such) the last counts. */
function trusted(entries: readonly ManagedFieldsEntry[]): Managers {
  const managers = entries.map((entry) => managerOf(entry, entry.fieldsV1 ?? EMPTY));
  return managers.filter((m, i) => !managers.some((other, j) => j > i && isSameManager(m, other)));
}

/** Undefined when an entry makes no sense: then all are distrusted. */
function decodeEntries(entries: readonly ManagedFieldsEntry[]): Managers | undefined {
  return problemOf(entries) === undefined
    ? entries.reduce<Managers>((known, entry) => {
      const manager = managerOf(entry, parseFieldSet(entry.fieldsV1 ?? {}));
      return [...known.filter((m) => !isSameManager(m, manager)), manager];
    }, [])
    : undefined;
}

/** What is wrong with entries; undefined when nothing is. */
export function problemOf(entries: readonly ManagedFieldsEntry[]): string | undefined {
  for (const [index, { operation, apiVersion, fieldsType, fieldsV1 }] of entries.entries()) {
    if (operation !== "Apply" && operation !== "Update") return "operation must be `Apply` or `Update`";
    if (!apiVersion) return "apiVersion must not be empty";
    if (!fieldsType) return `missing fieldsType in managed fields entry ${index}`;
    if (fieldsType !== "FieldsV1") return `invalid fieldsType "${fieldsType}" in managed fields entry ${index}`;
    try {
      parseFieldSet(fieldsV1 ?? {});
    } catch (error) {
      if (!(error instanceof FieldPathError)) throw error;
      return `error decoding set: ${error.message}`;
    }
  }
  return undefined;
}

function managerOf(entry: ManagedFieldsEntry, set: FieldSet): Manager {
  const { manager = "", operation, apiVersion = "", time, subresource = "" } = entry;
  return { manager, operation: operation as Manager["operation"], apiVersion, subresource, time, set };
}

/** Writes the entries into the object, in their order. */
export function encodeManagers(object: KubeObject, managers: Managers): void {
  const entries = encodeEntries(managers);
  if (entries === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}

/** The entries in their order; undefined when there are none. */
export function encodeEntries(managers: Managers): ManagedFieldsEntry[] | undefined {
  return managers.length === 0 ? undefined : [...managers].sort(compareManagers).map(entryOf);
}

function entryOf({ manager, operation, apiVersion, time, set, subresource }: Manager): ManagedFieldsEntry {
  const entry: ManagedFieldsEntry = { manager, operation, apiVersion };
  if (manager === "") delete entry.manager;
  if (time !== undefined && time !== null) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = set;
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

function compareManagers(a: Manager, b: Manager): number {
  return compareText(a.operation, b.operation) || compareText(a.time ?? "", b.time ?? "") ||
    compareText(a.manager, b.manager) || compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The text by which entries are told apart and put in order where nothing else decides. */
export function identityText({ manager, operation, apiVersion, subresource }: Identity): string {
  const identity: ManagedFieldsEntry = {};
  if (manager !== "") identity.manager = manager;
  identity.operation = operation;
  if (operation === "Update") identity.apiVersion = apiVersion;
  if (subresource !== "") identity.subresource = subresource;
  return JSON.stringify(identity);
}

/** Entries of updates that one object may have. */
const MAX_UPDATERS = 10;
const ANCIENT = "ancient-changes";

/** Joins the oldest updaters, those of each version into one, until there are few enough. */
export function capManagers(managers: Managers): Managers {
  const updaters = managers.filter((m) => m.operation === "Update");
  let excess = updaters.length - MAX_UPDATERS;
  if (excess <= 0) return managers;
  updaters.sort((a, b) => compareText(a.time ?? "", b.time ?? "") || compareText(identityText(a), identityText(b)));
  let capped = managers;
  const oldest = new Map<string, Manager>();
  for (const updater of updaters) {
    if (excess <= 0) break;
    const { apiVersion, time } = updater, first = oldest.get(apiVersion);
    if (first === undefined) {
      oldest.set(apiVersion, updater);
      continue;
    }
    const bucket = { manager: ANCIENT, operation: "Update", apiVersion, subresource: "" } as const;
    const joined = capped.find((m) => isSameManager(m, bucket)) ?? first;
    capped = withManager(capped.filter((m) => m !== joined && m !== updater), {
      ...bucket,
      time,
      set: union(updater.set, joined.set),
    });
    excess--;
  }
  return capped;
}
