// Turns the nodes of a checked expression into closures.
import type { Checked } from "../checker/checker.ts";
import { LIST_CREATION, MAP_CREATION, STRUCT_CREATION } from "../cost/factors.ts";
import type { Environment } from "../environment.ts";
import type { Call, Expr, Ident, ListExpr, MapExpr, Select, StructExpr } from "../syntax/ast.ts";
import { EvalError } from "../values/errors.ts";
import { ArrayList, HashMap, Optional, TypeValue, type Value } from "../values/value.ts";
import { attributeOf, attributePlan, presenceTest, withoutOwnCost } from "./attributes.ts";
import { planCall, planConditional, planLogical, planOptionalOr } from "./calls.ts";
import { constantPlan, type Evaluate, type Plan, type Qualifier } from "./frame.ts";
import { planLoop } from "./loops.ts";

export class Planner {
  /** Slots handed out so far. */
  slots: number;
  readonly #globals: ReadonlyMap<string, number>;
  readonly #locals: { name: string; plan: Plan }[] = [];

  constructor(readonly checked: Checked, readonly environment: Environment, variables: readonly string[]) {
    this.#globals = new Map(variables.map((name, slot) => [name, slot]));
    this.slots = variables.length;
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case "literal":
        return constantPlan(expr.value);
      case "ident":
        return this.#ident(expr);
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
        return planLoop(this, expr);
    }
  }

  /** A slot for a loop's variable. */
  slot(): number {
    return this.slots++;
  }

  /** Plans something within which a name has a meaning of its own. */
  within<T>(names: readonly (readonly [name: string, plan: Plan])[], plan: () => T): T {
    for (const [name, local] of names) this.#locals.push({ name, plan: local });
    const result = plan();
    this.#locals.length -= names.length;
    return result;
  }

  #ident(expr: Ident): Plan {
    const local = expr.name.startsWith(".") ? undefined : this.#locals.findLast(({ name }) => name === expr.name);
    return local?.plan ?? this.#global(this.checked.names[expr.id] ?? expr.name);
  }

  #global(name: string): Plan {
    const slot = this.#globals.get(name);
    if (slot !== undefined) return slotPlan(slot);
    const type = this.environment.types.get(name) ?? this.environment.findStruct(name)?.type;
    if (type === undefined) throw new EvalError(`no such attribute(s): ${name}`);
    return constantPlan(new TypeValue(type));
  }

  #select(expr: Select): Plan {
    const name = this.checked.names[expr.id];
    if (name !== undefined) return this.#global(name);
    const attribute = attributeOf(this.plan(expr.operand));
    if (expr.testOnly) return presenceTest(attribute, expr.field);
    return this.#qualified(attribute, constantKey(expr.field, false));
  }

  #qualified(attribute: ReturnType<typeof attributeOf>, qualifier: Qualifier): Plan {
    return attributePlan({ ...attribute, qualifiers: [...attribute.qualifiers, qualifier] });
  }

  #index(expr: Call, optional: boolean): Plan {
    const attribute = attributeOf(this.plan(expr.args[0]));
    const key = this.plan(expr.args[1]);
    const qualifier = key.constant !== undefined
      ? constantKey(key.constant.value, optional)
      : { key: withoutOwnCost(key), optional };
    return this.#qualified(attribute, qualifier);
  }

  #call(expr: Call): Plan {
    switch (this.checked.functions[expr.id]?.name) {
      case "_?._":
      case "_[?_]":
        return this.#index(expr, true);
      case "_[_]":
        return this.#index(expr, false);
      case "_&&_":
        return planLogical(this, expr, false);
      case "_||_":
        return planLogical(this, expr, true);
      case "_?:_":
      case "_?_:_":
        return planConditional(this, expr);
      case "or":
      case "orValue":
        return planOptionalOr(this, expr);
      default:
        return planCall(this, expr);
    }
  }

  #list(expr: ListExpr): Plan {
    const plans = expr.elements.map((element) => this.plan(element));
    if (expr.optional.length === 0 && plans.every((plan) => plan.constant !== undefined)) {
      return constantPlan(new ArrayList(plans.map((plan) => plan.constant!.value)));
    }
    const elements = plans.map((plan) => plan.run);
    const optional = new Set(expr.optional);
    return {
      run: (frame) => {
        const items: Value[] = [];
        for (let i = 0; i < elements.length; i++) {
          const value = elements[i](frame);
          if (optional.has(i)) pushOptional(items, value);
          else items.push(value);
        }
        frame.cost += LIST_CREATION;
        return new ArrayList(items);
      },
    };
  }

  #map(expr: MapExpr): Plan {
    const entries = expr.entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const build: Evaluate = (frame) => {
      const map = new HashMap();
      for (const { key, value, optional } of entries) {
        const k = key.run(frame), v = value.run(frame);
        if (!optional) map.set(k, v);
        else setOptional(map, k, v);
      }
      return map;
    };
    if (entries.every(({ key, value, optional }) => key.constant && value.constant && !optional)) {
      return constantPlan(build({ slots: [], cost: 0, limit: 0 }));
    }
    return {
      run: (frame) => {
        frame.cost += MAP_CREATION;
        return build(frame);
      },
    };
  }

  #struct(expr: StructExpr): Plan {
    const name = this.checked.names[expr.id] ?? expr.typeName;
    const struct = this.environment.findStruct(name);
    const fields = expr.fields.map(({ name, value, optional }) => ({ name, run: this.plan(value).run, optional }));
    if (struct?.construct === undefined) throw new EvalError(`unknown type '${name}'`);
    const construct = struct.construct.bind(struct);
    return {
      run: (frame) => {
        const values = new Map<string, Value>();
        for (const { name, run, optional } of fields) {
          const value = run(frame);
          if (!optional) values.set(name, value);
          else if (value instanceof Optional && value.value !== undefined) values.set(name, value.value);
        }
        frame.cost += STRUCT_CREATION;
        return construct(values);
      },
    };
  }
}

/** A variable's plan. */
export function slotPlan(slot: number): Plan {
  return attributePlan({ root: (frame) => frame.slots[slot], qualifiers: [], ownCost: 1 });
}

function constantKey(value: Value, optional: boolean): Qualifier {
  return { key: () => value, constant: value, optional };
}

function pushOptional(items: Value[], value: Value): void {
  if (!(value instanceof Optional)) {
    throw new EvalError(`cannot initialize optional list element from non-optional value ${value}`);
  }
  if (value.value !== undefined) items.push(value.value);
}

function setOptional(map: HashMap, key: Value, value: Value): void {
  if (!(value instanceof Optional)) {
    throw new EvalError(`cannot initialize optional entry '${key}' from non-optional value ${value}`);
  }
  if (value.value === undefined) map.delete(key);
  else map.set(key, value.value);
}
