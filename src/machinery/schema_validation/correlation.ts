// Which part of the object before an update is the same as a part of the new one, and whether it has changed (KEP-4008).
import { sameJson } from "../apply/mod.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";
import { itemsOf, type JSONSchema, memberOf } from "../schema/structural_schema.ts";
import type { Before } from "./run.ts";

/** The same member before. What an object is (kind, apiVersion) does not show in both: it is never compared. */
export function memberBefore(name: string, before: Before | undefined, isRoot: boolean): Before | undefined {
  if (before === undefined || isRoot && (name === "kind" || name === "apiVersion")) return undefined;
  return member(name, before);
}

function member(name: string, { value, schema }: Before): Before | undefined {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  const own = memberOf(schema, name);
  return own && { value: value[name]!, schema: own };
}

/** The element of the same name in a list that is a map; elements of other lists have none. */
export function elementBefore(element: Json, { value, schema }: Before): Before | undefined {
  const items = itemsOf(schema);
  if (!isMap(schema) || items === undefined || !Array.isArray(value) || !isObject(element)) return undefined;
  const old = elementsByName(schema, value).get(nameOf(schema, element));
  return old && { value: old, schema: items };
}

function isMap(schema: JSONSchema): boolean {
  return schema["x-kubernetes-list-type"] === "map" && (schema["x-kubernetes-list-map-keys"] ?? []).length > 0;
}

function nameOf(schema: JSONSchema, element: JsonObject): string {
  return JSON.stringify(schema["x-kubernetes-list-map-keys"]!.map((key) => element[key] ?? null));
}

const named = new WeakMap<Json[], Map<string, JsonObject>>();

/** The first element of each name. */
function elementsByName(schema: JSONSchema, list: Json[]): Map<string, JsonObject> {
  let elements = named.get(list);
  if (elements === undefined) {
    elements = new Map();
    for (const element of list) {
      if (!isObject(element)) continue;
      const name = nameOf(schema, element);
      if (!elements.has(name)) elements.set(name, element);
    }
    named.set(list, elements);
  }
  return elements;
}

/** Whether a value is what it was. Members that the schema does not know count as changed. */
export function unchanged(value: Json, before: Before): boolean {
  const old = before.value;
  if (Array.isArray(value)) {
    if (!Array.isArray(old) || value.length !== old.length) return false;
    if (!isMap(before.schema) || !value.every(isObject)) return sameJson(value, old);
    return value.every((element) => {
      const was = elementBefore(element, before);
      return was !== undefined && unchanged(element, was);
    });
  }
  if (isObject(value)) {
    if (!isObject(old)) return false;
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => {
      const was = member(name, before);
      return was !== undefined && unchanged(value[name]!, was);
    });
  }
  return value === old;
}
