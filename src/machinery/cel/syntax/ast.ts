// The syntax tree of an expression: macros are expanded into comprehensions, operators are calls.
import type { Value } from "../values/value.ts";

interface NodeBase {
  /** Unique in its expression, from 1 on. */
  readonly id: number;
  /** Where it is in the text: an index of UTF-16 units. */
  readonly at: number;
}

export interface Literal extends NodeBase {
  readonly kind: "literal";
  readonly value: Value;
}

export interface Ident extends NodeBase {
  readonly kind: "ident";
  readonly name: string;
}

export interface Select extends NodeBase {
  readonly kind: "select";
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)`. */
  readonly testOnly: boolean;
}

export interface Call extends NodeBase {
  readonly kind: "call";
  /** `_+_` for an operator. */
  readonly name: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
}

export interface ListExpr extends NodeBase {
  readonly kind: "list";
  readonly elements: readonly Expr[];
  /** Indices of elements written with `?`. */
  readonly optional: readonly number[];
}

/** `key: value` of a map. */
export interface MapEntry extends NodeBase {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends NodeBase {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

/** `name: value` of an object. */
export interface FieldInit extends NodeBase {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr extends NodeBase {
  readonly kind: "struct";
  readonly typeName: string;
  readonly fields: readonly FieldInit[];
}

/**
 * A loop: `accu` starts as `init`; for each element of `range`, while `condition` holds, it becomes `step`; then
 * `result` is the value.
 */
export interface Comprehension extends NodeBase {
  readonly kind: "comprehension";
  readonly range: Expr;
  readonly variable: string;
  /** The second variable, of loops over index and element or key and value. */
  readonly variable2?: string;
  readonly accu: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension;

/** The accumulator of the standard macros: not a name that can be written. */
export const ACCUMULATOR = "@result";

/** Something wrong with an expression, at a place of its text; -1 when it has none. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** The direct parts of a node, in the order in which they are written. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.elements;
    case "map":
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case "struct":
      return expr.fields.map((field) => field.value);
    case "comprehension":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}

/** `a.b.c` as text when a node is nothing but names and dots. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
