// Schemas as a CustomResourceDefinition has them (OpenAPI v3 with the extensions of Kubernetes).
import type { JSONSchemaProps } from "../../facts/generated/types.ts";

type Nested =
  | "items"
  | "additionalProperties"
  | "properties"
  | "patternProperties"
  | "definitions"
  | "allOf"
  | "oneOf"
  | "anyOf"
  | "not";

/** JSONSchemaProps whose parts are schemas themselves. */
export interface JSONSchema extends Omit<JSONSchemaProps, Nested> {
  items?: JSONSchema | JSONSchema[];
  additionalProperties?: JSONSchema | boolean;
  properties?: Record<string, JSONSchema>;
  patternProperties?: Record<string, JSONSchema>;
  definitions?: Record<string, JSONSchema>;
  allOf?: JSONSchema[];
  oneOf?: JSONSchema[];
  anyOf?: JSONSchema[];
  not?: JSONSchema;
}

/** The schema of a list's elements. */
export function itemsOf({ items }: JSONSchema): JSONSchema | undefined {
  return Array.isArray(items) ? undefined : items ?? undefined;
}

/** The schema of members that are not named; undefined when there is none, or only `true` or `false`. */
export function additionalOf({ additionalProperties }: JSONSchema): JSONSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** The schema of a member by its name, whether it is named or not. */
export function memberOf(schema: JSONSchema, name: string): JSONSchema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalOf(schema);
}

/** The schemas right within one, for values. */
function innerSchemas(schema: JSONSchema): JSONSchema[] {
  const all = [itemsOf(schema), additionalOf(schema), ...Object.values(schema.properties ?? {})];
  return all.filter((inner) => inner !== undefined);
}

/** A question about a schema and all within it, answered once for each: most schemas have nothing of what is asked. */
export function anywhere(test: (schema: JSONSchema) => boolean): (schema: JSONSchema) => boolean {
  const known = new WeakMap<JSONSchema, boolean>();
  return function has(schema) {
    let answer = known.get(schema);
    if (answer === undefined) known.set(schema, answer = test(schema) || innerSchemas(schema).some(has));
    return answer;
  };
}
