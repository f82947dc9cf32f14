// What all values have in common: their type, equality, order and size.
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
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from "../types.ts";
import { EvalError, noSuchOverload } from "./errors.ts";
import { Duration, Timestamp } from "./time.ts";
import { Double, type Int, ListValue, MapValue, OpaqueValue, Optional, TypeValue, Uint, type Value } from "./value.ts";

const LIST = listOf(DYN);
const MAP = mapOf(DYN, DYN);
const OPTIONAL = optionalOf(DYN);

/** The type that a value has while the expression runs. */
export function typeOfValue(value: Value): CelType {
  switch (typeof value) {
    case "string":
      return STRING;
    case "boolean":
      return BOOL;
    case "number":
    case "bigint":
      return INT;
  }
  if (value === null) return NULL;
  if (value instanceof ListValue) return LIST;
  if (value instanceof MapValue) return MAP;
  if (value instanceof Double) return DOUBLE;
  if (value instanceof Uint) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof Duration) return DURATION;
  if (value instanceof Optional) return OPTIONAL;
  return value instanceof TypeValue ? TYPE : value.type;
}

/** A value that has a number: for comparisons across number types. */
type Numeric = Int | Double | Uint;

function isNumeric(value: Value): value is Numeric {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Double || value instanceof Uint;
}

/** Numbers of JavaScript compare exactly with bigints. */
function numberOf(value: Numeric): number | bigint {
  return typeof value === "number" || typeof value === "bigint" ? value : value.value;
}

/** Whether two values are equal; values of different types are not. Throws EvalError where that cannot be said. */
export function equals(a: Value, b: Value): boolean {
  if (a === b) return true;
  switch (typeof a) {
    case "string":
    case "boolean":
      return false;
    case "number":
    case "bigint":
      return isNumeric(b) && a == numberOf(b);
  }
  if (a === null || b === null) return false;
  if (a instanceof ListValue || a instanceof MapValue) return a.equals(b, equals);
  if (a instanceof Double || a instanceof Uint) return isNumeric(b) && a.value == numberOf(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  if (a instanceof TypeValue) return b instanceof TypeValue && a.type.name === b.type.name;
  return a.equals(b);
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. Throws EvalError when they have no order. */
export function compare(a: Value, b: Value): number {
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(numberOf(a), numberOf(b)) : fail(b);
  if (typeof a === "string") return typeof b === "string" ? compareStrings(a, b) : fail(b);
  if (typeof a === "boolean") return typeof b === "boolean" ? Number(a) - Number(b) : fail(b);
  if (a instanceof Timestamp) return b instanceof Timestamp ? compareNumbers(a.nanos, b.nanos) : fail(b);
  if (a instanceof Duration) return b instanceof Duration ? compareNumbers(a.nanos, b.nanos) : fail(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : fail(b);
  throw noSuchOverload();
}

function fail(_value: Value): never {
  throw noSuchOverload();
}

function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (Number.isNaN(a) || Number.isNaN(b)) throw new EvalError("NaN values cannot be ordered");
  return a < b ? -1 : a > b ? 1 : 0;
}

/** In the order of code points, which is that of the bytes in UTF-8. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i), y = b.charCodeAt(i);
    // Surrogates stand for code points above all other units.
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return a[i] - b[i];
  }
  return a.length - b.length;
}

/** Whether a list has a value. Throws EvalError as {@link equals} does, unless the value is found. */
export function listContains(list: ListValue, value: Value): boolean {
  let failed: unknown;
  for (let i = 0; i < list.size; i++) {
    try {
      if (equals(list.at(i), value)) return true;
    } catch (e) {
      if (!(e instanceof EvalError)) throw e;
      failed ??= e;
    }
  }
  if (failed !== undefined) throw failed;
  return false;
}

/** The number of code points of a text. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}

/** What `size(x)` gives, and 1 for what has no size: the measure of the cost model. */
export function costSize(value: Value): number {
  if (typeof value === "string") return codePoints(value);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof ListValue || value instanceof MapValue || value instanceof OpaqueValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional && value.value !== undefined) return costSize(value.value);
  return 1;
}
