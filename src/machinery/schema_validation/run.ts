// One validation under way: where it is, what it has found, and what it is compared with.
import { errorBody, type FieldError, type FieldErrorType, type Path } from "../field_error.ts";
import type { Json } from "../types.ts";
import type { JSONSchema } from "../schema/structural_schema.ts";

/** The value before the update, with the schema by which its parts are found. */
export interface Before {
  value: Json;
  schema: JSONSchema;
}

/** Checks a value that is not undefined. `before` is undefined on create and where nothing corresponds. */
export type Check = (value: Json, run: Run, before: Before | undefined) => void;

/** Errors about the object as a whole are told of this field. */
const NO_FIELD = "<nil>";

export class Run {
  errors: FieldError[] = [];
  /** Checks that were made: of alternatives that all fail, the one with most of them is told. */
  matches = 0;
  readonly #steps: string[] = [];

  /** @param prefix the field that the root is */
  constructor(readonly prefix: Path | undefined) {}

  enter(step: string): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
  }

  get isRoot(): boolean {
    return this.#steps.length === 0;
  }

  /** The place within the root, as messages name it: `spec.ports[0].name`. */
  get place(): string {
    return this.#steps.join("");
  }

  /** Enters a named member, checks it and comes back. */
  member(name: string, value: Json, check: Check, before: Before | undefined): void {
    this.#steps.push(this.#steps.length === 0 ? name : `.${name}`);
    check(value, this, before);
    this.#steps.pop();
  }

  /** `PLACE in body WHAT`, an Invalid value. */
  invalid(what: string, value: Json): void {
    this.add("FieldValueInvalid", { value, detail: `${this.place} in body ${what}` });
  }

  /** @param step the part of the place below this one, `.name` */
  add(type: FieldErrorType, error: { value?: Json; detail?: string; step?: string }): void {
    const { value, detail = "", step = "" } = error;
    this.errors.push({ type, field: this.#field(step), value, detail });
  }

  /** An error that names no field. */
  addGeneral(detail: string): void {
    this.errors.push({ type: "FieldValueInvalid", field: this.prefix?.text ?? NO_FIELD, value: "", detail });
  }

  #field(step: string): string {
    const inside = (this.place + step).replace(/^\./, "");
    if (inside === "") return this.prefix?.text ?? NO_FIELD;
    return this.prefix === undefined ? inside : this.prefix.child(inside).text;
  }

  /** What `check` finds, kept apart from what was found so far. */
  apart(check: () => void): { errors: FieldError[]; matches: number } {
    const { errors, matches } = this;
    this.errors = [];
    this.matches = 0;
    check();
    const found = { errors: this.errors, matches: this.matches };
    this.errors = errors;
    this.matches = matches;
    return found;
  }

  take({ errors, matches }: { errors: readonly FieldError[]; matches: number }): void {
    for (const error of errors) this.errors.push(error);
    this.matches += matches;
  }
}

/** Each error once: alternatives may find the same. */
export function unique(errors: readonly FieldError[]): FieldError[] {
  if (errors.length < 2) return [...errors];
  const seen = new Map<string, FieldError>();
  for (const error of errors) {
    const id = `${error.field} ${errorBody(error)}`;
    if (!seen.has(id)) seen.set(id, error);
  }
  return [...seen.values()];
}
