// Lists as sets (cel-go's sets extension).
import { add, multiply, ONE, scale } from "../cost/range.ts";
import { sizeOf } from "../cost/estimate.ts";
import { declare, type FunctionDeclaration, type Library } from "../environment.ts";
import { BOOL, listOf, param } from "../types.ts";
import { noSuchOverload } from "../values/errors.ts";
import { costSize, listContains } from "../values/operations.ts";
import { ListValue, type Value } from "../values/value.ts";
import { form } from "./define.ts";

const LIST = listOf(param("T"));

function containsAll(list: ListValue, other: ListValue): boolean {
  for (const element of other) {
    if (!listContains(list, element)) return false;
  }
  return true;
}

function intersects(list: ListValue, other: ListValue): boolean {
  for (const element of list) {
    if (listContains(other, element)) return true;
  }
  return false;
}

/** A relation of two lists; `factor` is how often each pair of elements is compared. */
function relation(name: string, factor: number, holds: (a: ListValue, b: ListValue) => boolean): FunctionDeclaration {
  const call = (a: Value, b: Value) => {
    if (!(a instanceof ListValue) || !(b instanceof ListValue)) throw noSuchOverload();
    return holds(a, b);
  };
  return declare(
    `sets.${name}`,
    form(`list_sets_${name}_list`, [LIST, LIST], BOOL, call, {
      cost: ([a, b]) => 1 + Math.floor(costSize(a) * costSize(b) * factor),
      estimate: (estimator, _target, [a, b]) => ({
        cost: add(scale(multiply(sizeOf(estimator, a), sizeOf(estimator, b)), factor), ONE),
      }),
    }),
  );
}

export const SETS: Library = {
  functions: [
    relation("contains", 1, containsAll),
    relation("equivalent", 2, (a, b) => containsAll(a, b) && containsAll(b, a)),
    relation("intersects", 1, intersects),
  ],
};
