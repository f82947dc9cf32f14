// Estimates before it runs what an expression can cost at most, by the largest sizes of its data.
import type { Checked } from "../checker/checker.ts";
import type { Overload } from "../environment.ts";
import type { Call, Comprehension, Expr, ListExpr, MapExpr } from "../syntax/ast.ts";
import { ACCUMULATOR } from "../syntax/ast.ts";
import { type CelType, DYN, isOptional } from "../types.ts";
import { codePoints } from "../values/operations.ts";
import { LIST_CREATION, MAP_CREATION, STRUCT_CREATION } from "./factors.ts";
import { add, multiply, ONE, type Range, range, UNBOUNDED, union, UNKNOWN, ZERO } from "./range.ts";
import { standardEstimate } from "./standard_estimates.ts";

/** A part of an expression, as the estimates of functions see it. */
export interface EstimatedNode {
  /** How it is reached from a variable: the variable, then fields, `@items`, `@keys` or `@values`. */
  readonly path: readonly string[];
  readonly type: CelType;
  readonly expr?: Expr;
  /** Known without looking at the data's schema. */
  readonly size?: Range;
}

/** Knows the largest sizes of data. */
export interface Estimator {
  /** How large the data at a path is; undefined when that is not known. */
  sizeAt(path: readonly string[]): Range | undefined;
}

/** What a call costs, and how large its result is where that has a size. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** The size of an argument. */
export function sizeOf(estimator: Estimator, node: EstimatedNode): Range {
  return node.size ?? (node.path.length === 0 ? undefined : estimator.sizeAt(node.path)) ?? UNKNOWN;
}

/** The least and most that an expression costs. */
export function estimateCost(checked: Checked, estimator: Estimator): Range {
  return new Coster(checked, estimator).cost(checked.expr);
}

/** The sizes of what is in a list or map. */
export interface EntrySize {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[];
  readonly size?: Range;
  readonly entries?: EntrySize;
}

export class Coster {
  readonly #paths = new Map<number, readonly string[]>();
  readonly #locals = new Map<string, Local[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySize>();

