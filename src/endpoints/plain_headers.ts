// The header fields of a request or an answer as Fetch's Headers, without what those cost: most are never looked at.
import type { FieldHeaders } from "../authentication/header_fields.ts";

/** Names are given in lower case, names and values as HTTP has them: nobody checks them here. */
export class PlainHeaders implements FieldHeaders {
  /** Lists for those that came several times. */
  readonly #fields = new Map<string, string | string[]>();

  constructor(fields: Readonly<Record<string, string>> = {}) {
    for (const name in fields) this.#fields.set(name, fields[name]);
  }

  get(name: string): string | null {
    const value = this.#fields.get(name) ?? this.#fields.get(name.toLowerCase());
    return value === undefined ? null : joined(name, value);
  }

  has(name: string): boolean {
    return this.#fields.has(name) || this.#fields.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#fields.set(name, value);
  }

  append(name: string, value: string): void {
    const before = this.#fields.get(name);
    if (before === undefined) this.#fields.set(name, value);
    else if (typeof before === "string") this.#fields.set(name, [before, value]);
    else before.push(value);
  }

  delete(name: string): void {
    this.#fields.delete(name);
  }

  fieldNames(): Iterable<string> {
    return this.#fields.keys();
  }

  fieldValues(name: string): readonly string[] {
    const value = this.#fields.get(name);
    return value === undefined ? [] : typeof value === "string" ? [value] : value;
  }

  getSetCookie(): string[] {
    return [...this.fieldValues("set-cookie")];
  }

  *entries(): Generator<[string, string]> {
    for (const [name, value] of this.#fields) yield [name, joined(name, value)];
  }

  *keys(): Generator<string> {
    yield* this.#fields.keys();
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }

  forEach(callback: (value: string, name: string, parent: this) => void): void {
    this.#fields.forEach((value, name) => callback(joined(name, value), name, this));
  }
}

function joined(name: string, value: string | string[]): string {
  return typeof value === "string" ? value : value.join(name === "cookie" ? "; " : ", ");
}
