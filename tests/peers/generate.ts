// Objects out of the schema model: values of every type, and the places where there can be one.
import type { StructType, TypeModel } from "../../src/machinery/schema/model.ts";

export const GIVEN_TIME = "2024-01-02T03:04:05Z";
const MAX_DEPTH = 14;

type Value = unknown;

/** Strings that mean something by their name. */
const BY_NAME: readonly [RegExp, string][] = [
  [/namespace$/i, "default"],
  [/cidr/i, "10.9.0.0/16"],
  [/^(pod|host|cluster|external)?ips?$/i, "192.0.2.1"],
  [/^url$/i, "https://example.com/x"],
  [/apiversion/i, "v1"],
  [/uid$/i, "6d2f1c1e-6f0e-4d4b-8f6b-3d0f5f1d2c3b"],
];

const SCALARS: Readonly<Record<string, Value>> = {
  boolean: true,
  int32: 1,
  int64: 1,
  double: 1,
  bytes: "eA==",
  quantity: "1",
  time: GIVEN_TIME,
  microTime: "2024-01-02T03:04:05.000006Z",
  duration: "1m0s",
  intOrString: 1,
  fieldsV1: {},
  rawExtension: { a: 1 },
  json: { a: 1 },
  schemaOrArray: { type: "string" },
  schemaOrBool: true,
  schemaOrStringArray: ["x"],
};

/** A value of a type with every field set; undefined where the type contains itself. */
export function fullValue(type: TypeModel, name = "", within: readonly string[] = []): Value {
  if (within.length > MAX_DEPTH) return undefined;
  switch (type.kind) {
    case "struct":
      return fullStruct(type, within);
    case "list": {
      const element = fullValue(type.element, name, within);
      return element === undefined ? undefined : [element];
    }
    case "map": {
      const value = fullValue(type.value, name, within);
      return value === undefined ? undefined : { x: value };
    }
    case "string":
      return type.enum?.[0] ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? "x";
    default:
      return /port$/i.test(name) && type.kind.startsWith("int") ? 80 : SCALARS[type.kind];
  }
}

const STRINGS = [
  "example.com/x",
  "x.example.com",
  "/x",
  "192.0.2.1",
  "10.9.0.0/16",
  "https://example.com/x",
  "v1",
  "1.2.3",
];
const KEYS = ["cpu", "storage", "example.com/x", "x.example.com/x"];

/** Values of a type that rules may like, the usual one first. */
export function candidates(type: TypeModel, name: string): Value[] {
  const usual = fullValue(type, name);
  if (usual === undefined) return [];
  if (type.kind === "string") return [usual, ...STRINGS];
  if (type.kind === "map") return [usual, ...KEYS.map((key) => ({ [key]: (usual as Record<string, Value>).x }))];
  if (type.kind === "list" && type.element.kind === "string") return [usual, ...STRINGS.map((text) => [text])];
  if (type.kind === "struct") return [usual, {}];
  if (type.kind.startsWith("int")) return [usual, 2, 10, 600, 0];
  return type.kind === "boolean" ? [true, false] : [usual];
}

function fullStruct(type: StructType, within: readonly string[]): Value {
  if (within.includes(type.name)) return undefined;
  const object: Record<string, Value> = {};
  for (const [name, field] of type.fields) {
    if (type.name.endsWith("ObjectMeta") && name !== "labels" && name !== "annotations") continue;
    const value = fullValue(field.type, name, [...within, type.name]);
    if (value !== undefined) object[name] = value;
  }
  return object;
}

/** A member of an object, or an element of a list. */
export type Path = readonly (string | number)[];

export interface Place {
  path: Path;
  type: TypeModel;
}

/** Every place below a struct, lists and maps by their first element. */
export function placesOf(type: TypeModel, path: Path = [], within: readonly string[] = []): Place[] {
  if (type.kind === "list") return [{ path, type }, ...placesOf(type.element, [...path, 0], within)];
  if (type.kind === "map") return [{ path, type }, ...placesOf(type.value, [...path, "x"], within)];
  if (type.kind !== "struct") return [{ path, type }];
  if (within.includes(type.name) || within.length > MAX_DEPTH) return [];
  const below = [...within, type.name];
  const members = [...type.fields].filter(([name]) => path.length > 0 || !TOP.has(name))
    .filter(([name]) => !type.name.endsWith("ObjectMeta") || META.has(name));
  return [{ path, type }, ...members.flatMap(([name, field]) => placesOf(field.type, [...path, name], below))];
}

const TOP = new Set(["kind", "apiVersion"]);
const META = new Set(["name", "labels", "annotations", "finalizers"]);

/** Values that a type can be given but that rules may refuse; `undefined` takes the member away. */
export function badValues({ kind }: TypeModel): Value[] {
  switch (kind) {
    case "string":
      return [undefined, "", "Bad_Value!", "x".repeat(300), "a/b/c"];
    case "int32":
    case "int64":
    case "double":
      return [undefined, 0, -1, 99_999_999];
    case "boolean":
      return [undefined, true, false];
    case "intOrString":
      return [undefined, 0, -1, "", "Bad_Value!", "150%", 70_000];
    case "quantity":
      return [undefined, "-1", "0", "1500m", "1n"];
    case "bytes":
      return [undefined, ""];
    case "list":
      return [undefined, []];
    case "map":
      return [undefined, {}];
    case "struct":
      return [undefined, {}];
    default:
      return [undefined];
  }
}

/** A copy with another value at a place; what is missing on the way is made. */
export function withValue<T>(object: T, path: Path, value: Value): T {
  const copy = structuredClone(object);
  let parent = copy as Record<string | number, unknown>;
  path.slice(0, -1).forEach((step, i) => {
    parent[step] ??= typeof path[i + 1] === "number" ? [] : {};
    parent = parent[step] as Record<string | number, unknown>;
  });
  const last = path[path.length - 1];
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}
