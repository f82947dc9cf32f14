// Writes header blocks (RFC 7541). What is said again and again is written once and then referred to; the rest goes as
// it is.
import { DynamicTable, type HeaderField } from "./dynamic_table.ts";
import { STATIC_TABLE } from "./static_table.ts";

/** Names that are different in every answer, so that remembering their values would only push others out. */
const ALWAYS_NEW = new Set(["audit-id", "content-length", "etag", "last-modified", "location", "warning"]);

/** More than any of our answers repeats. */
const MAX_TABLE_SIZE = 4096;

const STATIC_NAMES = new Map<string, number>();
const STATIC_FIELDS = new Map<string, number>();
STATIC_TABLE.forEach(([name, value], i) => {
  if (!STATIC_NAMES.has(name)) STATIC_NAMES.set(name, i + 1);
  STATIC_FIELDS.set(fieldKey(name, value), i + 1);
});

function fieldKey(name: string, value: string): string {
  return `${name}\n${value}`;
}

/** Writes the blocks of one connection, in the order in which they are sent. */
export class HpackEncoder {
  readonly #table: DynamicTable;
  /** Which field a key was, counted from the connection's first: its index is how many have come since. */
  readonly #numbers = new Map<string, number>();
  #added = 0;
  /** Sizes of the table that the peer has yet to be told: the smallest one since the last block, and the last. */
  #resized: number[] = [];
  #bytes = new Uint8Array(512);
  #length = 0;

  constructor() {
    this.#table = new DynamicTable(
      MAX_TABLE_SIZE,
      ({ name, value }) => void this.#numbers.delete(fieldKey(name, value)),
    );
  }

  /** The peer's SETTINGS_HEADER_TABLE_SIZE. */
  setMaxTableSize(size: number): void {
    const limit = Math.min(size, MAX_TABLE_SIZE);
    if (limit === this.#table.limit) return;
    this.#table.limit = limit;
    this.#resized = [Math.min(limit, ...this.#resized), limit];
  }

  /** The block of these fields, `:status` first. It is good until the next call. */
  encode(status: number, headers: Iterable<readonly [name: string, value: string]>): Uint8Array {
    this.#length = 0;
    for (const size of new Set(this.#resized)) this.#integer(0x20, 5, size);
    this.#resized.length = 0;
    this.#field(":status", String(status));
    for (const [name, value] of headers) this.#field(name, value);
    return this.#bytes.subarray(0, this.#length);
  }

  #field(name: string, value: string): void {
    const isNew = ALWAYS_NEW.has(name);
    if (!isNew) {
      const key = fieldKey(name, value);
      const index = STATIC_FIELDS.get(key) ?? this.#index(key);
      if (index !== undefined) return this.#integer(0x80, 7, index);
      if (this.#remember({ name, value }, key)) return this.#literal(0x40, 6, name, value);
    }
    this.#literal(0, 4, name, value);
  }

  #index(key: string): number | undefined {
    const number = this.#numbers.get(key);
    return number === undefined ? undefined : STATIC_TABLE.length + this.#added - number;
  }

  #remember(field: HeaderField, key: string): boolean {
    // What would push all others out is not worth it.
    if (field.value.length > this.#table.limit / 4 || !this.#table.add(field)) return false;
    this.#numbers.set(key, this.#added++);
    return true;
  }

  #literal(pattern: number, prefix: number, name: string, value: string): void {
    const index = STATIC_NAMES.get(name) ?? 0;
    this.#integer(pattern, prefix, index);
    if (index === 0) this.#string(name);
    this.#string(value);
  }

  #string(text: string): void {
    this.#integer(0, 7, text.length);
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.#length++] = text.charCodeAt(i);
  }

  #integer(pattern: number, prefix: number, value: number): void {
    this.#reserve(8);
    const mask = (1 << prefix) - 1;
    if (value < mask) {
      this.#bytes[this.#length++] = pattern | value;
      return;
    }
    this.#bytes[this.#length++] = pattern | mask;
    let rest = value - mask;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = rest & 127 | 128;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
