// x-kubernetes-list-type: no two elements of a set or map may be the same.
import { duplicate, type FieldError, invalid, type Path } from "../field_error.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";
import { additionalOf, anywhere, itemsOf, type JSONSchema } from "../schema/structural_schema.ts";

/** A text that equal values share, whatever the order of their members. */
export function canonicalText(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonicalText(value[name]!)}`);
  return `{${members.join(",")}}`;
}

/** Everything that is there twice in a value's sets and maps; `at` is the value's own path, that of an object "". */
export function validateListTypes(value: Json, schema: JSONSchema | undefined, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (schema !== undefined && hasNamedElements(schema)) visit(value, schema, at, errors);
  return errors;
}

const hasNamedElements = anywhere((schema) => {
  const type = schema["x-kubernetes-list-type"];
  return type === "set" || type === "map";
});

function visit(value: Json, schema: JSONSchema, at: Path, errors: FieldError[]): void {
  if (typeof value !== "object" || value === null || !hasNamedElements(schema)) return;
  if (Array.isArray(value)) return visitList(value, schema, at, errors);
  const additional = additionalOf(schema), properties = schema.properties ?? {};
  for (const name in value) {
    if (additional !== undefined) visit(value[name]!, additional, at.key(name), errors);
    if (Object.hasOwn(properties, name)) visit(value[name]!, properties[name], at.child(name), errors);
  }
}

function visitList(list: Json[], schema: JSONSchema, at: Path, errors: FieldError[]): void {
  const type = schema["x-kubernetes-list-type"];
  if (type === "set") reportRepeated(list, at, errors);
  else if (type === "map") visitMap(list, schema["x-kubernetes-list-map-keys"] ?? [], at, errors);
  const items = itemsOf(schema);
  if (items === undefined) return;
  for (const [i, element] of list.entries()) visit(element, items, at.index(i), errors);
}

function visitMap(list: Json[], keys: readonly string[], at: Path, errors: FieldError[]): void {
  const stranger = list.findIndex((element) => element !== null && !isObject(element));
  if (stranger >= 0) {
    errors.push(invalid(at.index(stranger), list[stranger], "must be an object for an array of list-type map"));
    return;
  }
  reportRepeated(list.map((element) => keyOf((element ?? {}) as JsonObject, keys)), at, errors);
}

function keyOf(element: JsonObject, keys: readonly string[]): JsonObject {
  const key: JsonObject = {};
  for (const name of keys) if (element[name] !== undefined) key[name] = element[name];
  return key;
}

/** A value that is there more than twice is told of once. */
function reportRepeated(values: readonly Json[], at: Path, errors: FieldError[]): void {
  if (values.length < 2) return;
  const counts = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    const text = canonicalText(value), count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === 2) errors.push(duplicate(at.index(i), value));
  }
}
