// Conversions between the language's types.
import { EvalError } from "../values/errors.ts";
import {
  doubleToInt,
  doubleToUint,
  formatDouble,
  parseDouble,
  parseInt64,
  parseUint64,
  toInt,
  toUint,
} from "../values/numbers.ts";
import { typeOfValue } from "../values/operations.ts";
import {
  Duration,
  durationOf,
  formatSeconds,
  formatTimestamp,
  parseGoDuration,
  parseTimestamp,
  Timestamp,
  timestampOf,
} from "../values/time.ts";
import { Double, isInt, Uint, type Value } from "../values/value.ts";

const NANOS = 1_000_000_000n;

function fail(value: Value, to: string): never {
  throw new EvalError(`type conversion error from '${typeOfValue(value).name}' to '${to}'`);
}

export function toBoolValue(value: Value): Value {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") {
    if (["1", "t", "T", "TRUE", "true", "True"].includes(value)) return true;
    if (["0", "f", "F", "FALSE", "false", "False"].includes(value)) return false;
  }
  return fail(value, "bool");
}

export function toBytesValue(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  return typeof value === "string" ? new TextEncoder().encode(value) : fail(value, "bytes");
}

export function toDoubleValue(value: Value): Value {
  if (value instanceof Double) return value;
  if (isInt(value)) return new Double(Number(value));
  if (value instanceof Uint) return new Double(Number(value.value));
  const number = typeof value === "string" ? parseDouble(value) : undefined;
  return number === undefined ? fail(value, "double") : new Double(number);
}

export function toDurationValue(value: Value): Value {
  if (value instanceof Duration) return value;
  if (isInt(value)) return durationOf(BigInt(value));
  const duration = typeof value === "string" ? parseGoDuration(value) : undefined;
  return duration ?? fail(value, "google.protobuf.Duration");
}

export function toIntValue(value: Value): Value {
  if (isInt(value)) return value;
  if (value instanceof Double) return doubleToInt(value.value);
  if (value instanceof Uint) return toInt(value.value);
  if (value instanceof Duration) return toInt(value.nanos);
  if (value instanceof Timestamp) return toInt((value.nanos - ((value.nanos % NANOS) + NANOS) % NANOS) / NANOS);
  const number = typeof value === "string" ? parseInt64(value) : undefined;
  return number ?? fail(value, "int");
}

export function toUintValue(value: Value): Value {
  if (value instanceof Uint) return value;
  if (isInt(value)) return toUint(BigInt(value));
  if (value instanceof Double) return doubleToUint(value.value);
  const number = typeof value === "string" ? parseUint64(value) : undefined;
  return number ?? fail(value, "uint");
}

export function toTimestampValue(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (isInt(value)) return timestampOf(BigInt(value) * NANOS);
  const time = typeof value === "string" ? parseTimestamp(value) : undefined;
  return time ?? fail(value, "google.protobuf.Timestamp");
}

/** A value as text. Throws EvalError for what has no text. */
export function toStringValue(value: Value): string {
  if (typeof value === "string") return value;
  if (isInt(value) || typeof value === "boolean") return String(value);
  if (value instanceof Double) return formatDouble(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return formatSeconds(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Uint8Array) return decode(value);
  return fail(value, "string");
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EvalError("invalid UTF-8 in bytes, cannot convert to string");
  }
}
