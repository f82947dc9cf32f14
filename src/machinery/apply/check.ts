// Whether an applied configuration fits its type: apply, unlike other writes, takes no unknown or mistyped member.
import { goFormat } from "../go_text.ts";
import type { ListType, ScalarKind, TypeModel } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { elementName, isObject } from "./typed.ts";

/** `.spec.replica: field not declared in schema`; empty when all is well. */
export function checkApplied(type: TypeModel, value: JsonObject): string[] {
  const problems: string[] = [];
  check(type, value, "", problems);
  return problems;
}

function check(type: TypeModel | undefined, value: Json | undefined, path: string, problems: string[]): void {
  if (type === undefined || value === null || value === undefined) return;
  switch (type.kind) {
    case "struct":
    case "map":
      if (!isObject(value)) problems.push(`${prefix(path)}expected map, got &{${goFormat(value)}}`);
      else checkMembers(type, value, path, problems);
      break;
    case "list":
      if (!Array.isArray(value)) problems.push(`${prefix(path)}expected list, got &{${goFormat(value)}}`);
      else checkElements(type, value, path, problems);
      break;
    default: {
      const problem = scalarProblem(type.kind, value);
      if (problem !== undefined) problems.push(prefix(path) + problem);
    }
  }
}

function prefix(path: string): string {
  return path === "" ? "" : `${path}: `;
}

type ObjectType = Extract<TypeModel, { kind: "struct" | "map" }>;

function checkMembers(type: ObjectType, value: JsonObject, path: string, problems: string[]): void {
  for (const name of Object.keys(value)) {
    const at = `${path}.${name}`;
    if (type.kind === "map") check(type.value, value[name], at, problems);
    else if (type.fields.has(name)) check(type.fields.get(name)!.type, value[name], at, problems);
    else if (type.additional !== undefined) check(type.additional, value[name], at, problems);
    else if (!type.preserveUnknown) problems.push(`${at}: field not declared in schema`);
  }
}

function checkElements(type: ListType, value: readonly Json[], path: string, problems: string[]): void {
  const seen = new Set<string>();
  for (const [index, element] of value.entries()) {
    if (type.listType === "atomic") {
      check(type.element, element, `${path}[${index}]`, problems);
      continue;
    }
    const name = elementName(type, element);
    if (name === undefined || name === "k:{}") {
      const keys = type.mapKeys.map((key) => JSON.stringify(key)).join(" ");
      problems.push(
        `${prefix(path)}element ${index}: associative list with keys has an element that omits all key fields ` +
          `[${keys}] (and doesn't have default values for any key fields)`,
      );
      return;
    }
    const shown = elementText(name);
    if (seen.has(name)) problems.push(`${prefix(path)}duplicate entries for key ${shown}`);
    seen.add(name);
    check(type.element, element, path + shown, problems);
  }
}

/** `[name="main"]`, `[="value"]` */
function elementText(name: string): string {
  const value = name.slice(2);
  if (name.startsWith("v:")) return `[=${value}]`;
  const keys = Object.entries(JSON.parse(value)).map(([key, v]) => `${key}=${JSON.stringify(v)}`);
  return `[${keys.join(",")}]`;
}

const NUMERIC = new Set<ScalarKind>(["int32", "int64", "double"]);
const UNTYPED = new Set<ScalarKind>(["quantity", "intOrString"]);
const FREE = new Set<ScalarKind>(["fieldsV1", "rawExtension", "json"]);
const GO_TYPES: Readonly<Record<string, string>> = { string: "string", boolean: "bool" };

function scalarProblem(kind: ScalarKind, value: Json): string | undefined {
  if (FREE.has(kind)) return undefined;
  if (NUMERIC.has(kind)) {
    if (typeof value === "number") return undefined;
    const got = isObject(value) ? "map[string]interface {}" : GO_TYPES[typeof value] ?? "[]interface {}";
    return `expected numeric (int or float), got ${got}`;
  }
  if (UNTYPED.has(kind)) {
    return typeof value === "object" ? `expected any scalar, got &{${goFormat(value)}}` : undefined;
  }
  if (kind === "boolean") return typeof value === "boolean" ? undefined : `expected boolean, got &{${goFormat(value)}}`;
  if (typeof value === "string") return undefined;
  return `expected string, got &value.valueUnstructured{Value:${goFormat(value)}}`;
}