  constructor(readonly checked: Checked, readonly estimator: Estimator) {}

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case "literal":
        return ZERO;
      case "ident":
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name]);
        return ONE;
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return add(...expr.fields.map((field) => this.cost(field.value)), range(STRUCT_CREATION));
      case "comprehension":
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
    }
  }

  #type(expr: Expr): CelType {
    return this.checked.types[expr.id] ?? DYN;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === "ident" ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #select(expr: Expr & { kind: "select" }): Range {
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    this.#paths.set(expr.id, [...this.#path(expr.operand), expr.field]);
    const { kind } = this.#type(expr.operand);
    return kind === "map" || kind === "struct" ? add(operand, ONE) : operand;
  }

  #call(expr: Call): Range {
    const declaration = this.checked.functions[expr.id];
    if (declaration?.name === "dyn") {
      const cost = this.cost(expr.args[0]);
      this.#copySizes(expr, expr.args[0]);
      return add(cost, ONE);
    }
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    const overloads = this.#overloads(expr);
    if (overloads.length === 0) return ZERO;
    // A namespace that was written before the name is no target.
    const isMember = overloads[0].member && expr.target !== undefined;
    const targetCost = isMember ? this.cost(expr.target!) : ZERO;
    const target = isMember ? this.#node(expr.target!) : undefined;
    let cost = range(UNBOUNDED, 0);
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(expr, overload, target, args, argCosts);
      cost = union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      if (overload.id === "index_list" || overload.id === "index_map") {
        size = this.entriesOf(expr.args[0])?.value;
        this.#paths.set(expr.id, [...this.#path(expr.args[0]), overload.id === "index_list" ? "@items" : "@values"]);
      }
      size ??= this.sizeOf(expr);
    }
    if (size !== undefined) this.#sizes.set(expr.id, size);
    return add(targetCost, cost);
  }

  #overloads(expr: Call): readonly Overload[] {
    if (expr.name === "_?._") return this.checked.functions[expr.id]?.overloads ?? [];
    return this.checked.overloads[expr.id] ?? [];
  }

  #overload(
    expr: Call,
    overload: Overload,
    target: EstimatedNode | undefined,
    args: readonly EstimatedNode[],
    argCosts: readonly Range[],
  ): CallEstimate {
    const own = overload.estimate?.(this.estimator, target, args);
    if (own !== undefined) return { ...own, cost: add(own.cost, ...argCosts) };
    return standardEstimate(this, expr, overload.id, target, args, argCosts);
  }

  #node(expr: Expr): EstimatedNode {
    const path = this.#path(expr);
    return { path: path[0] === ACCUMULATOR ? [] : path, type: this.#type(expr), expr, size: this.sizeOf(expr) };
  }

  #list(expr: ListExpr): Range {
    let size = range(expr.elements.length === 0 ? 0 : UNBOUNDED, 0);
    const costs = expr.elements.map((element) => {
      const cost = this.cost(element);
      size = union(size, this.sizeOf(element) ?? UNKNOWN);
      return cost;
    });
    this.#entries.set(expr.id, { kind: "list", key: ONE, value: size });
    return add(...costs, range(LIST_CREATION));
  }

  #map(expr: MapExpr): Range {
    const start = range(expr.entries.length === 0 ? 0 : UNBOUNDED, 0);
    let key = start, value = start;
    const costs: Range[] = [];
    for (const entry of expr.entries) {
      costs.push(this.cost(entry.key), this.cost(entry.value));
      key = union(key, this.sizeOf(entry.key) ?? UNKNOWN);
      value = union(value, this.sizeOf(entry.value) ?? UNKNOWN);
    }
    this.#entries.set(expr.id, { kind: "map", key, value });
    return add(...costs, range(MAP_CREATION));
  }

  #comprehension(expr: Comprehension): Range {
    const start = [this.cost(expr.range), this.cost(expr.init)];
    this.#pushValue(expr.accu, expr.init);
    this.#pushLoopVariables(expr);
    const loop = add(this.cost(expr.condition), this.cost(expr.step));
    this.#pop(expr.variable);
    if (expr.variable2 !== undefined) this.#pop(expr.variable2);
    const result = this.cost(expr.result);
    this.#pop(expr.accu);
    const count = this.sizeOf(expr.range) ?? UNKNOWN;
    if (expr.init.kind === "literal") {
      const size = this.sizeOf(expr.init);
      if (size !== undefined) this.#sizes.set(expr.id, size);
    } else if (expr.init.kind === "list" || expr.init.kind === "map") {
      this.#sizes.set(expr.id, count);
      const entries = this.entriesOf(expr.step);
      if (entries !== undefined) this.#entries.set(expr.id, entries);
    }
    return add(...start, result, multiply(count, loop));
  }

  #pushValue(name: string, value: Expr): void {
    this.#push(name, { path: this.#path(value), size: this.sizeOf(value), entries: this.entriesOf(value) });
  }

  #pushLoopVariables(expr: Comprehension): void {
    const entries = this.entriesOf(expr.range);
    const path = this.#path(expr.range);
    const isList = (entries?.kind ?? this.#type(expr.range).kind) === "list";
    const value = { path: [...path, isList ? "@items" : "@values"], size: entries?.value };
    if (expr.variable2 !== undefined) {
      this.#push(expr.variable, { path: [...path, isList ? "@indices" : "@keys"], size: entries?.key });
      this.#push(expr.variable2, value);
    } else if (isList) {
      this.#push(expr.variable, value);
    } else {
      this.#push(expr.variable, { path: [...path, "@keys"], size: entries?.key });
    }
  }

  #binding(expr: Comprehension): Range {
    const cost = add(this.cost(expr.range), this.cost(expr.init));
    this.#pushValue(expr.accu, expr.init);
    const result = this.cost(expr.result);
    this.#pop(expr.accu);
    this.#copySizes(expr, expr.result);
    return add(cost, result);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.sizeOf(from), entries = this.entriesOf(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    if (entries !== undefined) this.#entries.set(to.id, entries);
  }

  /** How large a part's value can be; undefined when nothing is known. */
  sizeOf(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#path(expr);
    const size = path.length === 0 ? undefined : this.estimator.sizeAt(path);
    if (size !== undefined) {
      this.#sizes.set(expr.id, size);
      return size;
    }
    if (isScalar(this.#type(expr))) return ONE;
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  entriesOf(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr.id) ?? (expr.kind === "ident" ? this.#local(expr.name)?.entries : undefined);
  }

  setEntries(expr: Expr, entries: EntrySize | undefined): void {
    if (entries !== undefined) this.#entries.set(expr.id, entries);
  }
}

/** Whether a loop only gives a name to a value. */
function isBinding(expr: Comprehension): boolean {
  return expr.range.kind === "list" && expr.range.elements.length === 0 &&
    expr.condition.kind === "literal" && expr.condition.value === false && expr.accu !== ACCUMULATOR;
}

function literalSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case "literal":
      if (typeof expr.value === "string") return range(codePoints(expr.value));
      return expr.value instanceof Uint8Array ? range(expr.value.length) : ONE;
    case "list":
      return range(expr.elements.length);
    case "map":
      return range(expr.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: CelType): boolean {
  if (isOptional(type)) return isScalar(type.params[0]);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}
