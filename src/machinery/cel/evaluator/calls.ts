// Calls of functions and operators.
import type { Overload } from "../environment.ts";
import type { Call, Expr } from "../syntax/ast.ts";
import type { CelType } from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { typeOfValue } from "../values/operations.ts";
import { ArrayList, hashKey, Optional, type Value } from "../values/value.ts";
import { attributePlan, withoutOwnCost } from "./attributes.ts";
import { constantPlan, type Evaluate, type Plan } from "./frame.ts";
import type { Planner } from "./planner.ts";

/** Conversions of a constant are made once. */
const CONVERSIONS = new Set(["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "uint"]);

const SINGLE = new Set(["size", "type", "dyn", "matches"]);

/** The plan of a call whose arguments are all evaluated. Throws EvalError when a constant cannot be converted. */
export function planCall(planner: Planner, expr: Call): Plan {
  const overloads = planner.checked.overloads[expr.id] ?? [];
  const declaration = planner.checked.functions[expr.id];
  if (overloads.length === 0 || declaration === undefined) throw noSuchOverload(expr.name);
  const isMember = overloads[0].member && expr.target !== undefined;
  const plans = (isMember ? [expr.target!, ...expr.args] : expr.args).map((arg) => planner.plan(arg));
  if (declaration.name === "@in") {
    const membership = planMembership(overloads, plans);
    if (membership !== undefined) return membership;
  }
  const overload = overloads.length === 1 ? overloads[0] : dispatch(declaration.name, overloads);
  const prepared = overload.prepare?.(plans.map((plan) => plan.constant?.value));
  const call = prepared ?? overload.call;
  if (call === undefined) throw noSuchOverload(declaration.name);
  if (plans.length === 1 && CONVERSIONS.has(declaration.name) && plans[0].constant !== undefined) {
    return constantPlan(call(plans[0].constant.value));
  }
  return { run: compileCall(call, overload.cost, plans.map((plan) => plan.run)) };
}

type Implementation = (...args: Value[]) => Value;

function compileCall(call: Implementation, cost: Overload["cost"], args: readonly Evaluate[]): Evaluate {
  if (cost !== undefined) {
    return (frame) => {
      const values = args.map((arg) => arg(frame));
      const result = call(...values);
      frame.cost += cost(values, result);
      return result;
    };
  }
  const [first, second] = args;
  switch (args.length) {
    case 1:
      return (frame) => {
        const value = first(frame);
        frame.cost++;
        return call(value);
      };
    case 2:
      return (frame) => {
        const a = first(frame), b = second(frame);
        frame.cost++;
        return call(a, b);
      };
    default:
      return (frame) => {
        const values = args.map((arg) => arg(frame));
        frame.cost++;
        return call(...values);
      };
  }
}

/** One form that picks among several when it is called, for arguments whose types are not known before. */
function dispatch(name: string, overloads: readonly Overload[]): Overload {
  const first = overloads[0];
  const pick = (args: readonly Value[]) =>
    overloads.find(({ params }) => params.every((type, i) => accepts(type, args[i])));
  // Operators and some functions have one implementation that tells types apart itself.
  if (!/^[a-z]/i.test(name) || SINGLE.has(name)) return { ...first, cost: undefined };
  return {
    ...first,
    call: (...args) => {
      const overload = pick(args);
      if (overload?.call !== undefined) return overload.call(...args);
      throw noSuchOverload(`${name}(${args.map((arg) => typeOfValue(arg).name).join(", ")})`);
    },
    cost: (args, result) => {
      const overload = pick(args);
      return overload === undefined || overload.standard ? 1 : overload.cost?.(args, result) ?? 1;
    },
  };
}

function accepts(type: CelType, value: Value): boolean {
  if (type.kind === "dyn" || type.kind === "param") return true;
  const given = typeOfValue(value);
  return given.kind === type.kind && given.name === type.name;
}

/** `x in [1, 2]` looks a constant up in a set, which costs nothing; undefined when the list is not of that kind. */
function planMembership(overloads: readonly Overload[], [value, list]: readonly Plan[]): Plan | undefined {
  if (overloads.length !== 1 || overloads[0].id !== "in_list") return undefined;
  const elements = list.constant?.value;
  if (!(elements instanceof ArrayList)) return undefined;
  if (elements.size === 0) return constantPlan(false);
  const keys = elements.items.map((item) => hashKey(item));
  if (keys.some((key) => typeof key === "object")) return undefined;
  const set = new Set(keys);
  return { run: (frame) => set.has(hashKey(value.run(frame))) };
}

/** `&&` and `||`: evaluate until the result is certain; an error counts only when nothing decides. */
export function planLogical(planner: Planner, expr: Call, decisive: boolean): Plan {
  const terms = flatten(planner, expr).map((term) => planner.plan(term).run);
  return {
    run: (frame) => {
      let failed: EvalError | undefined;
      for (let i = 0; i < terms.length; i++) {
        try {
          const value = terms[i](frame);
          if (value === decisive) return decisive;
          if (value !== !decisive) failed ??= noSuchOverload();
        } catch (e) {
          if (!(e instanceof EvalError)) throw e;
          failed ??= e;
        }
      }
      if (failed !== undefined) throw failed;
      return !decisive;
    },
  };
}

/** The terms of a tree of one operator, in the order in which they are written. */
function flatten(planner: Planner, expr: Call): Expr[] {
  const name = planner.checked.functions[expr.id]?.name;
  return expr.args.flatMap((arg) =>
    arg.kind === "call" && planner.checked.functions[arg.id]?.name === name ? flatten(planner, arg) : [arg]
  );
}

/** `c ? a : b`. */
export function planConditional(planner: Planner, expr: Call): Plan {
  const [condition, whenTrue, whenFalse] = expr.args.map((arg) => planner.plan(arg));
  const test = condition.run, yes = withoutOwnCost(whenTrue), no = withoutOwnCost(whenFalse);
  const root: Evaluate = (frame) => {
    const value = test(frame);
    if (value === true) return yes(frame);
    if (value === false) return no(frame);
    throw noSuchOverload();
  };
  return attributePlan({ root, qualifiers: [], ownCost: 0 });
}

/** `a.or(b)` and `a.orValue(b)`: the second is evaluated only when the first is absent. */
export function planOptionalOr(planner: Planner, expr: Call): Plan {
  if (expr.target === undefined || expr.args.length !== 1) return planCall(planner, expr);
  const first = planner.plan(expr.target).run, second = planner.plan(expr.args[0]).run;
  const unwrap = expr.name === "orValue";
  return {
    run: (frame) => {
      const optional = first(frame);
      if (!(optional instanceof Optional)) throw noSuchOverload();
      if (optional.value === undefined) return second(frame);
      return unwrap ? optional.value : optional;
    },
  };
}
