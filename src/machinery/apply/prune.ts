// Taking away what a manager applied last and applies no more, as far as nobody else owns it.
import type { JsonObject, KubeObject } from "../types.ts";
import { speakOnlyOf, type Versioned } from "./changes.ts";
import { difference, EMPTY, type FieldSet, intersection, isEmptySet, union } from "./field_set.ts";
import type { Manager, Managers } from "./managed_fields.ts";
import { removeFields } from "./merge.ts";
import { withDeclaredParents } from "./schema_sets.ts";
import type { WriteInfo } from "./update.ts";
import { namedSet } from "./whole_set.ts";

interface Pruning {
  /** The stored object with the configuration laid over it. */
  merged: KubeObject;
  /** Everybody's entries, the applier's new one among them. */
  managers: Managers;
  /** What the applier applied last. */
  last: Manager | undefined;
}

/** The object without what is given up. */
export async function prune(info: WriteInfo, { merged, managers, last }: Pruning): Promise<KubeObject> {
  if (last === undefined || isEmptySet(last.set)) return merged;
  const { type, apiVersion } = info;
  if (last.apiVersion !== apiVersion || !speakOnlyOf(managers, apiVersion)) {
    return await pruneAcross(info, { merged, managers, last });
  }
  const owned = ownedIn(managers, apiVersion);
  // Whose fields are all owned still, those above them are owned, too.
  if (isEmptySet(difference(last.set, owned))) return merged;
  const gone = difference(withDeclaredParents(type, last.set), withDeclaredParents(type, owned));
  return without({ type, object: merged }, gone).object;
}

function ownedIn(managers: Managers, apiVersion: string): FieldSet {
  return managers.reduce((all, m) => m.apiVersion === apiVersion ? union(all, m.set) : all, EMPTY);
}

function without({ type, object }: Versioned, fields: FieldSet): Versioned {
  return { type, object: removeFields(type, object as unknown as JsonObject, fields) as unknown as KubeObject };
}

/** Everything there is in an object, parents included. */
function fieldsOf({ type, object }: Versioned): FieldSet {
  return withDeclaredParents(type, namedSet(type, object as unknown as JsonObject));
}

/**
 * The same when entries speak of several versions. All that was applied last is taken away in the version in which it
 * was applied, what others own is put back in each of theirs, and what else got lost on the way is put back at last.
 */
async function pruneAcross(
  { type, apiVersion, convert }: WriteInfo,
  { merged, managers, last }: Pruning & { last: Manager },
): Promise<KubeObject> {
  const to = async ({ object, type }: Versioned, version: string) =>
    object.apiVersion === version ? { object, type } : await convert(object, version);
  const full = await to({ type, object: merged }, last.apiVersion);
  if (full === undefined) return merged;
  const gone = withDeclaredParents(full.type, last.set);
  let pruned = without(full, gone);
  for (const version of new Set([last.apiVersion, ...managers.map((m) => m.apiVersion)])) {
    const all = await to(full, version), rest = await to(pruned, version);
    if (all === undefined || rest === undefined) continue;
    const kept = union(fieldsOf(rest), withDeclaredParents(all.type, ownedIn(managers, version)));
    pruned = without(all, difference(fieldsOf(all), kept));
  }
  const rest = await to(pruned, last.apiVersion);
  if (rest === undefined) return merged;
  const result = without(full, intersection(difference(fieldsOf(full), fieldsOf(rest)), gone));
  return (await to(result, apiVersion))?.object ?? merged;
}
