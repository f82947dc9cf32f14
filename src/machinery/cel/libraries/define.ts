// Short forms for declaring the functions of libraries.
import { TRAVERSAL } from "../cost/factors.ts";
import { type CallEstimate, type EstimatedNode, type Estimator, sizeOf } from "../cost/estimate.ts";
import { ONE, type Range, scale } from "../cost/range.ts";
import type { Overload } from "../environment.ts";
import type { CelType } from "../types.ts";
import { noSuchOverload } from "../values/errors.ts";
import { costSize } from "../values/operations.ts";
import type { Value } from "../values/value.ts";

type Extras = Pick<Overload, "cost" | "estimate" | "prepare" | "standard">;

/** A form called as `name(…)`. */
export function form(
  id: string,
  params: readonly CelType[],
  result: CelType,
  call: Overload["call"],
  extras: Extras = {},
): Overload {
  return { id, params, result, member: false, call, ...extras };
}

/** A form called as `target.name(…)`; the first parameter is the target. */
export function method(
  id: string,
  params: readonly CelType[],
  result: CelType,
  call: Overload["call"],
  extras: Extras = {},
): Overload {
  return { id, params, result, member: true, call, ...extras };
}

type Costs = Pick<Overload, "cost" | "estimate">;

/** The text itself, or `no such overload` when the value is none: for data whose type is not known beforehand. */
export function text(value: Value): string {
  if (typeof value !== "string") throw noSuchOverload();
  return value;
}

/** Goes `times` through its first argument, which is also how large the result may get where `sized`. */
export function traverses(times = 1, sized = false): Costs {
  return {
    cost: (args) => Math.ceil(costSize(args[0]) * times * TRAVERSAL),
    estimate: (estimator, target, args) => {
      const size = sizeOf(estimator, target ?? args[0]);
      const cost = scale(size, times * TRAVERSAL);
      return sized ? { cost, size } : { cost };
    },
  };
}

/** Costs 1 whatever its arguments are. */
export const NOMINAL: Costs = { cost: () => 1, estimate: () => ({ cost: ONE }) };

/** The node for the elements of a list. */
export function elementsOf(list: EstimatedNode): EstimatedNode | undefined {
  const [type] = list.type.params;
  if (type === undefined) return undefined;
  return { path: list.path.length === 0 ? [] : [...list.path, "@items"], type };
}

export type { CallEstimate, EstimatedNode, Estimator, Range };
