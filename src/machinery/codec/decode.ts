// Strict decoding: parsed JSON → an object of a type, compiled per type. What comes out has its members in the order in
// which they are written, unknown members dropped and reported, and Go's rules about null and empty values applied, so
// that storing and answering it needs no second pass.
import { canonicalQuantity } from "../quantity.ts";
import type { FieldModel, ListType, MapType, ScalarKind, StructType, TypeModel } from "../schema/model.ts";
import { canonicalMicroTime, canonicalTime } from "../time.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";

/** A value of the wrong type; the message is the one of the real server's decoder. */
export class DecodeError extends Error {}

export interface DecodeResult {
  object: KubeObject;
  /** `unknown field "spec.x"`, in the order of the text. */
  unknown: string[];
}

/** Throws DecodeError. */
export function decode(type: StructType, value: Json): DecodeResult {
  const state: State = { unknown: [], path: [], struct: type };
  if (!isObject(value)) throw mismatch(state, value, type.goName);
  const object = structDecoder(type)(value, state) as unknown as KubeObject;
  return { object, unknown: state.unknown };
}

/** An object of a type with nothing given: every member that is written even when it is empty. */
export function emptyObject(type: StructType): JsonObject {
  return structDecoder(type)({}, { unknown: [], path: [], struct: type }) as JsonObject;
}

interface State {
  readonly unknown: string[];
  /** Where the value stands, as pushed by its containers: names of members and indexes. */
  readonly path: (string | number)[];
  /** The innermost struct, which Go names in its messages. */
  struct: StructType;
}

type Decoder = (value: Json, state: State) => Json | undefined;

/** How one field of a struct is read and what is written when it is missing. */
interface CompiledField {
  name: string;
  decode: Decoder;
  /** Left out when the decoded value is empty. */
  dropsEmpty: boolean;
  /** What stands for a missing or null value; undefined: nothing. */
  missing: () => Json | undefined;
  nullable: boolean;
}

const compiled = new WeakMap<TypeModel, Decoder>();

function decoderOf(type: TypeModel): Decoder {
  let decoder = compiled.get(type);
  if (decoder !== undefined) return decoder;
  switch (type.kind) {
    case "struct":
      return structDecoder(type);
    case "list":
      decoder = listDecoder(type);
      break;
    case "map":
      decoder = mapDecoder(type);
      break;
    default:
      decoder = SCALAR_DECODERS[type.kind];
  }
  compiled.set(type, decoder);
  return decoder;
}

function structDecoder(type: StructType): Decoder {
  const known = compiled.get(type);
  if (known !== undefined) return known;
  let fields: CompiledField[] | undefined;
  const decoder: Decoder = (value, state) => {
    if (!isObject(value)) throw mismatch(state, value, type.goName);
    fields ??= [...type.fields.values()].map(compileField);
    const outer = state.struct;
    state.struct = type;
    const out: JsonObject = {};
    let seen = 0;
    for (const field of fields) {
      const given = value[field.name];
      if (given === undefined) {
        const missing = field.missing();
        if (missing !== undefined) out[field.name] = missing;
        continue;
      }
      seen++;
      const decoded = readField(field, given, state);
      if (decoded !== undefined) out[field.name] = decoded;
    }
    if (seen < countMembers(value)) readUnknown(type, value, out, state);
    state.struct = outer;
    return out;
  };
  compiled.set(type, decoder);
  return decoder;
}

function readField(field: CompiledField, given: Json, state: State): Json | undefined {
  if (given === null) return field.nullable ? null : field.missing();
  state.path.push(field.name);
  const decoded = field.decode(given, state);
  state.path.pop();
  return field.dropsEmpty && isEmpty(decoded) ? undefined : decoded;
}

function countMembers(value: JsonObject): number {
  let n = 0;
  for (const _ in value) n++;
  return n;
}

