// Checks the types of an expression (CEL specification, "Gradual Type Checking") and resolves names and calls.
import type { Environment, FunctionDeclaration, Overload } from "../environment.ts";
import {
  type Call,
  type Comprehension,
  type Expr,
  type Issue,
  type ListExpr,
  type MapExpr,
  qualifiedName,
  type Select,
  type StructExpr,
} from "../syntax/ast.ts";
import type { Parsed } from "../syntax/parser.ts";
import {
  ANY,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  formatType,
  INT,
  isDyn,
  isOptional,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  param,
  sameType,
  STRING,
  typeOf,
  UINT,
} from "../types.ts";
import { Double, isInt, Uint } from "../values/value.ts";
import { assign, assignAll, type Bindings, mostGeneral, substitute } from "./inference.ts";

/** What is known of the nodes of an expression, by their ids. */
export interface Checked {
  readonly expr: Expr;
  readonly types: readonly (CelType | undefined)[];
  /** The forms that a call may take. */
  readonly overloads: readonly (readonly Overload[] | undefined)[];
  /** The function of a call; its name counts the target in where a namespace was written (`optional.of`). */
  readonly functions: readonly (FunctionDeclaration | undefined)[];
  /** Names that stand for a variable of the environment, a loop's variable or a type. */
  readonly names: readonly (string | undefined)[];
  /** The variables of the environment that are used. */
  readonly variables: ReadonlySet<string>;
  readonly issues: readonly Issue[];
}

/** Checks a parsed expression that has no issues yet. */
export function check(parsed: Parsed, environment: Environment): Checked {
  const checker = new Checker(environment, parsed.idLimit);
  checker.check(parsed.expr);
  return checker.finish(parsed.expr);
}

interface Scope {
  readonly names: Map<string, CelType>;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly #types: (CelType | undefined)[];
  readonly #overloads: (readonly Overload[] | undefined)[];
  readonly #functions: (FunctionDeclaration | undefined)[];
  readonly #names: (string | undefined)[];
  readonly #variables = new Set<string>();
  readonly #issues: Issue[] = [];
  #bindings: Bindings = new Map();
  #scope: Scope | undefined;
  #typeVariables = 0;

  constructor(readonly environment: Environment, idLimit: number) {
    this.#types = new Array(idLimit);
    this.#overloads = new Array(idLimit);
    this.#functions = new Array(idLimit);
    this.#names = new Array(idLimit);
  }

  finish(expr: Expr): Checked {
    return {
      expr,
      types: this.#types.map((type) => type === undefined ? undefined : substitute(this.#bindings, type, true)),
      overloads: this.#overloads,
      functions: this.#functions,
      names: this.#names,
      variables: this.#variables,
      issues: this.#issues,
    };
  }

  check(expr: Expr): void {
    this.#types[expr.id] = this.#typeOfNode(expr);
  }

