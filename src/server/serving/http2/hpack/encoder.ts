// Writes header blocks (RFC 7541). What is said again and again is written once and then referred to; the rest goes as
// it is.
import { DynamicTable, type HeaderField } from "./dynamic_table.ts";
import { STATIC_TABLE } from "./static_table.ts";

/** Names that are different in every answer, so that remembering their values would only push others out. */
const ALWAYS_NEW = new Set(["audit-id", "content-length", "etag", "last-modified", "location", "warning"]);

/** More than any of our answers repeats. */
const MAX_TABLE_SIZE = 4096;

/** A number for each of some fields. */
class FieldNumbers {
  readonly #byName = new Map<string, Map<string, number>>();

  get({ name, value }: HeaderField): number | undefined {
    return this.#byName.get(name)?.get(value);
  }

  set({ name, value }: HeaderField, number: number): void {
    const byValue = this.#byName.get(name);
    if (byValue === undefined) this.#byName.set(name, new Map([[value, number]]));
    else byValue.set(value, number);
  }

  delete({ name, value }: HeaderField): void {
    const byValue = this.#byName.get(name);
    byValue?.delete(value);
    if (byValue?.size === 0) this.#byName.delete(name);
  }
}

const STATIC_NAMES = new Map<string, number>();
const STATIC_FIELDS = new FieldNumbers();
STATIC_TABLE.forEach(([name, value], i) => {
  if (!STATIC_NAMES.has(name)) STATIC_NAMES.set(name, i + 1);
  STATIC_FIELDS.set({ name, value }, i + 1);
});

/** Writes the blocks of one connection, in the order in which they are sent. */
export class HpackEncoder {
  readonly #table: DynamicTable;
  /** Which one a field was, counted from the connection's first: its index is how many have come since. */
  readonly #numbers = new FieldNumbers();
  #added = 0;
  /** Sizes of the table that the peer has yet to be told: the smallest one since the last block, and the last. */
  #resized: number[] = [];
  #bytes = new Uint8Array(512);
  #length = 0;

  constructor() {
    this.#table = new DynamicTable(MAX_TABLE_SIZE, (field) => this.#numbers.delete(field));
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
    if (this.#resized.length > 0) this.#sizes();
    this.#field({ name: ":status", value: String(status) });
    for (const [name, value] of headers) this.#field({ name, value });
    return this.#bytes.subarray(0, this.#length);
  }

  #sizes(): void {
    for (const size of new Set(this.#resized)) this.#integer(0x20, 5, size);
    this.#resized.length = 0;
  }

  #field(field: HeaderField): void {
    if (ALWAYS_NEW.has(field.name)) return this.#literal(0, 4, field);
    const index = STATIC_FIELDS.get(field) ?? this.#index(field);
    if (index !== undefined) this.#integer(0x80, 7, index);
    else if (this.#remember(field)) this.#literal(0x40, 6, field);
    else this.#literal(0, 4, field);
  }

  #index(field: HeaderField): number | undefined {
    const number = this.#numbers.get(field);
    return number === undefined ? undefined : STATIC_TABLE.length + this.#added - number;
  }

  #remember(field: HeaderField): boolean {
    // What would push all others out is not worth it.
    if (field.value.length > this.#table.limit / 4 || !this.#table.add(field)) return false;
    this.#numbers.set(field, this.#added++);
    return true;
  }

  #literal(pattern: number, prefix: number, { name, value }: HeaderField): void {
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
