// What the operators do with values whose types are not known beforehand, and with each type in particular.
import { type EvalError, noSuchOverload } from "../values/errors.ts";
import {
  addInts,
  divideInts,
  divideUints,
  moduloInts,
  moduloUints,
  multiplyInts,
  negateInt,
  subtractInts,
  toUint,
} from "../values/numbers.ts";
import { equals } from "../values/operations.ts";
import { Duration, durationOf, Timestamp, timestampOf } from "../values/time.ts";
import { Double, isInt, ListValue, Uint, type Value } from "../values/value.ts";

export function addValues(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return addInts(a, b);
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (a instanceof Double && b instanceof Double) return new Double(a.value + b.value);
  if (a instanceof Uint && b instanceof Uint) return toUint(a.value + b.value);
  if (a instanceof ListValue && b instanceof ListValue) return a.concat(b, equals);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  if (a instanceof Duration) {
    if (b instanceof Duration) return durationOf(a.nanos + b.nanos);
    if (b instanceof Timestamp) return timestampOf(a.nanos + b.nanos);
  }
  if (a instanceof Timestamp && b instanceof Duration) return timestampOf(a.nanos + b.nanos);
  throw unsupported("_+_", a, isAddable(a));
}

/** The operator is named only for a first operand that has no methods and is never taken by it. */
function unsupported(operator: string, first: Value, taken: boolean): EvalError {
  const hasMethods = typeof first === "string" || first instanceof Duration || first instanceof Timestamp;
  return noSuchOverload(taken || hasMethods ? "" : operator);
}

function isAddable(value: Value): boolean {
  return isInt(value) || typeof value === "string" || value instanceof Double || value instanceof Uint ||
    value instanceof ListValue || value instanceof Uint8Array || value instanceof Duration ||
    value instanceof Timestamp;
}

export function subtractValues(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return subtractInts(a, b);
  if (a instanceof Double && b instanceof Double) return new Double(a.value - b.value);
  if (a instanceof Uint && b instanceof Uint) return toUint(a.value - b.value);
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanos - b.nanos);
  if (a instanceof Timestamp) {
    if (b instanceof Duration) return timestampOf(a.nanos - b.nanos);
    if (b instanceof Timestamp) return durationOf(a.nanos - b.nanos);
  }
  throw unsupported("_-_", a, isNumber(a));
}

export function multiplyValues(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return multiplyInts(a, b);
  if (a instanceof Double && b instanceof Double) return new Double(a.value * b.value);
  if (a instanceof Uint && b instanceof Uint) return toUint(a.value * b.value);
  throw unsupported("_*_", a, isNumber(a));
}

export function divideValues(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return divideInts(a, b);
  if (a instanceof Double && b instanceof Double) return new Double(a.value / b.value);
  if (a instanceof Uint && b instanceof Uint) return divideUints(a, b);
  throw unsupported("_/_", a, isNumber(a));
}

export function moduloValues(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return moduloInts(a, b);
  if (a instanceof Uint && b instanceof Uint) return moduloUints(a, b);
  throw unsupported("_%_", a, isInt(a) || a instanceof Uint);
}

export function negateValue(a: Value): Value {
  if (isInt(a)) return negateInt(a);
  if (a instanceof Double) return new Double(-a.value);
  throw unsupported("-_", a, typeof a === "boolean");
}

function isNumber(value: Value): boolean {
  return isInt(value) || value instanceof Double || value instanceof Uint;
}
