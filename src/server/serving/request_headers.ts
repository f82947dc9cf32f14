// The header fields of a request as Fetch's Headers, without what those cost: nobody changes them, and most are never
// looked at.

/** Read only, as the headers of a request that came in are. Names are given in lower case. */
export class RequestHeaders implements Headers {
  readonly #fields = new Map<string, string>();

  /** Adds a field to those that are there; only for who makes the headers. */
  static add(headers: RequestHeaders, name: string, value: string): void {
    const before = headers.#fields.get(name);
    const joint = name === "cookie" ? "; " : ", ";
    headers.#fields.set(name, before === undefined ? value : before + joint + value);
  }

  get(name: string): string | null {
    return this.#fields.get(name) ?? this.#fields.get(name.toLowerCase()) ?? null;
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
    return [...this.#fields].sort(([a], [b]) => a < b ? -1 : 1);
  }
}

function readOnly(): never {
  throw new TypeError("the headers of a request cannot be changed");
}
