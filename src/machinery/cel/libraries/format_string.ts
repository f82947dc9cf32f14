// `'%s is %d'.format([x, 1])`: the clauses of format strings and what they make of values.
import { goQuote } from "../../go_text.ts";
import { EvalError } from "../values/errors.ts";
import { compareStrings, typeOfValue } from "../values/operations.ts";
import { Duration, Timestamp } from "../values/time.ts";
import { Double, isInt, ListValue, MapValue, TypeValue, Uint, type Value } from "../values/value.ts";
import { toStringValue } from "./conversions.ts";

/** One `%` clause. */
export interface Clause {
  readonly verb: "s" | "d" | "f" | "e" | "b" | "x" | "X" | "o";
  readonly precision: number;
}

const DEFAULT_PRECISION = 6;

/** What each clause takes, in the words of its error. */
const TAKES: Record<Clause["verb"], string> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and " +
    "timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  x: "only integers, byte buffers, and strings can be formatted as hex",
  X: "only integers, byte buffers, and strings can be formatted as hex",
  o: "octal clause can only be used on integers",
};

/** What is said when a clause gets a type that it does not take. */
export function wrongType(verb: Clause["verb"], typeName: string): string {
  return `${TAKES[verb]}, was given ${typeName}`;
}

/**
 * Fills a format string: `fill` gives the text for each clause by the index of its argument, of which there are
 * `count`. Throws EvalError in the library's words.
 */
export function fillFormat(format: string, count: number, fill: (clause: Clause, index: number) => string): string {
  let result = "", index = 0, at = 0;
  for (let percent = format.indexOf("%"); percent >= 0; percent = format.indexOf("%", at)) {
    result += format.slice(at, percent);
    if (format[percent + 1] === "%") {
      result += "%";
      at = percent + 2;
      continue;
    }
    if (index >= count && percent + 1 < format.length) throw new EvalError(`index ${index} out of range`);
    if (percent + 1 >= format.length) {
      throw new EvalError(index >= count ? `index ${index} out of range` : "unexpected end of string");
    }
    const [clause, end] = parseClause(format, percent + 1);
    result += fill(clause, index++);
    at = end;
  }
  return result + format.slice(at);
}

function parseClause(format: string, start: number): [clause: Clause, end: number] {
  const match = /^(?:\.(\d*))?/.exec(format.slice(start))!;
  const at = start + match[0].length;
  const fail = (message: string) => new EvalError(`could not parse formatting clause: ${message}`);
  if (at >= format.length) throw fail("error while parsing precision: could not find end of precision specifier");
  if (match[1] === "") {
    throw fail(
      'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": ' +
        "invalid syntax",
    );
  }
  const verb = format[at];
  if (!Object.hasOwn(TAKES, verb)) throw fail(`unrecognized formatting clause "${verb}"`);
  const precision = match[1] === undefined ? DEFAULT_PRECISION : Number(match[1]);
  return [{ verb: verb as Clause["verb"], precision }, at + 1];
}

/** Throws EvalError. */
export function formatString(format: string, args: readonly Value[]): string {
  return fillFormat(format, args.length, (clause, index) => {
    try {
      return formatClause(clause, args[index]);
    } catch (e) {
      throw e instanceof EvalError ? new EvalError(`error during formatting: ${e.message}`) : e;
    }
  });
}

function formatClause({ verb, precision }: Clause, value: Value): string {
  switch (verb) {
    case "s":
      return asText(value);
    case "d":
      return integer(verb, value, 10);
    case "b":
      return typeof value === "boolean" ? (value ? "1" : "0") : integer(verb, value, 2);
    case "o":
      return integer(verb, value, 8);
    case "x":
      return hex(verb, value);
    case "X":
      return hex(verb, value).toUpperCase();
    case "f":
      return fixed(double(verb, value), precision);
    case "e":
      return scientific(double(verb, value), precision);
  }
}

function refuse(verb: Clause["verb"], value: Value): never {
  throw new EvalError(wrongType(verb, typeOfValue(value).name));
}

function integer(verb: Clause["verb"], value: Value, base: number): string {
  if (isInt(value)) return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : refuse(verb, value);
}

function hex(verb: Clause["verb"], value: Value): string {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  return integer(verb, value, 16);
}

function double(verb: Clause["verb"], value: Value): number {
  if (value instanceof Double) return value.value;
  if (value === "NaN") return NaN;
  if (value === "Infinity") return Infinity;
  return value === "-Infinity" ? -Infinity : refuse(verb, value);
}

/** As English writes numbers: thousands are grouped. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [whole, fraction] = roundEven(Math.abs(value), Math.min(precision, 100)).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${value < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** In decimal; what lies right between two neighbours goes to the even one. */
function roundEven(value: number, precision: number): string {
  const text = value.toFixed(precision);
  const isTie = precision < 16 && value * 10 ** precision % 1 === 0.5;
  return isTie && /[13579]$/.test(text) ? (Number(text) - 10 ** -precision).toFixed(precision) : text;
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** As the real server has it, the precision is the width. */
function scientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [mantissa, exponent] = value.toExponential(DEFAULT_PRECISION).split("e");
  const digits = exponent.slice(1).padStart(2, "0").replace(/\d/g, (d) => SUPERSCRIPTS[Number(d)]);
  return `${mantissa}×10${exponent[0] === "-" ? "⁻" : ""}${digits}`.padStart(width);
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
}

function asText(value: Value): string {
  if (value === null) return "null";
  if (value instanceof ListValue) return `[${value.toArray().map(element).join(", ")}]`;
  if (value instanceof MapValue) return mapText(value);
  if (value instanceof TypeValue) return value.type.name;
  const { kind } = typeOfValue(value);
  return kind === "opaque" || kind === "struct" ? refuse("s", value) : toStringValue(value);
}

function mapText(map: MapValue): string {
  const entries = map.keys().map((key) => {
    if (!["string", "boolean"].includes(typeof key) && !isInt(key) && !(key instanceof Uint)) {
      throw new EvalError(`no formatting function for map key of type ${typeOfValue(key).name}`);
    }
    return [element(key), element(map.find(key)!)];
  });
  entries.sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(", ")}}`;
}

/** A value within a list or map. */
function element(value: Value): string {
  if (typeof value === "string") return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(toStringValue(value))}`;
  if (value instanceof Double) return Number.isFinite(value.value) ? value.value.toFixed(6) : goQuote(asText(value));
  if (value instanceof Duration) return `duration(${goQuote(toStringValue(value))})`;
  if (value instanceof Timestamp) return `timestamp(${goQuote(toStringValue(value))})`;
  return asText(value);
}
