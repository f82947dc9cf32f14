// The OpenAPI v2 document in protobuf (openapi.v2.Document of google/gnostic-models): what client-go asks for.
import { FIXED64, VARINT, Writer } from "../protobuf/writer.ts";
import type { Json, JsonObject } from "../types.ts";
import { writeYaml } from "../yaml/write.ts";

/** Writes a member as the field of that number. The writer goes from the end to the front. */
type Put = (writer: Writer, number: number, value: Json) => void;

/** Members of a message: name in JSON, number, how it is written. */
type Fields = readonly (readonly [name: string, number: number, put: Put])[];

interface Message {
  fields: Fields;
  /** The number of the `x-` members. */
  extensions?: number;
}

const text: Put = (writer, number, value) => {
  const mark = writer.length;
  writer.string(value as string);
  if (value !== "") writer.prefix(number, mark);
};

const flag: Put = (writer, number, value) => {
  if (value !== true) return;
  writer.byte(1);
  writer.tag(number, VARINT);
};

const whole: Put = (writer, number, value) => {
  if (value === 0) return;
  writer.varint(value as number);
  writer.tag(number, VARINT);
};

const real: Put = (writer, number, value) => {
  if (value === 0) return;
  writer.double(value as number);
  writer.tag(number, FIXED64);
};

const element: Put = (writer, number, value) => {
  const mark = writer.length;
  writer.string(value as string);
  writer.prefix(number, mark);
};

/** Any JSON, as YAML. */
const any: Put = inside((writer, value) => text(writer, 2, writeYaml(value)));

/** What stands in a message of its own. */
function inside(write: (writer: Writer, value: Json) => void): Put {
  return (writer, number, value) => {
    const mark = writer.length;
    write(writer, value);
    writer.prefix(number, mark);
  };
}

function each(put: Put): Put {
  return (writer, number, value) => {
    const list = value as Json[];
    for (let i = list.length - 1; i >= 0; i--) put(writer, number, list[i]);
  };
}

/** A map as a list of names and values. */
function named(put: Put): Put {
  return (writer, number, value) => {
    for (const [name, member] of Object.entries(value as JsonObject).reverse()) {
      const mark = writer.length;
      put(writer, 2, member!);
      text(writer, 1, name);
      writer.prefix(number, mark);
    }
  };
}

/** A map in a message that holds nothing else. */
function map(put: Put, number = 1): Put {
  return inside((writer, value) => named(put)(writer, number, value));
}

function message(describe: () => Message): Put {
  return inside((writer, value) => writeMessage(writer, describe(), value as JsonObject));
}

function writeMessage(writer: Writer, { fields, extensions }: Message, object: JsonObject): void {
  if (extensions !== undefined) {
    const own = Object.entries(object).filter(([name]) => name.startsWith("x-"));
    named(any)(writer, extensions, Object.fromEntries(own));
  }
  for (let i = fields.length - 1; i >= 0; i--) {
    const [name, number, put] = fields[i];
    const value = object[name];
    if (value !== undefined && value !== null) put(writer, number, value);
  }
}

const schema: Put = message(() => SCHEMA);

const SCHEMA: Message = {
  fields: [
    ["$ref", 1, text],
    ["format", 2, text],
    ["title", 3, text],
    ["description", 4, text],
    ["default", 5, any],
    ["multipleOf", 6, real],
    ["maximum", 7, real],
    ["exclusiveMaximum", 8, flag],
    ["minimum", 9, real],
    ["exclusiveMinimum", 10, flag],
    ["maxLength", 11, whole],
    ["minLength", 12, whole],
    ["pattern", 13, text],
    ["maxItems", 14, whole],
    ["minItems", 15, whole],
    ["uniqueItems", 16, flag],
    ["maxProperties", 17, whole],
    ["minProperties", 18, whole],
    ["required", 19, each(element)],
    ["enum", 20, each(any)],
    [
      "additionalProperties",
      21,
      inside((writer, value) => typeof value === "boolean" ? flag(writer, 2, value) : schema(writer, 1, value)),
    ],
    ["type", 22, inside((writer, value) => each(element)(writer, 1, Array.isArray(value) ? value : [value]))],
    ["items", 23, inside((writer, value) => each(schema)(writer, 1, Array.isArray(value) ? value : [value]))],
    ["allOf", 24, each(schema)],
    ["properties", 25, map(schema)],
    ["discriminator", 26, text],
    ["readOnly", 27, flag],
    ["example", 30, any],
  ],
  extensions: 31,
};

