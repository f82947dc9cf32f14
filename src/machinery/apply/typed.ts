// How a value of a type is taken apart: what its members are, which lists have keys, what is one piece.
import type { ListType, StructType, TypeModel } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { deepEqual } from "../validation/equality.ts";

/** Undefined: no schema; objects are taken apart member by member, lists are one piece. `atomic`: all is one piece. */
export type Shape = TypeModel | undefined | "atomic";

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether values are replaced as a whole. */
export function isLeaf(shape: Shape, value: Json | undefined): boolean {
  if (shape === "atomic") return true;
  if (shape === undefined) return !isObject(value);
  switch (shape.kind) {
    case "struct":
    case "map":
      return shape.atomic;
    case "list":
      return shape.listType === "atomic";
    case "rawExtension":
    case "fieldsV1":
    case "json":
      return !isObject(value);
    default:
      return true;
  }
}

/** The shape of an object's member, and whether the type names it. */
export function memberShape(shape: Shape, name: string): { shape: Shape; named: boolean } {
  if (shape === undefined || shape === "atomic") return { shape, named: false };
  switch (shape.kind) {
    case "struct": {
      const field = shape.fields.get(name);
      if (field !== undefined) return { shape: field.type, named: true };
      return { shape: shape.additional, named: false };
    }
    case "map":
      return { shape: shape.value, named: false };
    default:
      // Free-form objects have members that are one piece each.
      return { shape: "atomic", named: false };
  }
}

/** What a list's elements are called in paths; undefined when an element has no key and cannot be told apart. */
export function elementName(list: ListType, element: Json): string | undefined {
  if (list.listType === "set") return `v:${JSON.stringify(element)}`;
  if (!isObject(element)) return undefined;
  const key: JsonObject = {};
  const struct = list.element as StructType;
  for (const name of [...list.mapKeys].sort()) {
    const value = element[name] ?? struct.fields?.get(name)?.default;
    if (value !== undefined) key[name] = value;
  }
  return `k:${JSON.stringify(key)}`;
}

/** Elements by name, in order. Of several with one name the first counts. */
export function namedElements(list: ListType, elements: readonly Json[]): Map<string, Json> {
  const named = new Map<string, Json>();
  for (const element of elements) {
    const name = elementName(list, element);
    if (name !== undefined && !named.has(name)) named.set(name, element);
  }
  return named;
}

export { deepEqual };
