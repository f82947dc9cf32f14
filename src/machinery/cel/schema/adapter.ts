// Makes values of JSON data by its schema: text with a format becomes a time, a duration or bytes, lists compare as
// their type says.
import { fromBase64 } from "../../bytes.ts";
import { isObject, type Json } from "../../types.ts";
import { EvalError } from "../values/errors.ts";
import {
  type Adapter,
  dynamicValue,
  type JsonField,
  JsonList,
  JsonMap,
  JsonObjectValue,
  KeyedList,
  SetList,
} from "../values/json.ts";
import { parseDate, parseGoDuration, parseTimestamp } from "../values/time.ts";
import { Double, normalizeInt, type Value } from "../values/value.ts";
import { escapeName, isReserved } from "./escape.ts";
import { additionalOf, itemsOf, type JSONSchema } from "../../schema/structural_schema.ts";
import { withMeta } from "./whole_object.ts";

/**
 * What makes values of data of a schema. Parts are prepared when data first reaches them.
 * @param isRoot it is a whole object
 */
export function adapterOf(schema: JSONSchema, isRoot = false): Adapter {
  const adapt = adapterByType(isRoot || schema["x-kubernetes-embedded-resource"] ? withMeta(schema) : schema);
  return (json) => {
    if (json !== null && json !== undefined) return adapt(json);
    if (schema.nullable) return null;
    throw new EvalError("invalid data, got null for schema with nullable=false");
  };
}

function adapterByType(schema: JSONSchema): Adapter {
  if (schema["x-kubernetes-int-or-string"]) return intOrString;
  switch (schema.type) {
    case "object":
      return objectAdapter(schema);
    case "array":
      return listAdapter(schema);
    case "string":
      return textAdapter(schema.format);
    case "number":
      return number;
    case "integer":
      return integer;
    case "boolean":
      return boolean;
    default:
      if (schema["x-kubernetes-preserve-unknown-fields"]) return dynamicValue;
      throw new EvalError(
        "invalid type, expected object, array, number, integer, boolean or string, or no type with " +
          `x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ""}`,
      );
  }
}

/** Prepares an adapter when it is first used: schemas may be large and expressions look at little of them. */
function lazily(schema: JSONSchema): Adapter {
  let adapter: Adapter | undefined;
  return (json) => (adapter ??= adapterOf(schema))(json);
}

function objectAdapter(schema: JSONSchema): Adapter {
  const { properties } = schema, additional = additionalOf(schema);
  const fail = () => new EvalError("invalid data, expected a map for the provided schema with type=object");
  if (properties === undefined && additional !== undefined) {
    const value = lazily(additional);
    return (json) => {
      if (!isObject(json)) throw fail();
      return new JsonMap(json, value);
    };
  }
  const fields = new Map<string, JsonField>();
  for (const [name, property] of Object.entries(properties ?? {})) {
    const escaped = escapeName(name);
    if (escaped === undefined) continue;
    const value = lazily(property);
    fields.set(escaped, { name, value });
    if (isReserved(name)) fields.set(name, { name, value, alias: true });
  }
  return (json) => {
    if (!isObject(json)) throw fail();
    return new JsonObjectValue(json, fields);
  };
}

function listAdapter(schema: JSONSchema): Adapter {
  const items = itemsOf(schema);
  if (items === undefined) throw new EvalError("invalid array type, expected Items with a non-empty Schema");
  const element = lazily(items);
  const keys = schema["x-kubernetes-list-map-keys"] ?? [], type = schema["x-kubernetes-list-type"];
  return (json) => {
    if (!Array.isArray(json)) {
      throw new EvalError("invalid data, expected an array for the provided schema with type=array");
    }
    if (type === "set") return new SetList(json, element);
    return type === "map" ? new KeyedList(json, element, keys) : new JsonList(json, element);
  };
}

function textAdapter(format: string | undefined): Adapter {
  const convert = textConversion(format);
  return (json) => {
    if (typeof json !== "string") throw new EvalError(`invalid data, expected string, got ${goTypeName(json)}`);
    return convert(json);
  };
}

function textConversion(format: string | undefined): (text: string) => Value {
  switch (format) {
    case "duration":
      return (text) => parseGoDuration(text) ?? fail(`Invalid duration ${text}: time: invalid duration ${text}`);
    case "date":
      return (text) => parseDate(text) ?? fail(`Invalid date formatted string ${text}: cannot be parsed`);
    case "date-time":
      return (text) => parseTimestamp(text) ?? fail(`Invalid date-time formatted string ${text}: cannot be parsed`);
    case "byte":
      return (text) => fromBase64(text) ?? fail(`Invalid byte formatted string ${text}: cannot be decoded`);
    default:
      return (text) => text;
  }
}

function fail(message: string): never {
  throw new EvalError(message);
}

const intOrString: Adapter = (json) => {
  if (typeof json === "string") return json;
  if (typeof json === "bigint" || typeof json === "number" && Number.isInteger(json)) return integer(json);
  return fail("invalid data, expected XIntOrString value to be either a string or integer");
};

const number: Adapter = (json) =>
  typeof json === "bigint"
    ? new Double(Number(json))
    : typeof json === "number"
    ? new Double(json)
    : fail(`invalid data, expected float, got ${goTypeName(json)}`);

const integer: Adapter = (json) => {
  if (typeof json === "bigint") return json;
  if (typeof json !== "number" || !Number.isInteger(json)) {
    return fail(`invalid data, expected int, got ${goTypeName(json)}`);
  }
  return Number.isSafeInteger(json) ? json : normalizeInt(BigInt(json));
};

const boolean: Adapter = (json) =>
  typeof json === "boolean" ? json : fail(`invalid data, expected bool, got ${goTypeName(json)}`);

/** What Go's decoder makes of JSON. */
function goTypeName(json: Json): string {
  if (typeof json === "bigint") return "int64";
  if (typeof json === "number") return Number.isInteger(json) ? "int64" : "float64";
  if (typeof json === "boolean") return "bool";
  if (typeof json === "string") return "string";
  return Array.isArray(json) ? "[]interface {}" : "map[string]interface {}";
}
