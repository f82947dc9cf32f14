// JSON schemas as CRDs hold them, and how to walk them.
import { itemsOf, type JSONSchema } from "../../../machinery/schema/structural_schema.ts";
import { isObject, type Json } from "../../../machinery/types.ts";
import type { CustomResourceValidation } from "../../../facts/generated/types.ts";

export type JsonSchema = JSONSchema;

/** The schema of objects. */
export function rootSchema(validation: CustomResourceValidation | undefined): JsonSchema | undefined {
  return validation?.openAPIV3Schema as JsonSchema | undefined;
}

/** The schemas of the first elements, by position. */
export function itemsByPosition({ items }: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(items) ? items : [];
}

/** The schema in a place that may also hold a boolean or a list of names. */
export function schemaIn(place: JsonSchema | Json | undefined): JsonSchema | undefined {
  return isObject(place as Json) ? place as JsonSchema : undefined;
}

/** The schemas right inside of one. */
function* insideOf(schema: JsonSchema): Generator<JsonSchema | undefined> {
  yield itemsOf(schema);
  yield* itemsByPosition(schema);
  for (const list of [schema.allOf, schema.anyOf, schema.oneOf]) yield* list ?? [];
  yield schema.not;
  yield* Object.values(schema.properties ?? {});
  yield schemaIn(schema.additionalProperties);
  yield* Object.values(schema.patternProperties ?? {});
  yield schemaIn(schema.additionalItems);
  yield* Object.values(schema.definitions ?? {});
  for (const dependency of Object.values(schema.dependencies ?? {})) yield schemaIn(dependency);
}

/** Calls `visit` with a schema and every one in it. */
export function visitSchemas(schema: JsonSchema, visit: (schema: JsonSchema) => void): void {
  visit(schema);
  for (const inside of insideOf(schema)) if (inside) visitSchemas(inside, visit);
}

/** Whether a schema or one in it is of a kind. */
export function someSchema(schema: JsonSchema | undefined, is: (schema: JsonSchema) => boolean): boolean {
  if (schema === undefined) return false;
  if (is(schema)) return true;
  for (const inside of insideOf(schema)) if (someSchema(inside, is)) return true;
  return false;
}
