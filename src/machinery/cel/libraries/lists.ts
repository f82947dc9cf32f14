// Functions on lists: Kubernetes' own (`sum`, `isSorted`, …) and cel-go's lists extension, version 3.
import { LIST_CREATION, TRAVERSAL } from "../cost/factors.ts";
import { type EstimatedNode, type Estimator, sizeOf } from "../cost/estimate.ts";
import { add, multiply, ONE, type Range, range, scale, UNBOUNDED } from "../cost/range.ts";
import { declare, type Library, type Overload } from "../environment.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  param,
  sameType,
  STRING,
  TIMESTAMP,
  UINT,
} from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { compare, costSize, equals, typeOfValue } from "../values/operations.ts";
import { Duration } from "../values/time.ts";
import { ArrayList, Double, ListValue, MapValue, Uint, type Value } from "../values/value.ts";
import { addValues } from "./arithmetic.ts";
import { elementsOf, form, method } from "./define.ts";

const A = param("A"), T = param("T");

const COMPARABLE: readonly (readonly [name: string, type: CelType])[] = [
  ["int", INT],
  ["uint", UINT],
  ["double", DOUBLE],
  ["bool", BOOL],
  ["duration", DURATION],
  ["timestamp", TIMESTAMP],
  ["string", STRING],
  ["bytes", BYTES],
];

const SUMMABLE: readonly (readonly [name: string, type: CelType, zero: Value])[] = [
  ["int", INT, 0],
  ["uint", UINT, new Uint(0n)],
  ["double", DOUBLE, new Double(0)],
  ["duration", DURATION, new Duration(0n)],
];

function list(value: Value): ListValue {
  if (!(value instanceof ListValue)) throw noSuchOverload();
  return value;
}

