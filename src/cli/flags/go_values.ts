// Numbers, booleans and durations as Go's strconv and time read them, with their words for what is wrong.
import { parseDuration } from "../../machinery/duration.ts";

const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function wrong(parser: string, text: string, why: string): Error {
  return new Error(`strconv.${parser}: parsing ${JSON.stringify(text)}: ${why}`);
}

export function parseGoBool(text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw wrong("ParseBool", text, "invalid syntax");
}

const SYNTAX = {
  /** Any base by prefix, with underscores between digits. */
  ParseInt: /^[+-]?(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO]?(?:_?[0-7])*|[1-9](?:_?[0-9])*)$/,
  ParseUint: /^[0-9]+$/,
  Atoi: /^[+-]?[0-9]+$/,
};

/** 64 bits, though numbers beyond 2^53 lose their last digits. */
export function parseGoInt(text: string, parser: keyof typeof SYNTAX = "ParseInt"): number {
  if (!SYNTAX[parser].test(text)) throw wrong(parser, text, "invalid syntax");
  const negative = text.startsWith("-");
  let digits = text.replace(/^[+-]/, "").replaceAll("_", "");
  if (parser === "ParseInt" && /^0[0-7]/.test(digits)) digits = `0o${digits.slice(1)}`;
  if (parser !== "ParseInt") digits = digits.replace(/^0+(?=\d)/, "");
  const value = negative ? -BigInt(digits) : BigInt(digits);
  if (value !== BigInt.asIntN(64, value)) throw wrong(parser, text, "value out of range");
  return Number(value);
}

export function parseGoFloat(text: string): number {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) throw wrong("ParseFloat", text, "invalid syntax");
  const value = Number(text);
  if (!Number.isFinite(value)) throw wrong("ParseFloat", text, "value out of range");
  return value;
}

/** The longest duration that 64 bits of nanoseconds hold, in milliseconds. */
const MAX_DURATION = 2 ** 63 / 1e6;

/** Milliseconds. */
export function parseGoDuration(text: string): number {
  const value = parseDuration(text);
  if (value !== undefined && Math.abs(value) < MAX_DURATION) return value;
  const quoted = JSON.stringify(text);
  let rest = text.replace(/^[+-]/, "");
  while (rest !== "" && value === undefined) {
    const number = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (number === undefined) break;
    const unit = /^[^.\d]*/.exec(rest.slice(number.length))![0];
    if (unit === "") throw new Error(`time: missing unit in duration ${quoted}`);
    if (parseDuration(`1${unit}`) === undefined) {
      throw new Error(`time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`);
    }
    rest = rest.slice(number.length + unit.length);
  }
  throw new Error(`time: invalid duration ${quoted}`);
}