/** Members that the type does not name: kept, read with the type of additional ones, or dropped and reported. */
function readUnknown(type: StructType, value: JsonObject, out: JsonObject, state: State): void {
  for (const name of Object.keys(value)) {
    if (type.fields.has(name)) continue;
    if (type.additional !== undefined) {
      state.path.push(name);
      out[name] = decoderOf(type.additional)(value[name]!, state);
      state.path.pop();
    } else if (type.preserveUnknown) {
      out[name] = value[name];
    } else {
      state.path.push(name);
      state.unknown.push(`unknown field "${pathText(state.path)}"`);
      state.path.pop();
    }
  }
}

function compileField(field: FieldModel): CompiledField {
  const { type, omit, pointer, nullable } = field;
  return {
    name: field.name,
    decode: decoderOf(type),
    // An empty list of managers is a wish to forget them all.
    dropsEmpty: field.name !== "managedFields" && type.kind !== "struct" &&
      (omit === "zero" || (omit === "empty" && !pointer)),
    missing: omit === "never" ? valueWhenMissing(type, pointer) : () => undefined,
    nullable,
  };
}

/** Go's zero value of a member that is always written. */
function valueWhenMissing(type: TypeModel, pointer: boolean): () => Json | undefined {
  if (pointer) return () => null;
  switch (type.kind) {
    case "struct":
      return () => emptyObject(type);
    case "string":
      return () => "";
    case "boolean":
      return () => false;
    case "int32":
    case "int64":
    case "double":
    case "intOrString":
      return () => 0;
    case "quantity":
      return () => "0";
    case "duration":
      return () => "0s";
    default:
      return () => null;
  }
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function listDecoder(type: ListType): Decoder {
  let element: Decoder | undefined, missing: (() => Json | undefined) | undefined;
  return (value, state) => {
    if (!Array.isArray(value)) throw mismatch(state, value, `[]${goTypeName(type.element)}`);
    element ??= decoderOf(type.element);
    missing ??= valueWhenMissing(type.element, false);
    const out = new Array<Json>(value.length);
    for (let i = 0; i < value.length; i++) {
      state.path.push(i);
      // A null element is Go's zero value of the element's type.
      out[i] = value[i] === null ? missing() ?? null : element(value[i], state)!;
      state.path.pop();
    }
    return out;
  };
}

function mapDecoder(type: MapType): Decoder {
  let element: Decoder | undefined, missing: (() => Json | undefined) | undefined;
  return (value, state) => {
    if (!isObject(value)) throw mismatch(state, value, `map[string]${goTypeName(type.value)}`);
    element ??= decoderOf(type.value);
    missing ??= valueWhenMissing(type.value, false);
    const out: JsonObject = {};
    for (const name of sortedKeys(value)) {
      const member = value[name]!;
      state.path.push(MAP_KEY + name);
      out[name] = member === null ? missing() ?? null : element(member, state);
      state.path.pop();
    }
    return out;
  };
}

/** Marks a map's key in a path: Go leaves keys out of the fields that it names, but not out of paths. */
const MAP_KEY = "\0";

/** Go writes maps in the order of their keys. Most maps come sorted already. */
function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value);
  for (let i = 1; i < keys.length; i++) if (keys[i - 1] > keys[i]) return keys.sort();
  return keys;
}

const INT32_MAX = 2147483647, INT32_MIN = -2147483648;

const keep: Decoder = (value) => value;

