// The language's own operators and functions (CEL specification, "Functions").
import { REGEX_LENGTH, TRAVERSAL } from "../cost/factors.ts";
import { ONE, range, scale } from "../cost/range.ts";
import { declare, type FunctionDeclaration, type Library, type Overload } from "../environment.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  param,
  STRING,
  TIMESTAMP,
  TYPE,
  typeOf,
  UINT,
} from "../types.ts";
import { noSuchOverload } from "../values/errors.ts";
import { compare, costSize, equals, listContains, typeOfValue } from "../values/operations.ts";
import { type CalendarTime, calendarTime, Duration, Timestamp } from "../values/time.ts";
import { ListValue, MapValue, OpaqueValue, TypeValue, type Value } from "../values/value.ts";
import { addValues, divideValues, moduloValues, multiplyValues, negateValue, subtractValues } from "./arithmetic.ts";
import {
  toBoolValue,
  toBytesValue,
  toDoubleValue,
  toDurationValue,
  toIntValue,
  toStringValue,
  toTimestampValue,
  toUintValue,
} from "./conversions.ts";
import { form, method, text } from "./define.ts";
import { compileRegex } from "./regex.ts";

const A = param("A"), B = param("B");
const LIST_A = listOf(A), MAP_AB = mapOf(A, B);

type Row = readonly [id: string, params: readonly CelType[], result: CelType];

/** An operator: one implementation for all its forms. */
function operator(
  name: string,
  call: Overload["call"],
  rows: readonly Row[],
  costs: Record<string, Overload["cost"]> = {},
): FunctionDeclaration {
  return declare(
    name,
    ...rows.map(([id, params, result]) => form(id, params, result, call, { standard: true, cost: costs[id] })),
  );
}

const sum: Overload["cost"] = (args) => Math.ceil((costSize(args[0]) + costSize(args[1])) * TRAVERSAL);
const shorter: Overload["cost"] = (args) => Math.ceil(Math.min(costSize(args[0]), costSize(args[1])) * TRAVERSAL);
const equality: Overload["cost"] = (args, result) => args[0] instanceof OpaqueValue ? 1 : shorter(args, result);

/** The opaque types of Kubernetes compare in constant time. */
const estimateEquality: Overload["estimate"] = (_estimator, _target, [left, right]) => {
  if (left.type.name !== right.type.name) return undefined;
  const { kind, name } = left.type;
  if (name === "kubernetes.NamedFormat") return { cost: scale(range(1, 64), TRAVERSAL) };
  if (name === "kubernetes.URL") return { cost: scale(right.size ?? ONE, TRAVERSAL) };
  if (kind === "opaque" && name.startsWith("net.")) return { cost: ONE };
  return kind === "struct" && name.startsWith("kubernetes.") ? { cost: ONE } : undefined;
};

const COMPARABLE: readonly (readonly [suffix: string, left: CelType, right: CelType])[] = [
  ["bool", BOOL, BOOL],
  ["int64", INT, INT],
  ["int64_double", INT, DOUBLE],
  ["int64_uint64", INT, UINT],
  ["uint64", UINT, UINT],
  ["uint64_double", UINT, DOUBLE],
  ["uint64_int64", UINT, INT],
  ["double", DOUBLE, DOUBLE],
  ["double_int64", DOUBLE, INT],
  ["double_uint64", DOUBLE, UINT],
  ["string", STRING, STRING],
  ["bytes", BYTES, BYTES],
  ["timestamp", TIMESTAMP, TIMESTAMP],
  ["duration", DURATION, DURATION],
];

function comparison(name: string, word: string, holds: (order: number) => boolean): FunctionDeclaration {
  const call = (a: Value, b: Value) =>
    typeof a === "number" && typeof b === "number" ? holds(a - b) : holds(compare(a, b));
  return declare(
    name,
    ...COMPARABLE.map(([suffix, left, right]) =>
      form(`${word}_${suffix}`, [left, right], BOOL, call, {
        standard: true,
        cost: suffix === "string" || suffix === "bytes" ? shorter : undefined,
      })
    ),
  );
}

