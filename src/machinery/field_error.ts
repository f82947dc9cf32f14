// Field paths and the errors of validation, worded as the API words them (API conventions, "validation").
import { goJson, goNumber, goQuote } from "./go_text.ts";
import type { Json } from "./types.ts";

/** What is wrong with a field; the value is the reason of a Status cause. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooShort"
  | "FieldValueTooMany"
  | "FieldValueTooFew"
  | "InternalError"
  | "FieldValueTypeInvalid";

const WORDS: Record<FieldErrorType, string> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooShort: "Too short",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  InternalError: "Internal error",
  FieldValueTypeInvalid: "Invalid value",
};

/** Types whose message does not show the value. */
const WITHOUT_VALUE = new Set<FieldErrorType>([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "FieldValueTooShort",
  "InternalError",
]);

/** A place in an object, built from its parent: `path("spec").child("containers").index(0)`. Immutable. */
export class Path {
  constructor(readonly text: string) {}

  child(...names: string[]): Path {
    let text = this.text;
    for (const name of names) text = text === "" ? name : `${text}.${name}`;
    return new Path(text);
  }

  index(i: number): Path {
    return new Path(`${this.text}[${i}]`);
  }

  key(k: string): Path {
    return new Path(`${this.text}[${k}]`);
  }

  toString(): string {
    return this.text;
  }
}

/** The path of top-level fields: `path("metadata", "name")`. */
export function path(...names: string[]): Path {
  return new Path(names.join("."));
}

/** One thing wrong with one field. */
export interface FieldError {
  type: FieldErrorType;
  field: string;
  /** Shown in the message; a string is quoted, an object written as JSON. */
  value?: Json;
  /** The value is left out of the message although errors of this type show it. */
  withoutValue?: boolean;
  detail: string;
}

function make(type: FieldErrorType, field: Path, value: unknown, detail: string): FieldError {
  return { type, field: field.text, value: value as Json, detail };
}

/** A named set of values was expected. `supported` is shown sorted, as the real server shows its sets. */
export function notSupported(field: Path, value: unknown, supported: readonly string[]): FieldError {
  return notSupportedInOrder(field, value, [...supported].sort());
}

/** The same for values that the real server keeps as a list: shown in the order given. */
export function notSupportedInOrder(field: Path, value: unknown, supported: readonly string[]): FieldError {
  const words = supported.map(goQuote).join(", ");
  return make("FieldValueNotSupported", field, value, supported.length ? `supported values: ${words}` : "");
}

export function required(field: Path, detail = ""): FieldError {
  return make("FieldValueRequired", field, "", detail);
}

export function invalid(field: Path, value: unknown, detail: string): FieldError {
  return make("FieldValueInvalid", field, value, detail);
}

export function typeInvalid(field: Path, value: unknown, detail: string): FieldError {
  return make("FieldValueTypeInvalid", field, value, detail);
}

export function duplicate(field: Path, value: unknown): FieldError {
  return make("FieldValueDuplicate", field, value, "");
}

export function forbidden(field: Path, detail: string): FieldError {
  return make("FieldValueForbidden", field, "", detail);
}

export function notFound(field: Path, value: unknown): FieldError {
  return make("FieldValueNotFound", field, value, "");
}

/** `max` in bytes; a negative one leaves the number out. */
export function tooLong(field: Path, max: number): FieldError {
  return make(
    "FieldValueTooLong",
    field,
    "",
    max >= 0 ? `may not be more than ${max} byte${max === 1 ? "" : "s"}` : "value is too long",
  );
}

export function tooMany(field: Path, actual: number, max: number): FieldError {
  return make(
    "FieldValueTooMany",
    field,
    actual,
    max >= 0 ? `must have at most ${max} item${max === 1 ? "" : "s"}` : "has too many items",
  );
}

export function tooFew(field: Path, actual: number, min: number): FieldError {
  return make("FieldValueTooFew", field, actual, `must have at least ${min} item${min === 1 ? "" : "s"}`);
}

export function internal(field: Path, detail: string): FieldError {
  return make("InternalError", field, undefined, detail);
}

/** The part of the message behind the field: `Invalid value: "x": must be …`. */
export function errorBody(e: FieldError): string {
  const words = WORDS[e.type];
  let shown: string = words;
  if (!WITHOUT_VALUE.has(e.type) && !e.withoutValue) {
    const v = e.value;
    shown = `${words}: ${typeof v === "string" ? goQuote(v) : typeof v === "number" ? goNumber(v) : goJson(v ?? null)}`;
  }
  return e.detail === "" ? shown : `${shown}: ${e.detail}`;
}

/** `spec.x: Invalid value: "y": …`. */
export function formatFieldError(e: FieldError): string {
  return `${e.field}: ${errorBody(e)}`;
}

/** Several errors in one line: one as it is, more in brackets. Equal ones are shown once. */
export function aggregate(errors: readonly FieldError[]): string {
  const words = [...new Set(errors.map(formatFieldError))];
  return words.length === 1 ? words[0] : `[${words.join(", ")}]`;
}
