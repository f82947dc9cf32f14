// Types, enums, and the bounds of numbers and strings.
import { goFloat, goNumber, goQuote } from "../go_text.ts";
import type { Json } from "../types.ts";
import type { JSONSchema } from "../schema/structural_schema.ts";
import { formatIsKnown, isOfFormat } from "./formats.ts";
import { canonicalText } from "./list_types.ts";
import { isInt64, isWhole } from "./numbers.ts";
import { matcherOf } from "./patterns.ts";
import type { Check, Run } from "./run.ts";
import { lookUp } from "../look_up.ts";

const INT_OR_STRING = "x-kubernetes-int-or-string";

function typesOf(schema: JSONSchema): readonly string[] {
  if (schema[INT_OR_STRING]) return ["integer", "string"];
  return schema.type ? [schema.type] : [];
}

/** The format as far as it means something for the schema's type. */
function formatOf(schema: JSONSchema): string {
  const { format = "" } = schema, types = typesOf(schema);
  const type = types.length === 1 ? types[0] : "";
  return formatIsKnown(type, format) ? format : "";
}

/** What a value is called, and the format that its kind of number has. */
function kindOf(value: Json): [type: string, format: string] {
  switch (typeof value) {
    case "string":
      return ["string", ""];
    case "boolean":
      return ["boolean", ""];
    case "number":
      // The largest int64 would be a BigInt.
      return isInt64(value) && Math.abs(value) < 2 ** 63 ? ["integer", "int64"] : ["number", "float64"];
    case "bigint":
      return ["integer", "int64"];
    default:
      return [value === null ? "null" : Array.isArray(value) ? "array" : "object", ""];
  }
}

export function typeCheck(schema: JSONSchema): Check | undefined {
  const types = typesOf(schema), format = formatOf(schema), nullable = schema.nullable === true;
  if (types.length === 0 && format === "") return undefined;
  const wanted = types.join(","), only = types.length === 1 && format === "" ? types[0] : "";
  const takesNumbers = types.includes("number") || types.includes("integer");
  const fits = (type: string, value: Json) =>
    types.includes(type) || type === "integer" && types.includes("number") ||
    type === "number" && types.includes("integer") && isWhole(value as number);
  return (value, run) => {
    if (only !== "" && typeof value === only) {
      if (only !== "object" || !Array.isArray(value) && value !== null) {
        run.matches++;
        return;
      }
    }
    if (value === null) {
      if (types.length > 0 && !nullable) mistyped(run, wanted, "null");
      else run.matches++;
      return;
    }
    const [type, own] = kindOf(value);
    const isText = type === "string" || type === "array";
    if (!isText && format !== "" && !fits(type, value) && own !== format) mistyped(run, format, own);
    else if (!takesNumbers && format !== "" && isText || fits(type, value)) run.matches++;
    else mistyped(run, wanted, type);
  };
}

function mistyped(run: Run, wanted: string, given: string): void {
  run.add("FieldValueTypeInvalid", {
    value: given,
    detail: `${run.place} in body must be of type ${wanted}: ${goQuote(given)}`,
  });
}

export function enumCheck({ enum: values }: JSONSchema): Check | undefined {
  if (!values?.length) return undefined;
  const shown = values.map((value) => goQuote(typeof value === "string" ? value : JSON.stringify(value)));
  const detail = `supported values: ${shown.join(", ")}`;
  const simple = new Set<Json>(values), compound = new Set(values.filter(isCompound).map(canonicalText));
  return (value, run) => {
    if (value !== null && (simple.has(value) || isCompound(value) && compound.has(canonicalText(value)))) return;
    if (typeof value === "number" && values.some((allowed) => converts(value, allowed))) return;
    run.add("FieldValueNotSupported", { value, detail });
  };
}

/** Numbers are converted to the kind of the allowed value before they are compared. */
function converts(value: number, allowed: Json): boolean {
  if (typeof allowed === "number") return Number.isInteger(allowed) && Math.trunc(value) === allowed;
  return typeof allowed === "string" && isInt64(value) && isCharacter(value) && String.fromCodePoint(value) === allowed;
}

function isCharacter(value: number): boolean {
  return value >= 0 && value <= 0x10ffff;
}

