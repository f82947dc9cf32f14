// Comprehensions. All of them come from macros, so each kind of loop is a closure of its own.
import { LIST_CREATION } from "../cost/factors.ts";
import { ACCUMULATOR, type Comprehension, type Expr } from "../syntax/ast.ts";
import type { CelType } from "../types.ts";
import { CostLimitError, EvalError, noSuchOverload } from "../values/errors.ts";
import { typeOfValue } from "../values/operations.ts";
import { ArrayList, HashMap, ListValue, MapValue, type Value } from "../values/value.ts";
import type { Evaluate, Frame, Plan } from "./frame.ts";
import { type Planner, slotPlan } from "./planner.ts";

/** The loop's variables and what is gone through. */
interface Loop {
  readonly range: Evaluate;
  readonly slot: number;
  /** Of the second variable. */
  readonly slot2: number | undefined;
}

/** One round; true ends the loop. */
type Round = (frame: Frame) => boolean;

export function planLoop(planner: Planner, expr: Comprehension): Plan {
  if (expr.accu !== ACCUMULATOR) return planBinding(planner, expr);
  const slot = planner.slot(), slot2 = expr.variable2 === undefined ? undefined : planner.slot();
  const loop: Loop = { range: planner.plan(expr.range).run, slot, slot2 };
  const names: [string, Plan][] = [[expr.variable, slotPlan(slot)]];
  if (expr.variable2 !== undefined) names.push([expr.variable2, slotPlan(slot2!)]);
  return { run: planner.within(names, () => planBody(planner, expr, loop)) };
}

function planBody(planner: Planner, expr: Comprehension, loop: Loop): Evaluate {
  const step = asCall(expr.step);
  switch (step.name) {
    case "_&&_":
      return quantifier(loop, planner.plan(step.args[1]).run, false, 2);
    case "_||_":
      return quantifier(loop, planner.plan(step.args[1]).run, true, 3);
    case "_?_:_":
      return accumulation(planner, expr, loop, planner.plan(step.args[0]).run, asCall(step.args[1]));
    default:
      return accumulation(planner, expr, loop, undefined, step);
  }
}

function asCall(expr: Expr): Expr & { kind: "call" } {
  if (expr.kind !== "call") throw new Error("a loop's step is a call");
  return expr;
}

/** Goes through a list's elements or a map's keys; `perRound` is what each round costs beside its parts. */
function iterate(loop: Loop, frame: Frame, round: Round): void {
  const range = loop.range(frame);
  if (range instanceof ListValue) {
    const { slot, slot2 } = loop;
    for (let i = 0; i < range.size; i++) {
      if (slot2 === undefined) {
        frame.slots[slot] = range.at(i);
      } else {
        frame.slots[slot] = i;
        frame.slots[slot2] = range.at(i);
      }
      if (round(frame)) return;
      if (frame.cost > frame.limit) throw new CostLimitError();
    }
  } else if (range instanceof MapValue) {
    iterateMap(loop, range, frame, round);
  } else {
    throw new EvalError(`got '${goTypeName(typeOfValue(range))}', expected iterable type`);
  }
}

/** What the real server's messages call a type. */
function goTypeName({ kind, name }: CelType): string {
  return kind === "opaque" || kind === "struct" ? name : `types.${kind[0].toUpperCase()}${kind.slice(1)}`;
}

function iterateMap({ slot, slot2 }: Loop, map: MapValue, frame: Frame, round: Round): void {
  for (const key of map.keys()) {
    frame.slots[slot] = key;
    if (slot2 !== undefined) frame.slots[slot2] = map.find(key) ?? null;
    if (round(frame)) return;
    if (frame.cost > frame.limit) throw new CostLimitError();
  }
}

