// How values are kept in the log: as text, or compressed as a blob where that is smaller.
import { Lz4 } from "./lz4.ts";
import { DICTIONARY_1 } from "./value_dictionary.ts";

/** First byte of a blob: what the rest of it is. */
const FORMAT_LZ4_1 = 1;
/** The format, and the length of the original as four bytes, little endian. */
const HEADER = 5;
/** Shorter values are kept as they are. */
const MIN_LENGTH = 128;
/** Longer ones too: they are rare, and would hold up the others. */
const MAX_LENGTH = 1_000_000;

const utf8Encoder = new TextEncoder(), utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Turns values into what a column of SQLite holds, and back. */
export class ValueCodec {
  readonly #lz4 = new Lz4(utf8Encoder.encode(DICTIONARY_1));

  /** The bytes are valid until the next call. */
  encode(value: string): string | Uint8Array {
    if (value.length < MIN_LENGTH || value.length > MAX_LENGTH) return value;
    const { written } = utf8Encoder.encodeInto(value, this.#lz4.input(3 * value.length));
    const blob = this.#lz4.compress(written, HEADER);
    if (blob.length > written * 0.9) return value;
    blob[0] = FORMAT_LZ4_1;
    for (let i = 0; i < 4; i++) blob[1 + i] = written >>> (8 * i);
    return blob;
  }

  /** Throws when a value is of a format that this program does not know, or damaged. */
  decode(column: string | Uint8Array): string {
    if (typeof column === "string") return column;
    if (column[0] !== FORMAT_LZ4_1) throw new RangeError(`a value is of the unknown format ${column[0]}`);
    const length = column[1] | (column[2] << 8) | (column[3] << 16) | (column[4] << 24);
    return utf8Decoder.decode(this.#lz4.decompress(column.subarray(HEADER), length));
  }
}
