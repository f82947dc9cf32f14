// Canonical JSON: members in the order of the type. Objects that come out of the decoder are in order already and only
// what was added later has to be put in its place, so ordering is checked first and done where it is needed.
import type { FieldModel, StructType, TypeModel } from "../schema/model.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";

/** `kind`, `apiVersion` and `metadata` come first, also for custom resources. */
export function encode(type: StructType, object: KubeObject): string {
  return JSON.stringify(ordered(type, object as unknown as Json));
}

/** The same value, or a copy of the parts of it that were out of order. */
export function ordered(type: TypeModel, value: Json | undefined): Json | undefined {
  if (typeof value !== "object" || value === null) return value;
  switch (type.kind) {
    case "struct":
      return orderedStruct(type, value as JsonObject);
    case "list": {
      const element = type.element;
      if (!holdsOrder(element) || !Array.isArray(value)) return value;
      return orderedList(element, value);
    }
    case "map":
      return orderedMap(type.value, value as JsonObject);
    default:
      return value;
  }
}

/** Whether values of the type can be out of order at all. */
function holdsOrder(type: TypeModel): boolean {
  return type.kind === "struct" || type.kind === "list" || type.kind === "map";
}

function orderedList(element: TypeModel, list: Json[]): Json[] {
  let out: Json[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = ordered(element, list[i])!;
    if (item !== list[i]) (out ??= list.slice())[i] = item;
  }
  return out ?? list;
}

function orderedMap(element: TypeModel, map: JsonObject): JsonObject {
  const keys = Object.keys(map);
  let sorted = true;
  for (let i = 1; i < keys.length && sorted; i++) sorted = keys[i - 1] <= keys[i];
  if (sorted && !holdsOrder(element)) return map;
  if (!sorted) keys.sort();
  const out: JsonObject = {};
  for (const key of keys) out[key] = ordered(element, map[key]);
  return out;
}

/** Positions of a type's members, for checking order without looking up each by name twice. */
const positions = new WeakMap<StructType, Map<string, { at: number; field: FieldModel }>>();

function positionsOf(type: StructType): Map<string, { at: number; field: FieldModel }> {
  let known = positions.get(type);
  if (known === undefined) {
    known = new Map();
    for (const field of type.fields.values()) known.set(field.name, { at: known.size, field });
    positions.set(type, known);
  }
  return known;
}

function orderedStruct(type: StructType, object: JsonObject): JsonObject {
  const places = positionsOf(type);
  let last = -1, inOrder = true, changed: Map<string, Json | undefined> | undefined;
  for (const name in object) {
    const place = places.get(name);
    const at = place?.at ?? places.size;
    if (at < last) inOrder = false;
    last = at;
    if (place === undefined) continue;
    const value = object[name], member = ordered(place.field.type, value);
    if (member !== value) (changed ??= new Map()).set(name, member);
  }
  if (inOrder && changed === undefined) return object;
  const out: JsonObject = {};
  for (const name of places.keys()) {
    if (object[name] !== undefined) out[name] = changed?.has(name) ? changed.get(name) : object[name];
  }
  for (const name in object) if (!places.has(name)) out[name] = object[name];
  return out;
}