/** `all` and `exists`: errors count only when no element decides. `check` is what looking at the result so far costs. */
function quantifier(loop: Loop, predicate: Evaluate, decisive: boolean, check: number): Evaluate {
  return (frame) => {
    let decided = false;
    let failed: EvalError | undefined;
    iterate(loop, frame, () => {
      frame.cost += check;
      if (decided) return true;
      frame.cost++;
      try {
        const value = predicate(frame);
        if (value === decisive) decided = true;
        else if (value !== !decisive) failed ??= noSuchOverload();
      } catch (e) {
        if (!(e instanceof EvalError)) throw e;
        failed ??= e;
      }
      return false;
    });
    frame.cost++;
    if (decided) return decisive;
    if (failed !== undefined) throw failed;
    return !decisive;
  };
}

/** Loops that count elements, collect them in a list or put entries in a map, all of them or those that fit a filter. */
function accumulation(
  planner: Planner,
  expr: Comprehension,
  loop: Loop,
  filter: Evaluate | undefined,
  step: Expr & { kind: "call" },
): Evaluate {
  if (step.name === "cel.@mapInsert") {
    return insertion(loop, filter, step.args.slice(1).map((arg) => planner.plan(arg).run));
  }
  if (expr.init.kind === "literal") return count(loop, filter!);
  const added = step.args[1];
  if (added.kind !== "list") throw new Error("a loop adds a list");
  const element = planner.plan(added.elements[0]);
  return collection(loop, filter, element.run, element.constant === undefined ? LIST_CREATION + 2 : 2);
}

function passes(filter: Evaluate | undefined, frame: Frame): boolean {
  if (filter === undefined) return true;
  const value = filter(frame);
  if (typeof value !== "boolean") throw noSuchOverload();
  return value;
}

function collection(loop: Loop, filter: Evaluate | undefined, element: Evaluate, cost: number): Evaluate {
  return (frame) => {
    const items: Value[] = [];
    iterate(loop, frame, () => {
      if (!passes(filter, frame)) return false;
      items.push(element(frame));
      frame.cost += cost;
      return false;
    });
    frame.cost++;
    return new ArrayList(items);
  };
}

function count(loop: Loop, filter: Evaluate): Evaluate {
  return (frame) => {
    let found = 0;
    iterate(loop, frame, () => {
      if (passes(filter, frame)) {
        found++;
        frame.cost += 2;
      }
      return false;
    });
    frame.cost += 2;
    return found === 1;
  };
}

/** Entries are a key and a value or a whole map. */
function insertion(loop: Loop, filter: Evaluate | undefined, parts: readonly Evaluate[]): Evaluate {
  return (frame) => {
    const map = new HashMap();
    const insert = (key: Value, value: Value) => {
      if (map.find(key) !== undefined) throw new EvalError(`insert failed: key ${key} already exists`);
      map.set(key, value);
    };
    iterate(loop, frame, () => {
      if (!passes(filter, frame)) return false;
      const values = parts.map((part) => part(frame));
      frame.cost += 2;
      if (values.length === 2) insert(values[0], values[1]);
      else if (values[0] instanceof MapValue) { for (const key of values[0].keys()) insert(key, values[0].find(key)!); }
      else throw noSuchOverload();
      return false;
    });
    frame.cost++;
    return map;
  };
}

/** A name for a value within an expression; the value is worked out when it is first used. */
function planBinding(planner: Planner, expr: Comprehension): Plan {
  const slot = planner.slot(), done = planner.slot();
  const init = planner.plan(expr.init).run;
  const root: Evaluate = (frame) => {
    if (frame.slots[done] !== true) {
      frame.slots[slot] = init(frame);
      frame.slots[done] = true;
    }
    return frame.slots[slot];
  };
  const name: Plan = {
    run: (frame) => {
      frame.cost++;
      return root(frame);
    },
    attribute: { root, qualifiers: [], ownCost: 1 },
  };
  const body = planner.within([[expr.accu, name]], () => planner.plan(expr.result).run);
  return {
    run: (frame) => {
      frame.slots[done] = false;
      return body(frame);
    },
  };
}
