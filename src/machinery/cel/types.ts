// The types of the language and how they are written in messages.

export type TypeKind =
  | "dyn"
  | "error"
  | "bool"
  | "bytes"
  | "double"
  | "int"
  | "uint"
  | "string"
  | "null"
  | "timestamp"
  | "duration"
  | "list"
  | "map"
  | "struct"
  | "opaque"
  | "type"
  | "param";

export interface CelType {
  readonly kind: TypeKind;
  /** What `type(x)` shows: `int`, `google.protobuf.Duration`, a struct's or an opaque type's name. */
  readonly name: string;
  readonly params: readonly CelType[];
}

function simple(kind: TypeKind, name: string): CelType {
  return { kind, name, params: [] };
}

export const DYN = simple("dyn", "dyn");
/** A value of any type that cannot be looped over. */
export const ANY = simple("dyn", "any");
export const ERROR = simple("error", "error");
export const BOOL = simple("bool", "bool");
export const BYTES = simple("bytes", "bytes");
export const DOUBLE = simple("double", "double");
export const INT = simple("int", "int");
export const UINT = simple("uint", "uint");
export const STRING = simple("string", "string");
export const NULL = simple("null", "null_type");
export const TIMESTAMP = simple("timestamp", "google.protobuf.Timestamp");
export const DURATION = simple("duration", "google.protobuf.Duration");
export const TYPE = simple("type", "type");

export function listOf(element: CelType): CelType {
  return { kind: "list", name: "list", params: [element] };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: "map", name: "map", params: [key, value] };
}

export function structOf(name: string): CelType {
  return simple("struct", name);
}

export function opaqueOf(name: string, ...params: CelType[]): CelType {
  return { kind: "opaque", name, params };
}

export function optionalOf(value: CelType): CelType {
  return opaqueOf("optional_type", value);
}

export function typeOf(type: CelType): CelType {
  return { kind: "type", name: "type", params: [type] };
}

/** A type that a call decides on. */
export function param(name: string): CelType {
  return simple("param", name);
}

/** `list(string)`, `optional_type(int)`: a type in a message of the checker. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case "error":
      return "!error!";
    case "null":
      return "null";
    case "duration":
    case "timestamp":
      return type.kind;
    default:
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(", ")})`;
  }
}

/** `google.protobuf.Duration`: a type in messages of Kubernetes' own. */
export function fullTypeName({ name, params }: CelType): string {
  return params.length === 0 ? name : `${name}(${params.map(fullTypeName).join(", ")})`;
}

/** Whether two types are the same in every part. */
export function sameType(a: CelType, b: CelType): boolean {
  return a === b ||
    a.kind === b.kind && a.name === b.name && a.params.length === b.params.length &&
      a.params.every((p, i) => sameType(p, b.params[i]));
}

export function isOptional(type: CelType): boolean {
  return type.kind === "opaque" && type.name === "optional_type";
}

export function isDyn(type: CelType): boolean {
  return type.kind === "dyn";
}
