// Whole objects in schemas.
import type { JSONSchema } from "../../schema/structural_schema.ts";

const TEXT: JSONSchema = { type: "string" };
const META: JSONSchema = { type: "object", properties: { name: TEXT, generateName: TEXT } };

/** The schema of a whole object, whose names can be used whatever the schema says of them. */
export function withMeta(schema: JSONSchema): JSONSchema {
  const { properties } = schema, meta = properties?.metadata;
  const complete = properties?.kind?.type === "string" && properties.apiVersion?.type === "string" &&
    meta?.type === "object" && meta.properties?.name?.type === "string" &&
    meta.properties.generateName?.type === "string";
  if (complete) return schema;
  return { ...schema, properties: { ...properties, kind: TEXT, apiVersion: TEXT, metadata: META } };
}
