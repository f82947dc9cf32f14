// What is checked of literals once an expression's types are right: durations, times, patterns, lists, format strings.
import { fillFormat, wrongType } from "../libraries/format_string.ts";
import { compileRegex } from "../libraries/regex.ts";
import { type Call, childrenOf, type Expr, type Issue } from "../syntax/ast.ts";
import { type CelType, DYN, formatType, isOptional, sameType } from "../types.ts";
import { EvalError } from "../values/errors.ts";
import type { Checked } from "./checker.ts";

/** Issues of literals in an expression that has no others. */
export function validateLiterals(checked: Checked): Issue[] {
  const issues: Issue[] = [];
  visit(checked, checked.expr, false, issues);
  return issues;
}

function visit(checked: Checked, expr: Expr, inFormat: boolean, issues: Issue[]): void {
  if (expr.kind === "call") validateCall(checked, expr, issues);
  if (!inFormat) validateElements(checked, expr, issues);
  const within = inFormat || expr.kind === "call" && expr.name === "format";
  for (const child of childrenOf(expr)) visit(checked, child, within, issues);
}

function typeOf(checked: Checked, expr: Expr): CelType {
  return checked.types[expr.id] ?? DYN;
}

function validateCall(checked: Checked, call: Call, issues: Issue[]): void {
  const name = checked.functions[call.id]?.name;
  if (name === "format") validateFormat(checked, call, issues);
  const [arg] = call.args;
  if (arg?.kind !== "literal") return;
  if (name === "duration" || name === "timestamp") {
    const [overload] = checked.overloads[call.id] ?? [];
    if (fails(() => overload?.call?.(arg.value))) issues.push({ at: arg.at, message: `invalid ${name} argument` });
  } else if (name === "matches" && typeof arg.value === "string") {
    const pattern = arg.value;
    if (fails(() => compileRegex(pattern))) issues.push({ at: arg.at, message: "invalid matches argument" });
  }
}

function fails(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch (e) {
    if (e instanceof EvalError) return true;
    throw e;
  }
}

/** Elements of one list and keys and values of one map have one type. */
function validateElements(checked: Checked, expr: Expr, issues: Issue[]): void {
  if (expr.kind === "list") {
    let first: CelType | undefined;
    for (const [i, element] of expr.elements.entries()) {
      const type = elementType(typeOf(checked, element), expr.optional.includes(i));
      first ??= type;
      if (mismatch(element, first, type, issues)) break;
    }
  } else if (expr.kind === "map") {
    let keyType: CelType | undefined, valueType: CelType | undefined;
    for (const { key, value, optional } of expr.entries) {
      keyType ??= typeOf(checked, key);
      valueType ??= elementType(typeOf(checked, value), optional);
      mismatch(key, keyType, typeOf(checked, key), issues);
      mismatch(value, valueType, elementType(typeOf(checked, value), optional), issues);
    }
  }
}

function elementType(type: CelType, optional: boolean): CelType {
  return optional && isOptional(type) ? type.params[0] : type;
}

function mismatch(expr: Expr, expected: CelType, found: CelType, issues: Issue[]): boolean {
  if (sameType(expected, found)) return false;
  issues.push({ at: expr.at, message: `expected type '${formatType(expected)}' but found '${formatType(found)}'` });
  return true;
}

const KINDS: Record<string, readonly string[]> = {
  s: [
    "list",
    "map",
    "int",
    "uint",
    "double",
    "bool",
    "string",
    "timestamp",
    "bytes",
    "duration",
    "type",
    "null",
  ],
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

/** A literal format string with a list literal: each clause gets what it takes, and there is one for each argument. */
function validateFormat(checked: Checked, call: Call, issues: Issue[]): void {
  const { target, args: [list] } = call;
  if (target?.kind !== "literal" || typeof target.value !== "string" || list?.kind !== "list") return;
  let used = 0, at = call.at;
  try {
    fillFormat(target.value, list.elements.length, ({ verb }, index) => {
      used++;
      const wrong = wrongArgument(checked, list.elements[index], KINDS[verb], verb === "s");
      if (wrong === undefined) return "";
      at = wrong.at;
      const name = typeOf(checked, wrong).name;
      throw new EvalError(`error during formatting: ${wrongType(verb, name)}`);
    });
  } catch (e) {
    if (!(e instanceof EvalError)) throw e;
    issues.push({ at, message: e.message });
    return;
  }
  if (list.elements.length > used) {
    const message = `too many arguments supplied to string.format (expected ${used}, got ${list.elements.length})`;
    issues.push({ at: call.at, message });
  }
}

/** The first part of an argument that is of none of the kinds. */
function wrongArgument(checked: Checked, expr: Expr, kinds: readonly string[], deep: boolean): Expr | undefined {
  const { kind } = typeOf(checked, expr);
  if (kind !== "dyn" && !kinds.includes(kind)) return expr;
  if (!deep || expr.kind !== "list" && expr.kind !== "map") return undefined;
  for (const child of childrenOf(expr)) {
    const wrong = wrongArgument(checked, child, kinds, deep);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
