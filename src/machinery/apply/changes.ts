// What a write changes, as each version of the kind that the entries speak of sees it.
import { emptyObject } from "../codec/decode.ts";
import type { StructType } from "../schema/model.ts";
import type { JsonObject, KubeObject } from "../types.ts";
import { compare, type Comparison } from "./compare.ts";
import { EMPTY, type FieldSet, recursiveDifference, setOfNames } from "./field_set.ts";
import type { Managers } from "./managed_fields.ts";

/** An object and the type of its version. */
export interface Versioned {
  type: StructType;
  object: KubeObject;
}

/** Converts an object to another version of its kind; undefined when nobody knows that version. */
export type Convert = (
  object: KubeObject,
  apiVersion: string,
) => Versioned | undefined | Promise<Versioned | undefined>;

export type Paths = readonly (readonly string[])[];

/** Paths that a write puts back to their old values: nobody owns them by it. */
export type ResetFields = Paths | undefined;

/** The part of a set that a write may own. */
export function ownable(set: FieldSet, resetFields: ResetFields): FieldSet {
  return resetFields === undefined ? set : recursiveDifference(set, setOf(resetFields));
}

const sets = new WeakMap<Paths, FieldSet>();

/** The set of paths of a table. */
export function setOf(paths: Paths): FieldSet {
  let set = sets.get(paths);
  if (set === undefined) sets.set(paths, set = setOfNames(paths));
  return set;
}

const NO_CHANGES: Comparison = Object.freeze({ added: EMPTY, modified: EMPTY, removed: EMPTY });

/** Undefined when nothing changes that counts. Throws FieldPathError. */
export function changesOf(
  type: StructType,
  { before, after, resetFields }: { before: JsonObject; after: JsonObject; resetFields: ResetFields },
): Comparison | undefined {
  const changes = compare(type, before, after);
  if (changes === undefined || resetFields === undefined) return changes;
  return {
    added: ownable(changes.added, resetFields),
    modified: ownable(changes.modified, resetFields),
    removed: ownable(changes.removed, resetFields),
  };
}

/** The changes by the version in which they are named. A version that is missing is not known any more. */
export type ChangesByVersion = ReadonlyMap<string, Comparison>;

/** @param changes those in `apiVersion` */
export function inOneVersion(apiVersion: string, changes: Comparison | undefined): ChangesByVersion {
  return new Map([[apiVersion, changes ?? NO_CHANGES]]);
}

export function speakOnlyOf(managers: Managers, apiVersion: string): boolean {
  for (const manager of managers) if (manager.apiVersion !== apiVersion) return false;
  return true;
}

/** @param known the changes in the version of the write */
export async function inEveryVersion(
  known: ChangesByVersion,
  { managers, before, after, convert, resetFields }: {
    managers: Managers;
    /** Undefined on create. */
    before: KubeObject | undefined;
    after: KubeObject;
    convert: Convert;
    resetFields: ResetFields;
  },
): Promise<ChangesByVersion> {
  const changes = new Map(known);
  for (const version of new Set(managers.map((m) => m.apiVersion))) {
    if (changes.has(version)) continue;
    const is = await convert(after, version), was = before && await convert(before, version);
    if (is === undefined || before !== undefined && was === undefined) continue;
    const live = was === undefined ? emptyOf(is.type) : untracked(was.object);
    changes.set(version, changesOf(is.type, { before: live, after: untracked(is.object), resetFields }) ?? NO_CHANGES);
  }
  return changes;
}

const empties = new WeakMap<StructType, JsonObject>();

/** An object of a type with nothing set. Not to be changed. */
export function emptyOf(type: StructType): JsonObject {
  let empty = empties.get(type);
  if (empty === undefined) empties.set(type, empty = emptyObject(type));
  return empty;
}

/** The object without its managedFields, which nobody owns. */
export function untracked(object: KubeObject): JsonObject {
  if (object.metadata.managedFields === undefined) return object as unknown as JsonObject;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonObject;
}
