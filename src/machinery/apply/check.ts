// Whether a value fits its type: apply, unlike other writes, takes no unknown or mistyped member.
import { goFormat, goQuote } from "../go_text.ts";
import type { ScalarKind, TypeModel } from "../schema/model.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";
import { elementOf, elementText, FieldPathError } from "./path_element.ts";
import { type Shape, shapeOf } from "./typed.ts";

/**
 * `.spec.replica: field not declared in schema`; empty when all is well.
 * @param options.duplicates lists may have elements of the same name: so it is with objects that nobody applies
 */
export function checkApplied(type: TypeModel, value: JsonObject, { duplicates = false } = {}): string[] {
  const check = new Check(duplicates);
  check.value(shapeOf(type), value);
  return check.problems;
}

class Check {
  readonly problems: string[] = [];
  #path = "";

  constructor(readonly duplicates: boolean) {}

  #complain(problem: string): void {
    this.problems.push(this.#path === "" ? problem : `${this.#path}: ${problem}`);
  }

  #below(step: string, shape: Shape, value: Json): void {
    const path = this.#path;
    this.#path += step;
    this.value(shape, value);
    this.#path = path;
  }

  value(shape: Shape, value: Json): void {
    if (value === null || shape.type === undefined) return;
    switch (shape.type.kind) {
      case "struct":
      case "map":
        if (!isObject(value)) this.#complain(`expected map, got &{${goFormat(value)}}`);
        else this.#members(shape, value);
        break;
      case "list":
        if (!Array.isArray(value)) this.#complain(`expected list, got &{${goFormat(value)}}`);
        else this.#elements(shape, value);
        break;
      default: {
        const problem = scalarProblem(shape.type.kind, value);
        if (problem !== undefined) this.#complain(problem);
      }
    }
  }

  /** One unknown member ends the look at the others. */
  #members(shape: Shape, value: JsonObject): void {
    for (const name in value) {
      const member = value[name];
      const inner = shape.members.get(name)?.shape ?? shape.others;
      if (inner === undefined) {
        this.problems.push(`${this.#path}.${name}: field not declared in schema`);
        return;
      }
      if (member !== undefined) this.#below(`.${name}`, inner, member);
    }
  }

  #elements(list: Shape, values: readonly Json[]): void {
    const seen = new Set<string>();
    for (const [index, value] of values.entries()) {
      const step = list.form === "piece" ? `[${index}]` : this.#named(list, { index, value, seen });
      // What comes after an element that has no name nobody looks at.
      if (step === undefined) return;
      this.#below(step, list.element!, value);
    }
  }

  #named(
    list: Shape,
    { index, value, seen }: { index: number; value: Json; seen: Set<string> },
  ): string | undefined {
    try {
      const element = elementOf(list, value), text = elementText(element);
      if (!this.duplicates && seen.has(element)) this.#complain(`duplicate entries for key ${text}`);
      seen.add(element);
      return text;
    } catch (error) {
      if (!(error instanceof FieldPathError)) throw error;
      this.#complain(`element ${index}: ${error.message}`);
      return undefined;
    }
  }
}

/** Kinds whose values are checked; all others take anything. */
const CHECKS: Partial<Record<ScalarKind, (value: Json) => string | undefined>> = {
  int32: numberProblem,
  int64: numberProblem,
  double: numberProblem,
  quantity: scalarOnly,
  time: scalarOnly,
  microTime: scalarOnly,
  string: stringProblem,
  bytes: stringProblem,
  duration: stringProblem,
  boolean: (value) => typeof value === "boolean" ? undefined : `expected boolean, got &{${goFormat(value)}}`,
};

function scalarProblem(kind: ScalarKind, value: Json): string | undefined {
  return CHECKS[kind]?.(value);
}

const GO_TYPES: Readonly<Record<string, string>> = { string: "string", boolean: "bool" };

function numberProblem(value: Json): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") return undefined;
  const got = isObject(value) ? "map[string]interface {}" : GO_TYPES[typeof value] ?? "[]interface {}";
  return `expected numeric (int or float), got ${got}`;
}

function scalarOnly(value: Json): string | undefined {
  return typeof value === "object" ? `expected any scalar, got &{${goFormat(value)}}` : undefined;
}

function stringProblem(value: Json): string | undefined {
  if (typeof value === "string") return undefined;
  return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
}

/** `%#v` of decoded JSON. */
function goSyntax(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (typeof value !== "object") return String(value);
  const members = Object.keys(value).sort().map((name) => `${goQuote(name)}:${goSyntax(value[name]!)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}
