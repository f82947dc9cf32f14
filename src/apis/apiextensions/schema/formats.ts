// Formats of values that schemas may name; those that the server does not know are taken and warned of.
import { formatIsKnown } from "../../../machinery/schema_validation/mod.ts";
import { type JsonSchema, visitSchemas } from "./json_schema.ts";

/** Formats in a schema that mean nothing to the server, once for each place. */
export function unknownFormats(schema: JsonSchema): string[] {
  const unknown: string[] = [];
  visitSchemas(schema, ({ type = "", format }) => {
    if (format && !formatIsKnown(type, format)) unknown.push(format);
  });
  return unknown;
}
