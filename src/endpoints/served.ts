// Stored objects in the version that a request asks for. Objects stored in that version cost nothing; others are
// converted once for each version and remembered as long as the item lives.
import { parseExactly } from "../machinery/big_integers.ts";
import { apiVersionOf, type KubeObject } from "../machinery/types.ts";
import type { Item } from "../storage/interface.ts";
import type { Result } from "../registry/rest.ts";
import type { ServedKind } from "../registry/resource.ts";
import { encodeObject } from "./serialize.ts";

/** Ready JSON with kind and apiVersion first, and where it goes on behind them. */
export type ReadyJson = Pick<Item, "text" | "bodyStart">;

/** Whether objects are answered as they are stored. */
export function isStoredVersion(kind: ServedKind): boolean {
  const { gvk, storedGvk } = kind;
  return gvk === storedGvk ||
    gvk.version === storedGvk.version && gvk.group === storedGvk.group && gvk.kind === storedGvk.kind;
}

const converted = new WeakMap<Item, Map<ServedKind, ReadyJson>>();

/** The item's JSON in the served version. */
export function servedJson(item: Item, kind: ServedKind): ReadyJson | Promise<ReadyJson> {
  if (isStoredVersion(kind)) return item;
  const known = converted.get(item)?.get(kind);
  if (known !== undefined) return known;
  const object = kind.fromStored(item.object());
  return object instanceof Promise ? object.then((o) => remember(item, kind, o)) : remember(item, kind, object);
}

function remember(item: Item, kind: ServedKind, object: KubeObject): ReadyJson {
  const json = readyJson(kind, object);
  let versions = converted.get(item);
  if (versions === undefined) converted.set(item, versions = new Map());
  versions.set(kind, json);
  return json;
}

/** @param object in the served version */
export function readyJson(kind: ServedKind, object: KubeObject): ReadyJson {
  const text = encodeObject(kind, object);
  return { text, bodyStart: text.startsWith(typeMeta(kind)) ? typeMeta(kind).length : 1 };
}

/** `{"kind":"Pod","apiVersion":"v1",` */
function typeMeta(kind: ServedKind): string {
  return `{"kind":${JSON.stringify(kind.gvk.kind)},"apiVersion":${JSON.stringify(apiVersionOf(kind.gvk))},`;
}

/** The JSON of what storage answered. A Status is of no version. */
export async function resultJson(result: Result, kind: ServedKind): Promise<ReadyJson> {
  if ("item" in result) return await servedJson(result.item, kind);
  if (isStatus(result.object)) return { text: JSON.stringify(result.object), bodyStart: 1 };
  return readyJson(kind, await kind.fromStored(result.object));
}

/**
 * The JSON of which Tables and metadata alone are made: the real server makes them out of its internal types, so for
 * built-in kinds it is the stored object, whatever version is asked for.
 */
export function shownJson(item: Item, kind: ServedKind): ReadyJson | Promise<ReadyJson> {
  return kind.custom ? servedJson(item, kind) : item;
}

/** The object of {@link shownJson}; the caller may change it. */
export async function shownObject(result: Result, kind: ServedKind): Promise<KubeObject> {
  if ("item" in result) {
    const json = await shownJson(result.item, kind);
    return json === result.item ? result.item.object() : parseExactly(json.text);
  }
  return kind.custom ? await kind.fromStored(result.object) : result.object;
}

/** The object behind {@link shownObject} as it is served. */
export async function servedObject(shown: KubeObject, kind: ServedKind): Promise<KubeObject> {
  if (kind.custom || isStoredVersion(kind)) return shown;
  return parseExactly(readyJson(kind, await kind.fromStored(shown)).text);
}

export function isStatus(object: KubeObject): boolean {
  return object.kind === "Status" && object.apiVersion === "v1";
}