function sizeOfValue(value: Value): Value {
  if (typeof value === "string" || value instanceof ListValue || value instanceof MapValue) return costSize(value);
  if (value instanceof Uint8Array) return value.length;
  throw noSuchOverload("size");
}

function contains(value: Value, aggregate: Value): Value {
  if (aggregate instanceof ListValue) return listContains(aggregate, value);
  if (aggregate instanceof MapValue) return aggregate.find(value) !== undefined;
  throw noSuchOverload();
}

function conversion(name: string, result: CelType, call: Overload["call"], rows: [string, CelType][]) {
  const costs: Record<string, Overload["cost"]> = {
    string_to_bytes: (args) => Math.ceil(costSize(args[0]) * TRAVERSAL),
    bytes_to_string: (args) => Math.ceil(costSize(args[0]) * TRAVERSAL),
  };
  return declare(
    name,
    ...rows.map(([id, from]) => form(id, [from], result, call, { standard: true, cost: costs[id] })),
  );
}

function matches(value: Value, pattern: Value): Value {
  return compileRegex(text(pattern)).test(text(value));
}

const matchesExtras = {
  standard: true,
  prepare: ([, pattern]: readonly (Value | undefined)[]) => {
    if (typeof pattern !== "string") return undefined;
    const regex = compileRegex(pattern);
    return (value: Value) => regex.test(text(value));
  },
  cost: (args: readonly Value[]) =>
    Math.ceil((1 + costSize(args[0])) * TRAVERSAL) * Math.ceil(costSize(args[1]) * REGEX_LENGTH),
};

const argumentTraversal: Overload["cost"] = (args) => Math.ceil(costSize(args[0]) * TRAVERSAL);

/** `t.getHours()` and `t.getHours(zone)`. */
function timePart(id: string, zoned: string, part: (time: CalendarTime) => number): Overload[] {
  const call = (time: Value, zone?: Value) => {
    if (!(time instanceof Timestamp)) throw noSuchOverload();
    return part(calendarTime(time, zone === undefined ? undefined : text(zone)));
  };
  return [
    method(id, [TIMESTAMP], INT, call, { standard: true }),
    method(zoned, [TIMESTAMP, STRING], INT, call, { standard: true }),
  ];
}

function durationPart(id: string, unit: bigint): Overload {
  return method(id, [DURATION], INT, (value) => {
    if (!(value instanceof Duration)) throw noSuchOverload();
    return Number(value.nanos / unit);
  }, { standard: true });
}

