// Random objects of a type, and valid-looking ones with something broken in them.
import type { FieldModel, ScalarType, StructType, TypeModel } from "../../src/machinery/schema/model.ts";
import type { Json, JsonObject } from "../../src/machinery/types.ts";
import type { Random } from "../support/random.ts";

/** Names are few, so that requests meet each other's objects. */
export const NAMES = ["a", "b", "c", "web-0", "example.com", "a.b.c"];

const STRINGS = [
  "",
  "a",
  "b",
  "x-1",
  "Always",
  "Never",
  "True",
  "10.0.0.1",
  "1.2.3.0/24",
  "TCP",
  "/a/b",
  "Bad Value!",
  "ü",
];
const NUMBERS = [-1, 0, 1, 2, 80, 65536, 2147483647];
const TIMES = ["2026-01-02T03:04:05Z", "0001-01-01T00:00:00Z", "2026-13-01T00:00:00Z"];

/** Deeper than this, members are left out. */
const MAX_DEPTH = 7;

/** A value of the type; now and then one member too many or too few. */
export function objectOf(type: TypeModel, random: Random, depth = 0): Json {
  switch (type.kind) {
    case "struct":
      return structOf(type, random, depth);
    case "list":
      return Array.from({ length: random.below(3) }, () => objectOf(type.element, random, depth + 1));
    case "map": {
      const keys = random.of([["a"], ["app", "b"], ["cpu", "memory"], ["example.com/x"], []]);
      return Object.fromEntries(keys.map((key) => [key, objectOf(type.value, random, depth + 1)]));
    }
    default:
      return scalarOf(type, random);
  }
}

function structOf(type: StructType, random: Random, depth: number): JsonObject {
  const object: JsonObject = {};
  for (const [name, field] of type.fields) {
    if (!isGiven(field, random, depth)) continue;
    object[name] = objectOf(field.type, random, depth + 1);
  }
  return object;
}

function isGiven({ required }: FieldModel, random: Random, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return random.chance(required ? 0.95 : 0.35 / (1 + depth / 3));
}

function scalarOf(type: ScalarType, random: Random): Json {
  if (type.enum !== undefined && random.chance(0.9)) return random.of(type.enum);
  switch (type.kind) {
    case "boolean":
      return random.chance(0.5);
    case "int32":
    case "int64":
    case "double":
      return random.of(NUMBERS);
    case "intOrString":
      return random.of<Json>([1, "50%", "http", -1]);
    case "quantity":
      return random.of(["1", "100m", "1Gi", "-1", "1e3"]);
    case "time":
      return random.of(TIMES);
    case "microTime":
      return "2026-01-02T03:04:05.000006Z";
    case "duration":
      return random.of(["10s", "1h"]);
    case "bytes":
      return random.of(["", "YQ==", "e30="]);
    case "fieldsV1":
      return { "f:data": {} };
    case "rawExtension":
    case "json":
      return random.of<Json>([{}, { apiVersion: "v1", kind: "Pod" }, "text", 1]);
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStringArray":
      return { type: "string" };
    default:
      return random.of(STRINGS);
  }
}

const ODD_VALUES: readonly Json[] = [
  null,
  "",
  "Bad Value!",
  "x".repeat(300),
  -1,
  0,
  1.5,
  1e12,
  true,
  [],
  {},
  [null],
  [[]],
  [{}],
  { "": "" },
  { a: null },
];

/** The same object with some members replaced, removed or doubled. */
export function broken(object: JsonObject, random: Random): JsonObject {
  const copy = structuredClone(object);
  for (let i = random.below(4); i > 0; i--) breakOne(copy, random);
  return copy;
}

function breakOne(object: JsonObject, random: Random): void {
  let parent: JsonObject | Json[] = object;
  for (;;) {
    const keys: string[] = Object.keys(parent);
    if (keys.length === 0) return;
    const key = random.of(keys), members = parent as JsonObject;
    const member = members[key];
    if (typeof member === "object" && member !== null && random.chance(0.75)) {
      parent = member as JsonObject | Json[];
      continue;
    }
    if (random.chance(0.15)) delete members[key];
    else if (Array.isArray(parent) && random.chance(0.3)) parent.push(structuredClone(parent[Number(key)]));
    else members[random.chance(0.1) ? "unknown" : key] = structuredClone(random.of(ODD_VALUES));
    return;
  }
}
