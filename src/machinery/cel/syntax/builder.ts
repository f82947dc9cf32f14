// Makes the nodes of a syntax tree with their numbers and places.
import type { Value } from "../values/value.ts";
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expr,
  type FieldInit,
  type Ident,
  type Issue,
  type Literal,
  type MapEntry,
} from "./ast.ts";

export class Builder {
  readonly issues: Issue[] = [];
  #id = 0;

  /** Numbers given out so far. */
  get count(): number {
    return this.#id;
  }

  id(): number {
    return ++this.#id;
  }

  /** Notes what is wrong and gives a node to go on with. */
  error(at: number, message: string): Expr {
    this.issues.push({ at, message });
    return this.literal(at, null);
  }

  literal(at: number, value: Value): Literal {
    return { kind: "literal", id: this.id(), at, value };
  }

  ident(at: number, name: string): Ident {
    return { kind: "ident", id: this.id(), at, name };
  }

  accumulator(at: number): Ident {
    return this.ident(at, ACCUMULATOR);
  }

  select(at: number, operand: Expr, field: string, testOnly = false): Expr {
    return { kind: "select", id: this.id(), at, operand, field, testOnly };
  }

  call(at: number, name: string, args: readonly Expr[], target?: Expr): Call {
    return target === undefined
      ? { kind: "call", id: this.id(), at, name, args }
      : { kind: "call", id: this.id(), at, name, args, target };
  }

  list(at: number, elements: readonly Expr[], optional: readonly number[] = []): Expr {
    return { kind: "list", id: this.id(), at, elements, optional };
  }

  map(at: number, entries: readonly MapEntry[] = []): Expr {
    return { kind: "map", id: this.id(), at, entries };
  }

  entry(at: number, key: Expr, value: Expr, optional: boolean): MapEntry {
    return { id: this.id(), at, key, value, optional };
  }

  struct(at: number, typeName: string, fields: readonly FieldInit[]): Expr {
    return { kind: "struct", id: this.id(), at, typeName, fields };
  }

  field(at: number, name: string, value: Expr, optional: boolean): FieldInit {
    return { id: this.id(), at, name, value, optional };
  }

  comprehension(at: number, parts: Omit<Comprehension, "kind" | "id" | "at">): Comprehension {
    return { kind: "comprehension", id: this.id(), at, ...parts };
  }

  /** The same tree with numbers of its own. */
  copy(expr: Expr): Expr {
    const id = this.id();
    switch (expr.kind) {
      case "select":
        return { ...expr, id, operand: this.copy(expr.operand) };
      case "call": {
        const args = expr.args.map((arg) => this.copy(arg));
        return expr.target === undefined
          ? { ...expr, id, args }
          : { ...expr, id, args, target: this.copy(expr.target) };
      }
      case "list":
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case "map":
        return {
          ...expr,
          id,
          entries: expr.entries.map((e) => ({ ...e, id: this.id(), key: this.copy(e.key), value: this.copy(e.value) })),
        };
      case "struct":
        return { ...expr, id, fields: expr.fields.map((f) => ({ ...f, id: this.id(), value: this.copy(f.value) })) };
      case "comprehension":
        return {
          ...expr,
          id,
          range: this.copy(expr.range),
          init: this.copy(expr.init),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
      default:
        return { ...expr, id };
    }
  }
}