/** What going through a value with all that is in it costs. */
function traversal(value: Value): number {
  if (typeof value === "string") return Math.floor(new TextEncoder().encode(value).length * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  let cost = 0;
  if (value instanceof ListValue) {
    for (const element of value) cost += traversal(element);
  } else if (value instanceof MapValue) {
    for (const key of value.keys()) cost += traversal(key) + traversal(value.find(key)!);
  } else {
    return 1;
  }
  return cost;
}

const estimateTraversal: Overload["estimate"] = (estimator, target) => {
  const elements = elementsOf(target!);
  let each = ONE;
  if (elements?.type.kind === "string" || elements?.type.kind === "bytes") {
    each = add(each, scale(sizeOf(estimator, elements), TRAVERSAL));
  }
  return { cost: multiply(sizeOf(estimator, target!), each) };
};

const ONCE: Pick<Overload, "cost" | "estimate"> = { cost: (args) => traversal(args[0]), estimate: estimateTraversal };

function isSorted(value: Value): Value {
  const elements = list(value).toArray();
  return elements.every((element, i) => i === 0 || compare(elements[i - 1], element) <= 0);
}

function extreme(name: string, better: (order: number) => boolean): (value: Value) => Value {
  return (value) => {
    const elements = list(value).toArray();
    if (elements.length === 0) throw new EvalError(`${name} called on empty list`);
    return elements.reduce((best, element) => better(compare(element, best)) ? element : best);
  };
}

function indexOf(value: Value, item: Value): Value {
  return list(value).toArray().findIndex((element) => equals(element, item));
}

function lastIndexOf(value: Value, item: Value): Value {
  return list(value).toArray().findLastIndex((element) => equals(element, item));
}

function slice(value: Value, start: Value, end: Value): Value {
  const elements = list(value), from = Number(start), to = Number(end);
  const fail = (reason: string) => new EvalError(`cannot slice(${start}, ${end}), ${reason}`);
  if (from < 0 || to < 0) throw fail("negative indexes not supported");
  if (from > to) throw fail("start index must be less than or equal to end index");
  if (to > elements.size) throw fail(`list is length ${elements.size}`);
  return new ArrayList(elements.toArray().slice(from, to));
}

function flatten(value: Value, depth: Value = 1): Value {
  const levels = Number(depth);
  if (levels < 0) throw new EvalError("level must be non-negative");
  const flat: Value[] = [];
  const collect = (elements: ListValue, level: number) => {
    for (const element of elements) {
      if (element instanceof ListValue && level > 0) collect(element, level - 1);
      else flat.push(element);
    }
  };
  collect(list(value), levels);
  return new ArrayList(flat);
}

function sortBy(value: Value, keyList: Value): Value {
  const elements = list(value).toArray(), keys = list(keyList).toArray();
  if (elements.length !== keys.length) {
    throw new EvalError(
      "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got " +
        `${elements.length} and ${keys.length} elements respectively`,
    );
  }
  if (keys.some((key) => !sameType(typeOfValue(key), typeOfValue(keys[0])))) {
    throw new EvalError("list elements must have the same type");
  }
  const order = elements.map((_, i) => i).sort((i, j) => compare(keys[i], keys[j]));
  return new ArrayList(order.map((i) => elements[i]));
}

function distinct(value: Value): Value {
  const unique: Value[] = [];
  for (const element of list(value)) {
    if (!unique.some((other) => equals(element, other))) unique.push(element);
  }
  return new ArrayList(unique);
}

const MAX_RANGE = 1_000_000;

function numbers(count: Value): Value {
  // Longer lists cost more than any limit allows.
  const size = Math.min(Number(count), MAX_RANGE);
  return new ArrayList(Array.from({ length: Math.max(size, 0) }, (_, i) => i));
}

/** A call that makes a list, by the number of steps that it takes. */
function allocation(factor: number, size: Range): { cost: Range; size: Range } {
  return { cost: add(scale(size, factor), range(1 + LIST_CREATION)), size };
}

function literalInt(node: EstimatedNode, otherwise: number): number {
  if (node.expr?.kind !== "literal" || typeof node.expr.value !== "number") return otherwise;
  return Math.max(node.expr.value, 0);
}

const RESULT_COST: Overload["cost"] = (_args, result) => costSize(result) + 1 + LIST_CREATION;

/** Each element is compared with each other one. */
function comparisons(argument: number): Overload["cost"] {
  return (args) => {
    const elements = list(args[argument]);
    const isText = elements.size > 0 && ["string", "bytes"].includes(typeOfValue(elements.at(0)).kind);
    const factor = 2 + (isText ? TRAVERSAL : 0);
    return Math.floor(elements.size ** 2 * factor) + 1 + LIST_CREATION;
  };
}

function estimateSort(estimator: Estimator, node: EstimatedNode, type: CelType) {
  const size = sizeOf(estimator, node);
  const factor = 2 + (type.kind === "string" || type.kind === "bytes" ? TRAVERSAL : 0);
  return allocation(factor, multiply(size, size));
}

const flattenCosts: Pick<Overload, "cost" | "estimate"> = {
  cost: (args) => Math.floor(costSize(args[0]) * Number(args[1] ?? 1)) + 1 + LIST_CREATION,
  estimate: (estimator, target, args) =>
    allocation(args.length === 0 ? 1 : literalInt(args[0], UNBOUNDED), sizeOf(estimator, target!)),
};

/** Kubernetes' own. */
const KUBERNETES = [
  declare(
    "isSorted",
    ...COMPARABLE.map(([name, type]) => method(`list_${name}_is_sorted_bool`, [listOf(type)], BOOL, isSorted, ONCE)),
  ),
  declare(
    "sum",
    ...SUMMABLE.map(([name, type, zero]) =>
      method(
        `list_${name}_sum_${name}`,
        [listOf(type)],
        type,
        (value) => list(value).toArray().reduce(addValues, zero),
        ONCE,
      )
    ),
  ),
  declare(
    "max",
    ...COMPARABLE.map(([name, type]) =>
      method(`list_${name}_max_${name}`, [listOf(type)], type, extreme("max", (order) => order > 0), ONCE)
    ),
  ),
  declare(
    "min",
    ...COMPARABLE.map(([name, type]) =>
      method(`list_${name}_min_${name}`, [listOf(type)], type, extreme("min", (order) => order < 0), ONCE)
    ),
  ),
  declare("indexOf", method("list_a_index_of_int", [listOf(A), A], INT, indexOf, ONCE)),
  declare("lastIndexOf", method("list_a_last_index_of_int", [listOf(A), A], INT, lastIndexOf, ONCE)),
];

/** cel-go's extension. */
const EXTENSION = [
  declare(
    "slice",
    method("list_slice", [listOf(T), INT, INT], listOf(T), slice, {
      cost: RESULT_COST,
      estimate: (estimator, target, args) => {
        const start = literalInt(args[0], 0), end = literalInt(args[1], sizeOf(estimator, target!).max);
        return allocation(1, range(end < start ? UNBOUNDED : end - start));
      },
    }),
  ),
  declare(
    "flatten",
    method("list_flatten", [listOf(listOf(T))], listOf(T), flatten, flattenCosts),
    method("list_flatten_int", [listOf(DYN), INT], listOf(DYN), flatten, flattenCosts),
  ),
  declare(
    "sort",
    ...COMPARABLE.map(([, type]) =>
      method(`list_${type.name}_sort`, [listOf(type)], listOf(type), (value) => sortBy(value, value), {
        cost: comparisons(0),
        estimate: (estimator, target) => estimateSort(estimator, target!, type),
      })
    ),
  ),
  declare(
    "@sortByAssociatedKeys",
    ...COMPARABLE.map(([, type]) =>
      method(`list_${type.name}_sortByAssociatedKeys`, [listOf(T), listOf(type)], listOf(T), sortBy, {
        cost: comparisons(1),
        estimate: (estimator, _target, args) => estimateSort(estimator, args[0], type),
      })
    ),
  ),
  declare(
    "lists.range",
    form("lists_range", [INT], listOf(INT), numbers, {
      cost: RESULT_COST,
      estimate: (_estimator, _target, args) => allocation(1, range(literalInt(args[0], UNBOUNDED))),
    }),
  ),
  declare(
    "reverse",
    method("list_reverse", [listOf(T)], listOf(T), (value) => new ArrayList(list(value).toArray().reverse()), {
      cost: RESULT_COST,
      estimate: (estimator, target) => allocation(1, sizeOf(estimator, target!)),
    }),
  ),
  declare(
    "distinct",
    method("list_distinct", [listOf(T)], listOf(T), distinct, {
      cost: comparisons(0),
      estimate: (estimator, target) => {
        const size = sizeOf(estimator, target!);
        return allocation(2, multiply(size, size));
      },
    }),
  ),
];

export const LISTS: Library = { functions: [...KUBERNETES, ...EXTENSION] };
