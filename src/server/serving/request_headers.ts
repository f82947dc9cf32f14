// The header fields of a request as Fetch's Headers, without what those cost: nobody changes them, and most are never
// looked at.
import type { FieldHeaders } from "../../authentication/header_fields.ts";

/** Read only, as the headers of a request that came in are. Names are given in lower case. */
export class RequestHeaders implements FieldHeaders {
  /** Lists for those that came several times. */
  readonly #fields = new Map<string, string | string[]>();

  /** Adds a field to those that are there; only for who makes the headers. */
  static add(headers: RequestHeaders, name: string, value: string): void {
    const before = headers.#fields.get(name);
    if (before === undefined) headers.#fields.set(name, value);
    else if (typeof before === "string") headers.#fields.set(name, [before, value]);
    else before.push(value);
  }

  get(name: string): string | null {
    const value = this.#fields.get(name) ?? this.#fields.get(name.toLowerCase());
    return value === undefined ? null : joined(name, value);
  }

  fieldNames(): Iterable<string> {
    return this.#fields.keys();
  }

  fieldValues(name: string): readonly string[] {
    const value = this.#fields.get(name);
    return value === undefined ? [] : typeof value === "string" ? [value] : value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    return [];
  }

  append(): void {
    readOnly();
  }

  delete(): void {
    readOnly();
  }

  set(): void {
    readOnly();
  }

  *entries(): Generator<[string, string]> {
    yield* this.#sorted();
  }

  *keys(): Generator<string> {
    for (const [name] of this.#sorted()) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this.#sorted()) yield value;
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }

  forEach(callback: (value: string, name: string, parent: this) => void): void {
    for (const [name, value] of this.#sorted()) callback(value, name, this);
  }

  #sorted(): [string, string][] {
    const all = [...this.#fields].map(([name, value]): [string, string] => [name, joined(name, value)]);
    return all.sort(([a], [b]) => a < b ? -1 : 1);
  }
}

function joined(name: string, value: string | string[]): string {
  return typeof value === "string" ? value : value.join(name === "cookie" ? "; " : ", ");
}

function readOnly(): never {
  throw new TypeError("the headers of a request cannot be changed");
}
