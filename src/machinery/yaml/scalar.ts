// What scalars of YAML 1.1 mean: yes and on are true, 010 is eight, a time stays text.

import { integerOf } from "../big_integers.ts";

export type YamlScalar = string | number | bigint | boolean | null;

/** Why a scalar cannot be what its tag says. */
export interface ScalarProblem {
  problem: string;
}

const WORDS = new Map<string, boolean | number | null>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((w) => [w, true] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((w) => [w, false] as const),
  ...["", "~", "null", "Null", "NULL"].map((w) => [w, null] as const),
  ...[".nan", ".NaN", ".NAN"].map((w) => [w, NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((w) => [w, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((w) => [w, -Infinity] as const),
]);

const PREFIX = "tag:yaml.org,2002:";
const RESOLVED_TAGS = ["str", "bool", "int", "float", "null", "timestamp"];

/** @param options.tag as the library writes it; @param options.plain not quoted and no block */
export function scalarOf(
  text: string,
  { tag, plain }: { tag?: string; plain: boolean },
): YamlScalar | ScalarProblem {
  if (tag === undefined || tag === "!") return plain && tag === undefined ? resolve(text) : text;
  const short = tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : "";
  if (short === "binary") return binary(text);
  // Tags of others say nothing.
  if (!RESOLVED_TAGS.includes(short)) return text;
  if (short === "str" || short === "timestamp") return text;
  const value = resolve(text), kind = kindOf(value, text);
  if (kind === short || short === "float" && kind === "int") return value;
  return { problem: `cannot decode !!${kind} \`${text}\` as a !!${short}` };
}

function kindOf(value: YamlScalar, text: string): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  return wholeNumber(text) === undefined ? "float" : "int";
}

function binary(text: string): YamlScalar | ScalarProblem {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  } catch {
    return { problem: "!!binary value contains invalid base64 data" };
  }
}

function resolve(text: string): YamlScalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (text[0] === ".") return /^\.\d+(?:[eE][-+]?\d+)?$/.test(text) ? finite(text) : text;
  if (!/^[-+0-9]/.test(text)) return text;
  const whole = wholeNumber(text);
  if (whole !== undefined) return integerOf(whole);
  const plain = text.replaceAll("_", "");
  return /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(plain) ? finite(plain) || text : text;
}

/** Numbers beyond a double's range stay text. */
function finite(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** A number in base 2, 8, 10 or 16 that fits 64 bits. */
function wholeNumber(text: string): bigint | undefined {
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(text.replaceAll("_", ""));
  if (match === null) return undefined;
  const [, sign, digits] = match;
  const size = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  if (size > (sign === "" ? 2n ** 64n - 1n : sign === "-" ? 2n ** 63n : 2n ** 63n - 1n)) return undefined;
  return sign === "-" ? -size : size;
}

/** How a key is called in JSON. */
export function nameOfKey(key: Exclude<YamlScalar, null>): string {
  if (typeof key !== "number" || Number.isInteger(key) && Math.abs(key) < 2 ** 63) return String(key);
  if (Number.isNaN(key)) return ".nan";
  if (!Number.isFinite(key)) return key > 0 ? ".inf" : "-.inf";
  return shortestFloat32(key);
}

/** The shortest text that is the same number in 32 bits. */
function shortestFloat32(value: number): string {
  const wanted = Math.fround(value);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(value.toPrecision(digits))) !== wanted) digits++;
  return String(Number(value.toPrecision(digits)));
}