const SCALAR_DECODERS: Record<ScalarKind, Decoder> = {
  string: (value, state) => {
    if (typeof value !== "string") throw mismatch(state, value, "string");
    return value;
  },
  boolean: (value, state) => {
    if (typeof value !== "boolean") throw mismatch(state, value, "bool");
    return value;
  },
  int32: (value, state) => {
    if (typeof value !== "number") throw mismatch(state, value, "int32");
    if (!Number.isInteger(value) || value > INT32_MAX || value < INT32_MIN) throw badNumber(state, value, "int32");
    return value;
  },
  int64: (value, state) => {
    if (typeof value !== "number") throw mismatch(state, value, "int64");
    if (!Number.isInteger(value) || Math.abs(value) > 2 ** 63) throw badNumber(state, value, "int64");
    return value;
  },
  double: (value, state) => {
    if (typeof value !== "number") throw mismatch(state, value, "float64");
    return value;
  },
  bytes: (value, state) => {
    if (typeof value !== "string") throw mismatch(state, value, "[]uint8");
    return checkBase64(value);
  },
  quantity: (value) => {
    if (typeof value !== "string" && typeof value !== "number") throw new DecodeError(QUANTITY_ERROR);
    const canonical = canonicalQuantity(String(value));
    if (canonical === undefined) throw new DecodeError(QUANTITY_ERROR);
    return canonical;
  },
  time: (value, state) => readTime(value, state, canonicalTime, "2006-01-02T15:04:05Z07:00"),
  microTime: (value, state) => readTime(value, state, canonicalMicroTime, "2006-01-02T15:04:05.000000Z07:00"),
  duration: (value, state) => {
    if (typeof value !== "string") throw mismatch(state, value, "string");
    return value;
  },
  intOrString: (value, state) => {
    if (typeof value === "string") return value;
    if (typeof value !== "number") throw mismatchPlain(value, "int32");
    if (!Number.isInteger(value) || value > INT32_MAX || value < INT32_MIN) throw badNumber(state, value, "int32");
    return value;
  },
  fieldsV1: keep,
  rawExtension: keep,
  json: keep,
  schemaOrArray: keep,
  schemaOrBool: keep,
  schemaOrStringArray: keep,
};

const QUANTITY_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function readTime(value: Json, state: State, parse: (text: string) => string | undefined, layout: string): Json {
  if (typeof value !== "string") throw mismatch(state, value, "string");
  const canonical = parse(value);
  if (canonical === undefined) {
    throw new DecodeError(
      `parsing time ${JSON.stringify(JSON.stringify(value)).slice(1, -1)} as ${
        JSON.stringify(JSON.stringify(layout)).slice(1, -1)
      }: cannot parse ${JSON.stringify(value)} as "2006"`,
    );
  }
  return canonical;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function checkBase64(text: string): string {
  const clean = text.includes("\n") || text.includes("\r") ? text.replace(/[\r\n]/g, "") : text;
  if (BASE64.test(clean) && clean.length % 4 === 0) return clean;
  const bad = clean.search(/[^A-Za-z0-9+/=]/);
  const at = bad >= 0 ? bad : clean.includes("=") ? clean.indexOf("=") : clean.length - clean.length % 4;
  throw new DecodeError(`illegal base64 data at input byte ${at}`);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`. */
function mismatch(state: State, value: Json, goType: string): DecodeError {
  return unmarshalError(state, kindOf(value), goType);
}

function badNumber(state: State, value: number, goType: string): DecodeError {
  return unmarshalError(state, `number ${value}`, goType);
}

function unmarshalError(state: State, what: string, goType: string): DecodeError {
  const names = state.path.filter((part) => typeof part === "string" && !part.startsWith(MAP_KEY));
  if (names.length === 0) return new DecodeError(`json: cannot unmarshal ${what} into Go value of type ${goType}`);
  const struct = state.struct.goName.split(".").at(-1);
  return new DecodeError(
    `json: cannot unmarshal ${what} into Go struct field ${struct}.${names.join(".")} of type ${goType}`,
  );
}

function mismatchPlain(value: Json, goType: string): DecodeError {
  return new DecodeError(`json: cannot unmarshal ${kindOf(value)} into Go value of type ${goType}`);
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

const GO_NAMES: Partial<Record<TypeModel["kind"], string>> = {
  boolean: "bool",
  double: "float64",
  bytes: "[]uint8",
  quantity: "resource.Quantity",
  time: "v1.Time",
  microTime: "v1.MicroTime",
  intOrString: "intstr.IntOrString",
  rawExtension: "runtime.RawExtension",
  json: "interface {}",
};

function goTypeName(type: TypeModel): string {
  if (type.kind === "struct") return type.goName;
  if (type.kind === "list") return `[]${goTypeName(type.element)}`;
  if (type.kind === "map") return `map[string]${goTypeName(type.value)}`;
  return GO_NAMES[type.kind] ?? type.kind;
}

function pathText(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += (text === "" ? "" : ".") + (part.startsWith(MAP_KEY) ? part.slice(1) : part);
  }
  return text;
}
