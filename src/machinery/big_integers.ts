// Integers of JSON that a double cannot hold. Go's decoder makes an int64 of them, and so what comes in goes out again;
// here they are BigInts, which are written like numbers. Typed fields of built-in kinds have none of them.
import type { Json } from "./types.ts";

/** The reviver of JSON.parse is told how a value was written, and JSON.stringify takes texts as they are. */
const json = JSON as unknown as {
  parse(text: string, reviver: (name: string, value: Json, context: { source?: string }) => Json): Json;
  rawJSON(text: string): unknown;
};

Object.defineProperty(BigInt.prototype, "toJSON", {
  value(this: bigint): unknown {
    return json.rawJSON(String(this));
  },
  configurable: true,
  writable: true,
});

/**
 * With fewer digits no integer is beyond what a double holds. Written out, for so the engine skips through a text by
 * sixteen characters at a time: looking costs a hundredth of parsing.
 */
const MANY_DIGITS = new RegExp("[0-9]".repeat(16));
const INTEGER = /^-?\d+$/;

/** JSON.parse, with the integers exact that are an int64. */
export function parseExactly<T = Json>(text: string): T {
  return (MANY_DIGITS.test(text) ? json.parse(text, exact) : JSON.parse(text)) as T;
}

function exact(_name: string, value: Json, { source = "" }: { source?: string }): Json {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !INTEGER.test(source)) return value;
  return integerOf(BigInt(source));
}

/** An int64 as a number where that holds it, otherwise as it is; what is none as the nearest number. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}
