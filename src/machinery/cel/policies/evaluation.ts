// Evaluates a policy's expressions on one request, within a budget that they share.
import type { Json } from "../../types.ts";
import { EvalError } from "../mod.ts";
import type { AuthorizerValue, ResourceCheck } from "../libraries/authorizer.ts";
import { dynamicValue } from "../values/json.ts";
import { MapValue, type Value } from "../values/value.ts";
import type { Compilation, PolicyExpression } from "./compiler.ts";

/** What one policy may cost per request, in units of the language's cost model. */
export const POLICY_BUDGET = 10_000_000;
/** What its match conditions may cost on top of that. */
export const CONDITION_BUDGET = 2_500_000;

/** What expressions look at; undefined is null for them. */
export interface PolicyInput {
  readonly object: Json | undefined;
  readonly oldObject: Json | undefined;
  readonly params: Json | undefined;
  readonly request: Json;
  readonly namespaceObject: Json | undefined;
  /** Absent for expressions that may not ask. */
  readonly authorizer?: AuthorizerValue;
  readonly requestResource?: ResourceCheck;
}

/** The budget is spent. */
export class OutOfBudget extends Error {
  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

export type Result = { readonly value: Value } | { readonly error: string };

/** One run over a group of expressions. */
export class PolicyEvaluation {
  readonly #values = new Map<string, Value>();
  readonly #variables: LazyVariables;

  constructor(
    readonly input: PolicyInput,
    variables: ReadonlyMap<string, Compilation>,
    public budget: number,
  ) {
    this.#variables = new LazyVariables(variables, (name) => this.#value(name));
  }

  /** Throws {@link OutOfBudget}, and whatever the authorizer throws. */
  evaluate(expression: PolicyExpression): Result {
    const outcome = expression.program.evaluate((name) => this.#value(name));
    this.#spend(this.#variables.takeCost());
    this.#spend(outcome.cost);
    if (outcome.error === undefined) return { value: outcome.value! };
    return { error: `expression '${expression.source}' resulted in error: ${outcome.error}` };
  }

  #spend(cost: number): void {
    if (cost > this.budget) throw new OutOfBudget();
    this.budget -= cost;
  }

  #value(name: string): Value {
    if (name === "variables") return this.#variables;
    let value = this.#values.get(name);
    if (value === undefined) this.#values.set(name, value = this.#read(name));
    return value;
  }

  #read(name: string): Value {
    const { input } = this;
    switch (name) {
      case "authorizer":
        return input.authorizer ?? null;
      case "authorizer.requestResource":
        return input.requestResource ?? null;
      case "object":
      case "oldObject":
      case "params":
      case "request":
      case "namespaceObject":
        return dynamicValue(input[name]);
      default:
        throw new EvalError(`no such attribute(s): ${name}`);
    }
  }
}

/** The policy's variables: each is evaluated when it is first used, once. */
class LazyVariables extends MapValue {
  readonly #known = new Map<string, Value | EvalError>();
  #cost = 0;

  constructor(readonly variables: ReadonlyMap<string, Compilation>, readonly value: (name: string) => Value) {
    super();
  }

  get size(): number {
    return this.variables.size;
  }

  keys(): Value[] {
    return [...this.variables.keys()];
  }

  find(key: Value): Value | undefined {
    const compilation = this.variables.get(key as string);
    if (compilation === undefined) return undefined;
    let known = this.#known.get(key as string);
    if (known === undefined) this.#known.set(key as string, known = this.#evaluate(key as string, compilation));
    if (known instanceof EvalError) throw known;
    return known;
  }

  /** What the variables have cost since this was asked last. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, compilation: Compilation): Value | EvalError {
    if ("error" in compilation) {
      return new EvalError(`composited variable "${name}" fails to compile: ${compilation.error}`);
    }
    const { value, error, cost } = compilation.program.evaluate(this.value);
    this.#cost += cost;
    return error === undefined ? value! : new EvalError(`composited variable "${name}" fails to evaluate: ${error}`);
  }
}
