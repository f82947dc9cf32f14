// Arithmetic of 64-bit integers and doubles: exact, with the overflow errors of the language.
import { EvalError } from "./errors.ts";
import { type Int, normalizeInt, Uint } from "./value.ts";

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

/** Throws EvalError when the value does not fit 64 bits. */
export function toInt(value: bigint): Int {
  if (value > MAX_INT || value < MIN_INT) throw new EvalError("integer overflow");
  return normalizeInt(value);
}

/** Throws EvalError when the value is negative or does not fit 64 bits. */
export function toUint(value: bigint): Uint {
  if (value > MAX_UINT || value < 0n) throw new EvalError("unsigned integer overflow");
  return new Uint(value);
}

export function addInts(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInt(BigInt(a) + BigInt(b));
}

export function subtractInts(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return toInt(BigInt(a) - BigInt(b));
}

export function multiplyInts(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // A negative zero is no integer of the language.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return toInt(BigInt(a) * BigInt(b));
}

export function divideInts(a: Int, b: Int): Int {
  if (b === 0) throw new EvalError("division by zero");
  if (typeof a === "number" && typeof b === "number") return Math.trunc(a / b) + 0;
  return toInt(BigInt(a) / BigInt(b));
}

export function moduloInts(a: Int, b: Int): Int {
  if (b === 0) throw new EvalError("modulus by zero");
  if (typeof a === "number" && typeof b === "number") return a % b + 0;
  const x = BigInt(a), y = BigInt(b);
  if (x === MIN_INT && y === -1n) throw new EvalError("integer overflow");
  return toInt(x % y);
}

export function negateInt(a: Int): Int {
  return typeof a === "number" ? 0 - a : toInt(-a);
}

export function divideUints(a: Uint, b: Uint): Uint {
  if (b.value === 0n) throw new EvalError("division by zero");
  return new Uint(a.value / b.value);
}

export function moduloUints(a: Uint, b: Uint): Uint {
  if (b.value === 0n) throw new EvalError("modulus by zero");
  return new Uint(a.value % b.value);
}

/** A double cut off to an integer. Throws EvalError when it does not fit 64 bits. */
export function doubleToInt(value: number): Int {
  // The largest doubles of the range are not told from those just outside it.
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new EvalError("integer overflow");
  return normalizeInt(BigInt(Math.trunc(value)));
}

/** A double cut off to an unsigned integer. Throws EvalError when it does not fit 64 bits. */
export function doubleToUint(value: number): Uint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new EvalError("unsigned integer overflow");
  return new Uint(BigInt(Math.trunc(value)));
}

/** A 64-bit integer in decimal; undefined when the text is none. */
export function parseInt64(text: string): Int | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return value > MAX_INT || value < MIN_INT ? undefined : normalizeInt(value);
}

/** An unsigned 64-bit integer in decimal; undefined when the text is none. */
export function parseUint64(text: string): Uint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > MAX_UINT ? undefined : new Uint(value);
}

/** A double as Go reads it: decimal, `Inf`, `NaN`; undefined when the text is none. */
export function parseDouble(text: string): number | undefined {
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word !== null) return word[2].toLowerCase() === "nan" ? NaN : word[1] === "-" ? -Infinity : Infinity;
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The shortest decimal that reads back as the same double, as Go's `%g`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return String(value);
}