const OPERATORS: readonly FunctionDeclaration[] = [
  declare("_?_:_", form("conditional", [BOOL, A, A], A, undefined)),
  declare("_&&_", form("logical_and", [BOOL, BOOL], BOOL, undefined)),
  declare("_||_", form("logical_or", [BOOL, BOOL], BOOL, undefined)),
  operator("!_", (value) => {
    if (typeof value !== "boolean") throw noSuchOverload();
    return !value;
  }, [["logical_not", [BOOL], BOOL]]),
  operator("@not_strictly_false", (value) => value !== false, [["not_strictly_false", [BOOL], BOOL]]),
  declare("_==_", form("equals", [A, A], BOOL, equals, { cost: equality, estimate: estimateEquality })),
  declare("_!=_", form("not_equals", [A, A], BOOL, (a, b) => !equals(a, b), { cost: shorter })),
  operator("_+_", addValues, [
    ["add_bytes", [BYTES, BYTES], BYTES],
    ["add_double", [DOUBLE, DOUBLE], DOUBLE],
    ["add_duration_duration", [DURATION, DURATION], DURATION],
    ["add_duration_timestamp", [DURATION, TIMESTAMP], TIMESTAMP],
    ["add_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP],
    ["add_int64", [INT, INT], INT],
    ["add_list", [LIST_A, LIST_A], LIST_A],
    ["add_string", [STRING, STRING], STRING],
    ["add_uint64", [UINT, UINT], UINT],
  ], { add_string: sum, add_bytes: sum }),
  operator("_/_", divideValues, [
    ["divide_double", [DOUBLE, DOUBLE], DOUBLE],
    ["divide_int64", [INT, INT], INT],
    ["divide_uint64", [UINT, UINT], UINT],
  ]),
  operator("_%_", moduloValues, [["modulo_int64", [INT, INT], INT], ["modulo_uint64", [UINT, UINT], UINT]]),
  operator("_*_", multiplyValues, [
    ["multiply_double", [DOUBLE, DOUBLE], DOUBLE],
    ["multiply_int64", [INT, INT], INT],
    ["multiply_uint64", [UINT, UINT], UINT],
  ]),
  operator("-_", negateValue, [["negate_double", [DOUBLE], DOUBLE], ["negate_int64", [INT], INT]]),
  operator("_-_", subtractValues, [
    ["subtract_double", [DOUBLE, DOUBLE], DOUBLE],
    ["subtract_duration_duration", [DURATION, DURATION], DURATION],
    ["subtract_int64", [INT, INT], INT],
    ["subtract_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP],
    ["subtract_timestamp_timestamp", [TIMESTAMP, TIMESTAMP], DURATION],
    ["subtract_uint64", [UINT, UINT], UINT],
  ]),
  comparison("_<_", "less", (order) => order < 0),
  comparison("_<=_", "less_equals", (order) => order <= 0),
  comparison("_>_", "greater", (order) => order > 0),
  comparison("_>=_", "greater_equals", (order) => order >= 0),
  declare("_[_]", form("index_list", [LIST_A, INT], A, undefined), form("index_map", [MAP_AB, A], B, undefined)),
  operator("@in", contains, [["in_list", [A, LIST_A], BOOL], ["in_map", [A, MAP_AB], BOOL]], {
    in_list: (args) => costSize(args[1]),
  }),
];

const CONVERSIONS: readonly FunctionDeclaration[] = [
  declare("type", form("type", [A], typeOf(A), (value) => new TypeValue(typeOfValue(value)), { standard: true })),
  declare("dyn", form("to_dyn", [A], DYN, (value) => value, { standard: true })),
  conversion("bool", BOOL, toBoolValue, [["bool_to_bool", BOOL], ["string_to_bool", STRING]]),
  conversion("bytes", BYTES, toBytesValue, [["bytes_to_bytes", BYTES], ["string_to_bytes", STRING]]),
  conversion("double", DOUBLE, toDoubleValue, [
    ["double_to_double", DOUBLE],
    ["int64_to_double", INT],
    ["string_to_double", STRING],
    ["uint64_to_double", UINT],
  ]),
  conversion("duration", DURATION, toDurationValue, [
    ["duration_to_duration", DURATION],
    ["int64_to_duration", INT],
    ["string_to_duration", STRING],
  ]),
  conversion("int", INT, toIntValue, [
    ["int64_to_int64", INT],
    ["double_to_int64", DOUBLE],
    ["duration_to_int64", DURATION],
    ["string_to_int64", STRING],
    ["timestamp_to_int64", TIMESTAMP],
    ["uint64_to_int64", UINT],
  ]),
  conversion("string", STRING, toStringValue, [
    ["string_to_string", STRING],
    ["bool_to_string", BOOL],
    ["bytes_to_string", BYTES],
    ["double_to_string", DOUBLE],
    ["duration_to_string", DURATION],
    ["int64_to_string", INT],
    ["timestamp_to_string", TIMESTAMP],
    ["uint64_to_string", UINT],
  ]),
  conversion("timestamp", TIMESTAMP, toTimestampValue, [
    ["timestamp_to_timestamp", TIMESTAMP],
    ["int64_to_timestamp", INT],
    ["string_to_timestamp", STRING],
  ]),
  conversion("uint", UINT, toUintValue, [
    ["uint64_to_uint64", UINT],
    ["double_to_uint64", DOUBLE],
    ["int64_to_uint64", INT],
    ["string_to_uint64", STRING],
  ]),
];

const SIZED: readonly (readonly [name: string, type: CelType])[] = [
  ["bytes", BYTES],
  ["list", LIST_A],
  ["map", MAP_AB],
  ["string", STRING],
];

const FUNCTIONS: readonly FunctionDeclaration[] = [
  declare(
    "size",
    ...SIZED.flatMap(([name, type]) => [
      form(`size_${name}`, [type], INT, sizeOfValue, { standard: true }),
      method(`${name}_size`, [type], INT, sizeOfValue, { standard: true }),
    ]),
  ),
  declare(
    "contains",
    method("contains_string", [STRING, STRING], BOOL, (a, b) => text(a).includes(text(b)), {
      cost: (args) => Math.ceil(costSize(args[0]) * TRAVERSAL) * Math.ceil(costSize(args[1]) * TRAVERSAL),
    }),
  ),
  declare(
    "endsWith",
    method("ends_with_string", [STRING, STRING], BOOL, (a, b) => text(a).endsWith(text(b)), {
      cost: argumentTraversal,
    }),
  ),
  declare(
    "startsWith",
    method("starts_with_string", [STRING, STRING], BOOL, (a, b) => text(a).startsWith(text(b)), {
      cost: argumentTraversal,
    }),
  ),
  declare(
    "matches",
    form("matches", [STRING, STRING], BOOL, matches, { ...matchesExtras, cost: undefined }),
    method("matches_string", [STRING, STRING], BOOL, matches, matchesExtras),
  ),
  declare("getFullYear", ...timePart("timestamp_to_year", "timestamp_to_year_with_tz", (t) => t.year)),
  declare("getMonth", ...timePart("timestamp_to_month", "timestamp_to_month_with_tz", (t) => t.month)),
  declare(
    "getDayOfYear",
    ...timePart("timestamp_to_day_of_year", "timestamp_to_day_of_year_with_tz", (t) => t.yearDay),
  ),
  declare(
    "getDayOfMonth",
    ...timePart("timestamp_to_day_of_month", "timestamp_to_day_of_month_with_tz", (t) => t.day - 1),
  ),
  declare(
    "getDate",
    ...timePart("timestamp_to_day_of_month_1_based", "timestamp_to_day_of_month_1_based_with_tz", (t) => t.day),
  ),
  declare(
    "getDayOfWeek",
    ...timePart("timestamp_to_day_of_week", "timestamp_to_day_of_week_with_tz", (t) => t.weekDay),
  ),
  declare(
    "getHours",
    ...timePart("timestamp_to_hours", "timestamp_to_hours_with_tz", (t) => t.hours),
    durationPart("duration_to_hours", 3_600_000_000_000n),
  ),
  declare(
    "getMinutes",
    ...timePart("timestamp_to_minutes", "timestamp_to_minutes_with_tz", (t) => t.minutes),
    durationPart("duration_to_minutes", 60_000_000_000n),
  ),
  declare(
    "getSeconds",
    ...timePart("timestamp_to_seconds", "timestamp_to_seconds_tz", (t) => t.seconds),
    durationPart("duration_to_seconds", 1_000_000_000n),
  ),
  declare(
    "getMilliseconds",
    ...timePart("timestamp_to_milliseconds", "timestamp_to_milliseconds_with_tz", (t) => t.milliseconds),
    durationPart("duration_to_milliseconds", 1_000_000n),
  ),
  declare(
    "cel.@mapInsert",
    form("@mapInsert_map_map", [MAP_AB, MAP_AB], MAP_AB, undefined),
    form("@mapInsert_map_key_value", [MAP_AB, A, B], MAP_AB, undefined),
  ),
];

/** Everything in the language itself; loops over two variables too. */
export const STANDARD: Library = {
  functions: [...OPERATORS, ...CONVERSIONS, ...FUNCTIONS],
  types: [BOOL, BYTES, DOUBLE, DURATION, INT, listOf(DYN), mapOf(DYN, DYN), NULL, STRING, TIMESTAMP, TYPE, UINT],
};
