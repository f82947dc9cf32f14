// Restrictions of values under junctors only speak of fields that the schema itself has.
import type { Field } from "../../../machinery/validation/mod.ts";
import { itemsOf } from "../../../machinery/schema/structural_schema.ts";
import type { JsonSchema } from "./json_schema.ts";
import { lookUp } from "../../../machinery/look_up.ts";

/** What stands in the schema's own allOf, anyOf, oneOf and not has a counterpart outside of them. */
export function validateCompleteness(schema: JsonSchema, at: Field): void {
  validateJunctors(schema, schema, at, at);
}

/** @param defined where `values` stands, which the message names */
function validateJunctors(values: JsonSchema, schema: JsonSchema, at: Field, defined: Field): void {
  if (values.not) validateNested(values.not, schema, at, defined.child("not"));
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    values[junctor]?.forEach((nested, i) => validateNested(nested, schema, at, defined.child(junctor).index(i)));
  }
}

function validateNested(values: JsonSchema, schema: JsonSchema | undefined, at: Field, defined: Field): void {
  if (!schema) return at.required(`because it is defined in ${defined.text}`);
  validateJunctors(values, schema, at, defined);
  const items = itemsOf(values);
  if (items) validateNested(items, itemsOf(schema), at.child("items"), defined.child("items"));
  for (const [name, property] of Object.entries(values.properties ?? {})) {
    const here = at.child("properties").key(name), there = defined.child("properties").key(name);
    validateNested(property, lookUp(schema.properties ?? {}, name), here, there);
  }
}
