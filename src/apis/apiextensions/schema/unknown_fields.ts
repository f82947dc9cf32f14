// Fields of a value that its schema does not know: they would be pruned.
import { isObject, type Json } from "../../../machinery/types.ts";
import { itemsOf } from "../../../machinery/schema/structural_schema.ts";
import { type JsonSchema, schemaIn } from "./json_schema.ts";

const META_FIELDS = new Set(["apiVersion", "kind", "metadata"]);

export function hasUnknownFields(value: Json | undefined, schema: JsonSchema | undefined): boolean {
  return has(value, schema, schema?.["x-kubernetes-preserve-unknown-fields"] ?? false);
}

/** @param preserves unknown fields are kept, those of known ones are looked at all the same */
function has(value: Json | undefined, schema: JsonSchema | undefined, preserves: boolean): boolean {
  if (Array.isArray(value)) {
    const items = schema && itemsOf(schema);
    return value.some((element) => preserves ? has(element, items, true) : hasUnknownFields(element, items));
  }
  if (!isObject(value)) return false;
  const { properties = {}, additionalProperties } = schema ?? {};
  for (const name in value) {
    if (schema?.["x-kubernetes-embedded-resource"] && META_FIELDS.has(name)) continue;
    if (Object.hasOwn(properties, name)) {
      if (hasUnknownFields(value[name], properties[name])) return true;
    } else if (additionalProperties !== undefined) {
      if (hasUnknownFields(value[name], schemaIn(additionalProperties))) return true;
    } else if (!preserves) return true;
  }
  return false;
}