  #typeOfNode(expr: Expr): CelType {
    switch (expr.kind) {
      case "literal":
        return literalType(expr.value);
      case "ident":
        return this.#identifier(expr, expr.name);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return this.#comprehension(expr);
    }
  }

  #error(at: number, message: string): CelType {
    this.#issues.push({ at, message });
    return ERROR;
  }

  #undeclared(at: number, name: string): CelType {
    return this.#error(at, `undeclared reference to '${name}' (in container '')`);
  }

  #mismatch(at: number, expected: CelType, found: CelType): CelType {
    return this.#error(at, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  #type(expr: Expr): CelType {
    return this.#types[expr.id] ?? ERROR;
  }

  #assign(a: CelType, b: CelType): boolean {
    const bindings = assign(this.#bindings, a, b);
    if (bindings !== undefined) this.#bindings = bindings;
    return bindings !== undefined;
  }

  #typeVariable(): CelType {
    return param(`_var${this.#typeVariables++}`);
  }

  /** The type that a name has where it is; undefined when nothing has that name. */
  #lookup(written: string): { name: string; type: CelType } | undefined {
    const name = written.startsWith(".") ? written.slice(1) : written;
    if (name === written) {
      for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
        const type = scope.names.get(name);
        if (type !== undefined) return { name, type };
      }
    }
    const variable = this.environment.variables.get(name);
    if (variable !== undefined) {
      this.#variables.add(name);
      return { name, type: variable };
    }
    const type = this.environment.types.get(name) ?? this.environment.findStruct(name)?.type;
    return type === undefined ? undefined : { name, type: typeOf(type) };
  }

  #identifier(expr: Expr, written: string): CelType {
    const found = this.#lookup(written);
    if (found === undefined) return this.#undeclared(expr.at, written);
    this.#names[expr.id] = found.name;
    return found.type;
  }

  #select(expr: Select): CelType {
    const qualified = expr.testOnly ? undefined : qualifiedName(expr);
    const found = qualified === undefined ? undefined : this.#lookup(qualified);
    if (found !== undefined) {
      this.#names[expr.id] = found.name;
      return found.type;
    }
    const type = this.#field(expr, expr.operand, expr.field, false);
    return expr.testOnly ? BOOL : substitute(this.#bindings, type, false);
  }

  #field(expr: Expr, operand: Expr, field: string, optional: boolean): CelType {
    this.check(operand);
    const operandType = substitute(this.#bindings, this.#type(operand), false);
    const wasOptional = isOptional(operandType);
    const target = wasOptional ? operandType.params[0] : operandType;
    const type = this.#fieldOf(expr, target, field);
    return wasOptional || optional ? optionalOf(type) : type;
  }

  #fieldOf(expr: Expr, target: CelType, field: string): CelType {
    switch (target.kind) {
      case "map":
        return target.params[1];
      case "struct":
        return this.#structField(expr.at, target.name, field) ?? ERROR;
      case "param":
        this.#assign(DYN, target);
        return DYN;
      case "dyn":
      case "error":
        return DYN;
      default:
        this.#error(expr.at, `type '${formatType(target)}' does not support field selection`);
        return DYN;
    }
  }

  #structField(at: number, typeName: string, field: string): CelType | undefined {
    const struct = this.environment.findStruct(typeName);
    if (struct === undefined) {
      this.#error(at, `unexpected failed resolution of '${typeName}'`);
      return undefined;
    }
    const type = struct.fieldType(field);
    if (type === undefined) this.#error(at, `undefined field '${field}'`);
    return type;
  }

  #call(expr: Call): CelType {
    if (expr.name === "_?._") return this.#optionalSelect(expr);
    for (const arg of expr.args) this.check(arg);
    if (expr.target === undefined) {
      const name = expr.name.startsWith(".") ? expr.name.slice(1) : expr.name;
      const declaration = this.environment.functions.get(name);
      return declaration === undefined
        ? this.#undeclared(expr.at, expr.name)
        : this.#resolve(expr, declaration, undefined);
    }
    const prefix = qualifiedName(expr.target);
    if (prefix !== undefined) {
      const declaration = this.environment.functions.get(`${prefix}.${expr.name}`);
      if (declaration !== undefined) return this.#resolve(expr, declaration, undefined);
    }
    this.check(expr.target);
    const declaration = this.environment.functions.get(expr.name);
    return declaration === undefined
      ? this.#undeclared(expr.at, expr.name)
      : this.#resolve(expr, declaration, expr.target);
  }

  #optionalSelect(expr: Call): CelType {
    const [operand, field] = expr.args;
    const name = field.kind === "literal" ? String(field.value) : "";
    this.#types[field.id] = STRING;
    this.#functions[expr.id] = this.environment.functions.get(expr.name);
    return substitute(this.#bindings, this.#field(expr, operand, name, true), false);
  }

  #resolve(expr: Call, declaration: FunctionDeclaration, target: Expr | undefined): CelType {
    this.#functions[expr.id] = declaration;
    const nodes = target === undefined ? expr.args : [target, ...expr.args];
    const given = nodes.map((node) => this.#type(node));
    if (declaration.name === "_&&_" || declaration.name === "_||_") {
      this.#overloads[expr.id] = declaration.overloads;
      return this.#logical(expr, given);
    }
    const found: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.member !== (target !== undefined)) continue;
      const [resultType, ...params] = this.#fresh([overload.result, ...overload.params]);
      const bindings = assignAll(this.#bindings, given, params);
      if (bindings === undefined) continue;
      this.#bindings = bindings;
      found.push(overload);
      const type = substitute(bindings, resultType, false);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = DYN;
    }
    if (result === undefined) return this.#noOverload(expr, declaration.name, given, target !== undefined);
    this.#overloads[expr.id] = found;
    return result;
  }

  #logical(expr: Call, given: readonly CelType[]): CelType {
    let failed = false;
    given.forEach((type, i) => {
      if (this.#assign(type, BOOL)) return;
      this.#mismatch(expr.args[i].at, BOOL, type);
      failed = true;
    });
    return failed ? ERROR : BOOL;
  }

  #noOverload(expr: Call, name: string, given: readonly CelType[], member: boolean): CelType {
    const types = given.map((type) => formatType(substitute(this.#bindings, type, true)));
    const signature = member ? `${types[0]}.(${types.slice(1).join(", ")})` : `(${types.join(", ")})`;
    return this.#error(expr.at, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  /** Types with type parameters of their own, for one call. */
  #fresh(types: readonly CelType[]): CelType[] {
    const fresh = new Map<string, CelType>();
    const collect = (type: CelType): void => {
      if (type.kind === "param" && !fresh.has(type.name)) fresh.set(type.name, this.#typeVariable());
      type.params.forEach(collect);
    };
    types.forEach(collect);
    return fresh.size === 0 ? [...types] : types.map((type) => substitute(fresh, type, false));
  }

  #list(expr: ListExpr): CelType {
    let type: CelType | undefined;
    expr.elements.forEach((element, i) => {
      this.check(element);
      let found = this.#type(element);
      if (expr.optional.includes(i)) found = this.#unwrap(element.at, found);
      type = this.#join(type, found);
    });
    return listOf(type ?? this.#typeVariable());
  }

  #map(expr: MapExpr): CelType {
    let keyType: CelType | undefined, valueType: CelType | undefined;
    for (const { key, value, optional } of expr.entries) {
      this.check(key);
      keyType = this.#join(keyType, this.#type(key));
      this.check(value);
      const found = this.#type(value);
      valueType = this.#join(valueType, optional ? this.#unwrap(value.at, found) : found);
    }
    return mapOf(keyType ?? this.#typeVariable(), valueType ?? this.#typeVariable());
  }

  /** What an element written with `?` gives. */
  #unwrap(at: number, type: CelType): CelType {
    if (isOptional(type)) return type.params[0];
    if (!isDyn(type)) this.#mismatch(at, optionalOf(type), type);
    return type;
  }

  #join(previous: CelType | undefined, type: CelType): CelType {
    if (previous === undefined) return type;
    return this.#assign(previous, type) ? mostGeneral(previous, type) : DYN;
  }

  #struct(expr: StructExpr): CelType {
    const found = this.#lookup(expr.typeName);
    if (found === undefined) return this.#undeclared(expr.at, expr.typeName);
    const type = this.#structType(expr, found.type);
    const struct = type.kind === "struct" ? this.environment.findStruct(type.name) : undefined;
    for (const field of expr.fields) {
      this.check(field.value);
      const fieldType = struct?.fieldType(field.name) ?? this.#error(field.at, `undefined field '${field.name}'`);
      let valueType = this.#type(field.value);
      if (field.optional) valueType = this.#unwrap(field.value.at, valueType);
      if (this.#assign(fieldType, valueType)) continue;
      const [expected, given] = [formatType(fieldType), formatType(valueType)];
      this.#error(field.at, `expected type of field '${field.name}' is '${expected}' but provided type is '${given}'`);
    }
    this.#names[expr.id] = struct?.type.name;
    return type;
  }

  #structType(expr: StructExpr, type: CelType): CelType {
    if (type.kind !== "type") return this.#error(expr.at, `'${type.name}' is not a type`);
    const [named] = type.params;
    return named.kind === "struct" ? named : this.#error(expr.at, `'${named.name}' is not a message type`);
  }

  #comprehension(expr: Comprehension): CelType {
    this.check(expr.range);
    this.check(expr.init);
    const rangeType = substitute(this.#bindings, this.#type(expr.range), false);
    const accuType = this.#type(expr.init);
    const outer = this.#scope;
    const accuScope: Scope = { names: new Map([[expr.accu, accuType]]), outer };
    const [first, second] = this.#loopVariables(expr, rangeType);
    const names = new Map([[expr.variable, first]]);
    if (expr.variable2 !== undefined) names.set(expr.variable2, second);
    this.#scope = { names, outer: accuScope };
    this.check(expr.condition);
    this.#expect(expr.condition, BOOL);
    this.check(expr.step);
    this.#expect(expr.step, accuType);
    this.#scope = accuScope;
    this.check(expr.result);
    this.#scope = outer;
    return substitute(this.#bindings, this.#type(expr.result), false);
  }

  #loopVariables(expr: Comprehension, range: CelType): [CelType, CelType] {
    const two = expr.variable2 !== undefined;
    // `any` is as good as dynamic but here.
    switch (range.name === ANY.name ? "any" : range.kind) {
      case "list":
        return two ? [INT, range.params[0]] : [range.params[0], ERROR];
      case "map":
        return [range.params[0], range.params[1]];
      case "dyn":
      case "error":
      case "param":
        this.#assign(DYN, range);
        return [DYN, DYN];
      default:
        this.#error(
          expr.range.at,
          `expression of type '${formatType(range)}' cannot be range of a comprehension ` +
            "(must be list, map, or dynamic)",
        );
        return [ERROR, ERROR];
    }
  }

  #expect(expr: Expr, type: CelType): void {
    if (!this.#assign(type, this.#type(expr))) this.#mismatch(expr.at, type, this.#type(expr));
  }
}

function literalType(value: unknown): CelType {
  if (value === null) return NULL;
  if (typeof value === "boolean") return BOOL;
  if (typeof value === "string") return STRING;
  if (value instanceof Double) return DOUBLE;
  if (value instanceof Uint) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  return isInt(value as number) ? INT : ERROR;
}
