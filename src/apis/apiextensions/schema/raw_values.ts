// Values that schemas hold without knowing what they are: defaults, examples, enumerations.
import { isObject, type Json, type JsonObject } from "../../../machinery/types.ts";
import { type JsonSchema, visitSchemas } from "./json_schema.ts";

/** Puts the members of all such values in the order in which kube-apiserver keeps them, that of their names. */
export function sortRawValues(schema: JsonSchema): void {
  visitSchemas(schema, (inside) => {
    for (const keyword of ["default", "example", "enum"] as const) {
      const value = inside[keyword];
      if (typeof value === "object" && value !== null) Object.assign(inside, { [keyword]: sorted(value) });
    }
  });
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members: JsonObject = {};
  for (const name of Object.keys(value).sort()) members[name] = sorted(value[name]!);
  return members;
}
