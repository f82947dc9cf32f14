// Reads header blocks (RFC 7541).
import { DynamicTable, type HeaderField } from "./dynamic_table.ts";
import { huffmanDecode, latin1 } from "./huffman.ts";
import { STATIC_TABLE } from "./static_table.ts";

const STATIC_FIELDS: readonly HeaderField[] = STATIC_TABLE.map(([name, value]) => ({ name, value }));

const NOTHING = new Uint8Array();

/** A block that cannot be read: after it nothing on the connection can. */
export class HpackError extends Error {
  override readonly name = "HpackError";
}

/** Reads the blocks of one connection, which have to come in order and whole. */
export class HpackDecoder {
  readonly #table: DynamicTable;
  readonly #maxTableSize: number;
  #block: Uint8Array = NOTHING;
  #at = 0;

  /** @param maxTableSize the SETTINGS_HEADER_TABLE_SIZE that the peer was told */
  constructor(maxTableSize: number) {
    this.#table = new DynamicTable(maxTableSize);
    this.#maxTableSize = maxTableSize;
  }

  /** Calls `field` for each field of the block in its order. Throws an {@link HpackError}. */
  decode(block: Uint8Array, field: (field: HeaderField) => void): void {
    this.#block = block;
    this.#at = 0;
    let mayResize = true;
    while (this.#at < block.length) {
      const byte = block[this.#at];
      if ((byte & 0xe0) === 0x20) {
        if (!mayResize) throw new HpackError("a table size in the middle of a block");
        this.#resize(this.#integer(5));
        continue;
      }
      mayResize = false;
      if (byte & 0x80) {
        field(this.#indexed(this.#integer(7)));
      } else if (byte & 0x40) {
        const literal = this.#literal(6);
        this.#table.add(literal);
        field(literal);
      } else {
        field(this.#literal(4));
      }
    }
    this.#block = NOTHING;
  }

  #resize(size: number): void {
    if (size > this.#maxTableSize) throw new HpackError(`a table of ${size} bytes was never offered`);
    this.#table.limit = size;
  }

  #literal(prefix: number): HeaderField {
    const index = this.#integer(prefix);
    const name = index === 0 ? this.#string() : this.#indexed(index).name;
    return { name, value: this.#string() };
  }

  #indexed(index: number): HeaderField {
    const field = index <= STATIC_FIELDS.length
      ? STATIC_FIELDS[index - 1]
      : this.#table.at(index - STATIC_FIELDS.length - 1);
    if (field === undefined) throw new HpackError(`there is no header field ${index}`);
    return field;
  }

  #string(): string {
    const isHuffman = (this.#byte() & 0x80) !== 0;
    this.#at--;
    const length = this.#integer(7), start = this.#at, end = start + length;
    if (end > this.#block.length) throw new HpackError("a header block that is cut off");
    this.#at = end;
    if (!isHuffman) return latin1(this.#block, start, end);
    try {
      return huffmanDecode(this.#block, start, end);
    } catch (error) {
      throw new HpackError((error as Error).message);
    }
  }

  /** Section 5.1. */
  #integer(prefix: number): number {
    const mask = (1 << prefix) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      value += (byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new HpackError("a number that is too large");
  }

  #byte(): number {
    if (this.#at >= this.#block.length) throw new HpackError("a header block that is cut off");
    return this.#block[this.#at++];
  }
}