function isCompound(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

const LIMITS: Readonly<Record<string, (value: number) => boolean>> = {
  int32: (value) => isWhole(value) && value >= -(2 ** 31) && value < 2 ** 31,
  int64: isInt64,
  float: (value) => Number.isFinite(Math.fround(value)),
};

/** Whether a number, a bound as well as a value, is one of the schema's type and format. */
function rangeOf(schema: JSONSchema): (what: string, value: number, run: Run) => boolean {
  const types = typesOf(schema), type = types.length === 1 ? types[0] : "";
  const format = type === "integer" || type === "number" ? formatOf(schema) : "";
  const isInRange = lookUp(LIMITS, format) ?? (type === "integer" ? isInt64 : undefined);
  const shown = format === "" ? `${type} (default format)` : `${type} with format ${format}`;
  return (what, value, run) => {
    if (isInRange === undefined || isInRange(value)) return true;
    run.addGeneral(`${what} value must be of type ${shown} in ${run.place}`);
    return false;
  };
}

/** The last double below 2^63. */
const LARGEST_INT64 = 2 ** 63 - 1024;

export function numberCheck(schema: JSONSchema): Check {
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = schema;
  const inRange = rangeOf(schema);
  return (given, run) => {
    const value = typeof given === "bigint" ? Math.min(Number(given), LARGEST_INT64) : given as number;
    inRange("Checked", value, run);
    if (multipleOf !== undefined) {
      checkMultiple(value, boundFor(value, multipleOf, inRange("MultipleOf", multipleOf, run)), run);
    }
    if (maximum !== undefined) {
      const { bound, shown } = boundFor(value, maximum, inRange("Maximum boundary", maximum, run));
      if (value > bound || exclusiveMaximum && value === bound) {
        run.invalid(`should be less than ${exclusiveMaximum ? "" : "or equal to "}${shown}`, value);
      }
    }
    if (minimum !== undefined) {
      const { bound, shown } = boundFor(value, minimum, inRange("Minimum boundary", minimum, run));
      if (value < bound || exclusiveMinimum && value === bound) {
        run.invalid(`should be greater than ${exclusiveMinimum ? "" : "or equal to "}${shown}`, value);
      }
    }
    run.matches++;
  };
}

interface Bound {
  bound: number;
  /** As messages have it. */
  shown: string;
}

/** Integers are compared with bounds that are cut to integers, unless the bound does not fit the type. */
function boundFor(value: number, bound: number, fits: boolean): Bound {
  if (!fits || !isInt64(value)) return { bound, shown: goFloat(bound) };
  return { bound: Math.trunc(bound), shown: goNumber(Math.trunc(bound)) };
}

function checkMultiple(value: number, { bound: factor, shown }: Bound, run: Run): void {
  if (factor <= 0) {
    run.add("FieldValueInvalid", {
      value: factor,
      detail: `factor MultipleOf declared for ${run.place} must be positive: ${shown}`,
    });
    return;
  }
  const isMultiple = isInt64(value) && Number.isInteger(factor)
    ? value % factor === 0
    : isWhole(factor < 1 ? 1 / factor * value : value / factor);
  if (!isMultiple) run.invalid(`should be a multiple of ${shown}`, value);
}

/** Only the first thing that is wrong with a text is told. */
export function stringCheck(schema: JSONSchema): Check | undefined {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength === undefined && minLength === undefined && !pattern) return undefined;
  const matches = pattern ? matcherOf(pattern) : undefined;
  return (given, run) => {
    const value = given as string;
    if (maxLength !== undefined && isLonger(value, maxLength)) {
      const detail = `may not be more than ${maxLength} byte${maxLength === 1 ? "" : "s"}`;
      run.add("FieldValueTooLong", { value: "", detail });
    } else if (minLength !== undefined && !isLonger(value, minLength - 1)) {
      run.invalid(`should be at least ${minLength} chars long`, value);
    } else if (matches !== undefined && !matches(value)) {
      run.invalid(`should match '${pattern}'`, value);
    }
  };
}

/** In characters: pairs of surrogates are counted only where that decides. */
function isLonger(text: string, length: number): boolean {
  if (text.length <= length) return false;
  if (text.length > 2 * length + 1) return true;
  let count = 0;
  for (const _ of text) if (++count > length) return true;
  return false;
}

export function formatCheck(schema: JSONSchema): Check | undefined {
  const format = formatOf(schema), check = isOfFormat(format);
  if (check === undefined) return undefined;
  return (value, run) => {
    if (!check(value as string)) mistyped(run, format, value as string);
  };
}
