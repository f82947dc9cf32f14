// Defaults of structural schemas (KEP-575): filled in where a value is missing, or null without being nullable.
import { clone } from "../clone.ts";
import { pruned } from "./custom.ts";
import { setMember } from "./compile.ts";
import { lookUp } from "../look_up.ts";
import type { Json, JsonObject } from "../types.ts";
import { structuralType } from "../schema/structural.ts";
import { additionalOf, anywhere, itemsOf, type JSONSchema } from "../schema/structural_schema.ts";

/** Whether there is a default anywhere in a schema. */
export const hasDefaults: (schema: JSONSchema) => boolean = anywhere((schema) => schema.default !== undefined);

/** Fills in the defaults within a value, in place. Nothing is done to an object whose schema has none. */
export function applyDefaults(value: Json, schema: JSONSchema): void {
  if (typeof value !== "object" || value === null || !hasDefaults(schema)) return;
  if (Array.isArray(value)) applyToElements(value, schema);
  else applyToMembers(value, schema);
}

function applyToMembers(object: JsonObject, schema: JSONSchema): void {
  const { properties = {} } = schema, additional = additionalOf(schema);
  for (const [name, property] of withDefaults(schema)) {
    const given = lookUp(object, name);
    if (given === undefined || isMissing(given, property)) setMember(object, name, defaultOf(property));
  }
  for (const name in object) {
    if (Object.hasOwn(properties, name)) {
      applyDefaults(object[name]!, properties[name]);
    } else if (additional !== undefined) {
      if (isMissing(object[name]!, additional)) setMember(object, name, defaultOf(additional));
      applyDefaults(object[name]!, additional);
    }
  }
}

function applyToElements(list: Json[], schema: JSONSchema): void {
  const items = itemsOf(schema);
  if (items === undefined) return;
  for (let i = 0; i < list.length; i++) {
    if (isMissing(list[i], items)) list[i] = defaultOf(items);
    applyDefaults(list[i], items);
  }
}

function isMissing(value: Json, schema: JSONSchema): boolean {
  return value === null && schema.nullable !== true;
}

const members = new WeakMap<JSONSchema, [string, JSONSchema][]>();

/** The members of a schema that have a default. */
function withDefaults(schema: JSONSchema): readonly [string, JSONSchema][] {
  let known = members.get(schema);
  if (known === undefined) {
    // A default of null is as none.
    known = Object.entries(schema.properties ?? {}).filter(([, property]) => (property.default ?? null) !== null);
    members.set(schema, known);
  }
  return known;
}

const defaults = new WeakMap<JSONSchema, Json>();

/** A fresh copy of a schema's default, without what the schema does not know. Null when it has none. */
function defaultOf(schema: JSONSchema): Json {
  let value = defaults.get(schema);
  if (value === undefined) defaults.set(schema, value = pruned(structuralType(schema), schema.default ?? null));
  return clone(value);
}
