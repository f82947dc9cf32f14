// The three places of a JSON schema that hold a schema or something else (apiextensions' JSONSchemaPropsOr…).
import { builtinSchema } from "../schema/builtin.ts";
import type { StructType, TypeModel } from "../schema/model.ts";
import type { Json } from "../types.ts";
import { MISMATCH } from "./scalars.ts";

export type SchemaOr = "schemaOrArray" | "schemaOrBool" | "schemaOrStringArray";

/** The type of a JSON schema. */
export function jsonSchemaType(): StructType {
  return builtinSchema().typeByName(
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps",
  )!;
}

const STRINGS: TypeModel = { kind: "list", element: { kind: "string" }, listType: "atomic", mapKeys: [] };
let schemas: TypeModel | undefined;

/** The type of a list in this place. */
export function listTypeOf(kind: SchemaOr): TypeModel | undefined {
  if (kind === "schemaOrStringArray") return STRINGS;
  if (kind === "schemaOrBool") return undefined;
  return schemas ??= { kind: "list", element: jsonSchemaType(), listType: "atomic", mapKeys: [] };
}

/** Reads such a value; where a list is allowed, whatever else there is counts as nothing. */
export function schemaOrReader(kind: SchemaOr, decoderOf: (type: TypeModel) => (value: Json) => Json) {
  return (value: Json): Json => {
    if (Array.isArray(value)) {
      const list = listTypeOf(kind);
      if (list === undefined) throw MISMATCH;
      return value.length === 0 ? null : decoderOf(list)(value);
    }
    if (typeof value === "object") return decoderOf(jsonSchemaType())(value);
    if (kind !== "schemaOrBool") return null;
    if (typeof value !== "boolean") throw MISMATCH;
    return value;
  };
}
