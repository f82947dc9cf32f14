// What expressions of mutating policies are made of: objects of any field, operations of a JSON patch (RFC 6902).
import type { Json, JsonObject } from "../../types.ts";
import { form, text } from "../libraries/define.ts";
import { declare, type Library, type StructDeclaration } from "../environment.ts";
import { type CelType, DYN, listOf, STRING, structOf } from "../types.ts";
import { EvalError } from "../values/errors.ts";
import { equals, typeOfValue } from "../values/operations.ts";
import { Duration, formatSeconds, formatTimestamp, Timestamp } from "../values/time.ts";
import { JsonList, JsonMap } from "../values/json.ts";
import { Double, ListValue, MapValue, OpaqueValue, Uint, type Value } from "../values/value.ts";

/** The type of an apply configuration. */
export const OBJECT = structOf("Object");
const PATCH = structOf("JSONPatch");
/** The type of a JSON patch. */
export const PATCHES = listOf(PATCH);

/** An object that an expression made: `Object{…}`, `Object.spec{…}`. */
export class ObjectValue extends OpaqueValue {
  constructor(readonly type: CelType, readonly fields: ReadonlyMap<string, Value>) {
    super();
  }

  equals(other: Value): boolean {
    if (!(other instanceof ObjectValue) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const otherValue = other.fields.get(name);
      return otherValue !== undefined && equals(value, otherValue);
    });
  }
}

/** One operation of a JSON patch. */
export class PatchValue extends OpaqueValue {
  readonly type: CelType = PATCH;

  constructor(readonly fields: ReadonlyMap<string, Value>) {
    super();
  }

  equals(other: Value): boolean {
    if (!(other instanceof PatchValue)) return false;
    return PATCH_FIELDS.every((name) => equals(this.fields.get(name) ?? null, other.fields.get(name) ?? null));
  }
}

const PATCH_FIELDS = ["op", "path", "from", "value"];

const NOTHING = structOf("");
const PATCH_TYPE: StructDeclaration = {
  type: PATCH,
  // Other fields have a type that nothing is of.
  fieldType: (name) => name === "value" ? DYN : PATCH_FIELDS.includes(name) ? STRING : NOTHING,
  construct(fields) {
    for (const [name, value] of fields) {
      if (name !== "value" && typeof value !== "string") {
        throw new EvalError(`unexpected type ${nativeType(value)} for JSONPatchType '${name}' field`);
      }
    }
    return new PatchValue(fields);
  },
};

/** What messages call a value's type. */
function nativeType(value: Value): string {
  if (typeof value === "boolean") return "bool";
  return typeof value === "number" || typeof value === "bigint" ? "int64" : typeOfValue(value).name;
}

/** The declarations of `JSONPatch`, `Object` and `Object.…`: every field may be anything. */
export function findPatchType(name: string): StructDeclaration | undefined {
  if (name === PATCH.name) return PATCH_TYPE;
  if (name !== OBJECT.name && !name.startsWith(`${OBJECT.name}.`)) return undefined;
  const type = structOf(name);
  return { type, fieldType: () => DYN, construct: (fields) => new ObjectValue(type, fields) };
}

/** A key as a part of a JSON pointer. */
function escapeKey(key: Value): string {
  return text(key).replace(/[~/]/g, (c) => c === "/" ? "~1" : "~0");
}

export const JSON_PATCHES: Library = {
  functions: [declare("jsonpatch.escapeKey", form("string_jsonpatch_escapeKey_string", [STRING], STRING, escapeKey))],
};

/** The names of types that are not those of the fields where they are: `Object.spec{a: Object.b{}}`. */
export function misplacedTypes(value: Value, at: readonly string[] = [OBJECT.name]): string[] {
  if (value instanceof ListValue && !(value instanceof JsonList)) {
    return value.toArray().flatMap((v) => misplacedTypes(v, at));
  }
  if (value instanceof MapValue && !(value instanceof JsonMap)) {
    return value.keys().flatMap((key) => misplacedTypes(value.find(key)!, at));
  }
  if (!(value instanceof ObjectValue)) return [];
  const expected = at.join("."), { name } = value.type;
  const own = name === expected
    ? []
    : [`unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`];
  return [...own, ...[...value.fields].flatMap(([field, inner]) => misplacedTypes(inner, [...at, field]))];
}

/** A value as JSON. Throws EvalError for what JSON has no form for. */
export function patchJson(value: Value): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number") {
    return value;
  }
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof Uint8Array) return value.toBase64();
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatSeconds(value);
  if (value instanceof JsonList) return value.json as Json[];
  if (value instanceof JsonMap) return value.json;
  if (value instanceof ListValue) return value.toArray().map(patchJson);
  if (value instanceof ObjectValue) return fieldsJson(value.fields);
  if (value instanceof MapValue) return fieldsJson(value.keys().map((key) => [keyJson(key), value.find(key)!]));
  const name = typeOfValue(value).name;
  throw new EvalError(`type conversion error from '${name.slice(name.lastIndexOf(".") + 1)}' to '*structpb.Value'`);
}

function keyJson(key: Value): string {
  if (typeof key === "string") return key;
  throw new EvalError(`unsupported type conversion from '${typeOfValue(key).name}' to string`);
}

function fieldsJson(fields: Iterable<readonly [string, Value]>): JsonObject {
  const json: JsonObject = {};
  for (const [name, value] of fields) json[name] = patchJson(value);
  return json;
}