const reference: Put = message(() => ({ fields: [["$ref", 1, text]] }));

/** What parameters outside of the body have behind their description, name and (in queries) `allowEmptyValue`. */
function parameter(first: number, extensions: number): Put {
  const fields: Fields = [
    ["required", 1, flag],
    ["in", 2, text],
    ["description", 3, text],
    ["name", 4, text],
    ["type", first, text],
    ["format", first + 1, text],
    ["default", first + 4, any],
    ["maximum", first + 5, real],
    ["minimum", first + 7, real],
    ["pattern", first + 11, text],
    ["uniqueItems", first + 14, flag],
    ["enum", first + 15, each(any)],
  ];
  return message(() => ({ fields, extensions }));
}

/** Where a parameter is → the number of its form. */
const PLACES: Readonly<Record<string, readonly [number: number, put: Put]>> = {
  header: [1, parameter(5, 22)],
  formData: [2, parameter(6, 23)],
  query: [3, parameter(6, 23)],
  path: [4, parameter(5, 22)],
};

const bodyParameter: Put = message(() => ({
  fields: [
    ["description", 1, text],
    ["name", 2, text],
    ["in", 3, text],
    ["required", 4, flag],
    ["schema", 5, schema],
  ],
  extensions: 6,
}));

const parameterOf: Put = inside((writer, value) => {
  const place = (value as JsonObject).in as string;
  if (place === "body") return bodyParameter(writer, 1, value);
  const [number, put] = PLACES[place];
  inside((inner, given) => put(inner, number, given))(writer, 2, value);
});

const parameterItem: Put = inside((writer, value) =>
  isReference(value) ? reference(writer, 2, value) : parameterOf(writer, 1, value)
);

const response: Put = message(() => ({
  fields: [
    ["description", 1, text],
    ["schema", 2, inside((writer, value) => schema(writer, 1, value))],
  ],
  extensions: 5,
}));

const responseValue: Put = inside((writer, value) =>
  isReference(value) ? reference(writer, 2, value) : response(writer, 1, value)
);

function isReference(value: Json): boolean {
  return (value as JsonObject).$ref !== undefined;
}

/** Ways to sign in → the scopes that are needed: a map of lists. */
const security: Put = map(inside((writer, value) => each(element)(writer, 1, value)));

const operation: Put = message(() => ({
  fields: [
    ["tags", 1, each(element)],
    ["summary", 2, text],
    ["description", 3, text],
    ["operationId", 5, text],
    ["produces", 6, each(element)],
    ["consumes", 7, each(element)],
    ["parameters", 8, each(parameterItem)],
    ["responses", 9, map(responseValue)],
    ["schemes", 10, each(element)],
    ["deprecated", 11, flag],
    ["security", 12, each(security)],
  ],
  extensions: 13,
}));

const pathItem: Put = message(() => ({
  fields: [
    ["get", 2, operation],
    ["put", 3, operation],
    ["post", 4, operation],
    ["delete", 5, operation],
    ["options", 6, operation],
    ["head", 7, operation],
    ["patch", 8, operation],
    ["parameters", 9, each(parameterItem)],
  ],
  extensions: 10,
}));

const apiKey: Put = message(() => ({
  fields: [["type", 1, text], ["name", 2, text], ["in", 3, text], ["description", 4, text]],
  extensions: 5,
}));

const DOCUMENT: Message = {
  fields: [
    ["swagger", 1, text],
    ["info", 2, message(() => ({ fields: [["title", 1, text], ["version", 2, text], ["description", 3, text]] }))],
    ["paths", 8, map(pathItem, 2)],
    ["definitions", 9, map(schema)],
    ["parameters", 10, map(parameterOf)],
    ["security", 12, each(security)],
    ["securityDefinitions", 13, map(inside((writer, value) => apiKey(writer, 2, value)))],
  ],
  extensions: 16,
};

/** @param document the document as JSON */
export function v2Protobuf(document: JsonObject): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writeMessage(writer, DOCUMENT, document);
  return writer.take();
}
