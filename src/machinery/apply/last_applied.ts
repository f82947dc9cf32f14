// kubectl's way from client-side to server-side apply: what it set by client-side apply is its own, and the annotation
// by which it did so is kept up as long as it is there.
import { goJson } from "../go_text.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { applyConfiguration, type ApplyInfo } from "./apply.ts";
import { untracked } from "./changes.ts";
import { checkApplied } from "./check.ts";
import { compare } from "./compare.ts";
import { difference, type FieldSet, isEmptySet, union } from "./field_set.ts";
import { ApplyConflict } from "./ownership.ts";
import { namedSet } from "./whole_set.ts";

const KUBECTL = "kubectl";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** Bytes that the annotations of an object may add up to. */
const MAX_ANNOTATIONS = 256 * 1024;

/** As {@link applyConfiguration}, and what is special when kubectl applies. */
export async function applyObject(info: ApplyInfo, applied: KubeObject): Promise<KubeObject> {
  if (info.manager !== KUBECTL) return await applyConfiguration(info, applied);
  const object = await applyOverOwn(info, applied);
  const annotations = object.metadata.annotations;
  if (annotations?.[LAST_APPLIED]) object.metadata.annotations = withLastApplied(annotations, applied);
  return object;
}

async function applyOverOwn(info: ApplyInfo, applied: KubeObject): Promise<KubeObject> {
  try {
    return await applyConfiguration(info, applied);
  } catch (error) {
    const own = error instanceof ApplyConflict ? clientSideApplied(info) : undefined;
    if (own === undefined) throw error;
    const conflict = error as ApplyConflict;
    if (!isEmptySet(difference(conflict.fields, own))) throw conflict.without(own);
    return await applyConfiguration({ ...info, force: true }, applied);
  }
}

/** The fields that client-side apply set last and nobody has changed since; undefined when nobody knows. */
function clientSideApplied({ type, apiVersion, live }: ApplyInfo): FieldSet | undefined {
  const last = parse(live?.metadata.annotations?.[LAST_APPLIED]);
  if (live === undefined || last === undefined || last.apiVersion !== apiVersion) return undefined;
  const stored = untracked(live);
  if (checkApplied(type, last).length > 0 || checkApplied(type, stored).length > 0) return undefined;
  const set = namedSet(type, last), changes = compare(type, last, stored);
  if (changes === undefined) return set;
  return difference(set, union(union(changes.modified, changes.added), changes.removed));
}

function parse(text: string | undefined): JsonObject | undefined {
  if (!text) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withLastApplied(annotations: Record<string, string>, applied: KubeObject): Record<string, string> {
  const updated: Record<string, string> = { ...annotations, [LAST_APPLIED]: lastAppliedOf(applied) };
  if (sizeOf(updated) > MAX_ANNOTATIONS) delete updated[LAST_APPLIED];
  return updated;
}

/** What kubectl would write into its annotation. */
function lastAppliedOf(applied: KubeObject): string {
  const { metadata } = applied;
  const { [LAST_APPLIED]: _own, ...annotations } = metadata.annotations ?? {};
  const config = metadata.annotations ? { ...applied, metadata: { ...metadata, annotations } } : applied;
  return goJson(withSortedMembers(config as unknown as Json)) + "\n";
}

function withSortedMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, withSortedMembers(value[name]!)]));
}

const encoder = new TextEncoder();

function sizeOf(annotations: Record<string, string>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(annotations)) {
    bytes += encoder.encode(name).length + encoder.encode(value).length;
  }
  return bytes;
}
