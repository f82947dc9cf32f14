// Whether a document can be an object of a type, in the words of k8s.io/apimachinery's converter from unstructured
// content: strategic merge patches are applied to such content, so their mistakes are told in this way.
import { jsonKind } from "../go_text.ts";
import type { FieldModel, ScalarKind, TypeModel } from "../schema/model.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";

/** Scalars of Go itself; all others read JSON in a way of their own. */
const GO_KINDS: Partial<Record<ScalarKind, string>> = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  double: "float64",
};

/** Types that read JSON themselves: what they want, and what else they take. */
const OWN_READERS: Partial<Record<ScalarKind, { goType: string; takes: (value: Json) => boolean }>> = {
  time: { goType: "string", takes: (value) => typeof value === "string" },
  microTime: { goType: "string", takes: (value) => typeof value === "string" },
  duration: { goType: "string", takes: (value) => typeof value === "string" },
  intOrString: { goType: "int32", takes: (value) => typeof value === "string" || Number.isInteger(value) },
};

/** The first thing that is wrong, in the order of the Go types; undefined when there is nothing of this sort. */
export function restoreProblem(type: TypeModel, value: Json, goType?: string): string | undefined {
  if (value === null) return undefined;
  switch (type.kind) {
    case "struct": {
      if (!isObject(value)) return `cannot restore struct from: ${goKind(value)}`;
      return firstProblem(type.fields.values(), (field) => memberProblem(field, value));
    }
    case "map":
      if (!isObject(value)) return `cannot restore map from ${goKind(value)}`;
      return firstProblem(Object.values(value), (member) => restoreProblem(type.value, member ?? null));
    case "list":
      if (!Array.isArray(value)) return `cannot restore slice from ${goKind(value)}`;
      return firstProblem(value, (element) => restoreProblem(type.element, element));
    case "bytes":
      if (typeof value === "string" || Array.isArray(value)) return undefined;
      return `cannot restore slice from ${goKind(value)}`;
    default:
      return scalarProblem(type.kind, value, goType);
  }
}

function memberProblem({ name, type, goType }: FieldModel, object: JsonObject): string | undefined {
  const member = object[name];
  return member === undefined ? undefined : restoreProblem(type, member, goType);
}

function firstProblem<T>(list: Iterable<T>, problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
}

function scalarProblem(kind: ScalarKind, value: Json, goType: string | undefined): string | undefined {
  const own = OWN_READERS[kind];
  if (own !== undefined) {
    return own.takes(value)
      ? undefined
      : `json: cannot unmarshal ${shownKind(value)} into Go value of type ${own.goType}`;
  }
  const wanted = GO_KINDS[kind], given = goKind(value);
  if (wanted === undefined || isSameScalar(wanted, value)) return undefined;
  // What Go can convert at all, but JSON does not.
  const convertible = given === "int64" && wanted === "string" || given === "float64" && wanted.startsWith("int");
  return convertible ? `cannot convert ${given} to ${goType ?? wanted}` : `unrecognized type: ${wanted}`;
}

function isSameScalar(wanted: string, value: Json): boolean {
  switch (wanted) {
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "float64":
      return typeof value === "number" || typeof value === "bigint";
    default:
      return typeof value === "bigint" || Number.isInteger(value);
  }
}

/** The Go kind that decoded JSON has. */
function goKind(value: Json): string {
  if (Array.isArray(value)) return "slice";
  switch (typeof value) {
    case "object":
      return "map";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    default:
      return "string";
  }
}

function shownKind(value: Json): string {
  return typeof value === "number" && !Number.isInteger(value) ? `number ${value}` : jsonKind(value);
}
