// Formats of values that schemas may name; those that the server does not know are taken and warned of.
import { type JsonSchema, visitSchemas } from "./json_schema.ts";

/** Of strings; dashes do not matter. */
const STRING_FORMATS = new Set(
  ("bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn " +
    "hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname").split(" "),
);

const FORMATS: Readonly<Record<string, (format: string) => boolean>> = {
  "": (format) => STRING_FORMATS.has(format.replaceAll("-", "")),
  string: (format) => STRING_FORMATS.has(format.replaceAll("-", "")),
  integer: (format) => format === "int32" || format === "int64",
  number: (format) => format === "float" || format === "double",
};

/** Whether values of a type are checked against a format. */
export function isKnownFormat(type: string | undefined, format: string): boolean {
  return FORMATS[type ?? ""]?.(format) ?? false;
}

/** Formats in a schema that mean nothing to the server, once for each place. */
export function unknownFormats(schema: JsonSchema): string[] {
  const unknown: string[] = [];
  visitSchemas(schema, ({ type, format }) => {
    if (format && !isKnownFormat(type, format)) unknown.push(format);
  });
  return unknown;
}
