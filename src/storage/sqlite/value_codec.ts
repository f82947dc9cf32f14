// How values are kept in the log: compressed where that makes them smaller, and always with a checksum, because SQLite
// has none and a flash card that forgets a bit must not turn one object into another.
import { crc32 } from "node:zlib";
import type { Value } from "../interface.ts";
import { Lz4 } from "./lz4.ts";
import { DICTIONARY_1 } from "./value_dictionary.ts";

/** First byte of a value: what the rest of it is. */
const PLAIN = 0, LZ4_1 = 1, BYTES = 2;
/** Format, the length of the value in bytes and the checksum, four bytes each and little endian; then the bytes. */
const CHECKSUM = 5, HEADER = 9;
/** Shorter values are kept as they are. */
const MIN_LENGTH = 64;
/** Longer ones too: they are rare, and would hold up the others. */
const MAX_LENGTH = 1_000_000;

const utf8Encoder = new TextEncoder(), utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A value that is not what was written. */
export class DamagedValueError extends Error {
  constructor(why: string) {
    super(`a value in the database is damaged: ${why}`);
    this.name = "DamagedValueError";
  }
}

/** Whose value it is, and since when: part of the checksum, so that a wrong pointer is found out too. */
export interface ValueOwner {
  key: string;
  revision: number;
}

/** Turns values into what a column of SQLite holds, and back. */
export class ValueCodec {
  readonly #lz4 = new Lz4(utf8Encoder.encode(DICTIONARY_1));

  /** The bytes are valid until the next call. */
  encode(value: Value, owner: ValueOwner): Uint8Array {
    return typeof value === "string" ? this.#encodeText(value, owner) : plain(value, BYTES, owner);
  }

  #encodeText(text: string, owner: ValueOwner): Uint8Array {
    if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return plain(utf8Encoder.encode(text), PLAIN, owner);
    const input = this.#lz4.input(3 * text.length);
    const { written } = utf8Encoder.encodeInto(text, input);
    const value = this.#lz4.compress(written, HEADER);
    if (value.length > written * 0.9) return plain(input.subarray(0, written), PLAIN, owner);
    return seal(value, { format: LZ4_1, length: written }, owner);
  }

  /** Throws DamagedValueError. */
  decode(value: Uint8Array, owner: ValueOwner): Value {
    const format = value[0], length = uint32(value, 1), rest = value.subarray(HEADER);
    if (value.length < HEADER || checksumOf(value, owner) !== uint32(value, CHECKSUM)) {
      throw new DamagedValueError(`wrong checksum at revision ${owner.revision} of ${owner.key}`);
    }
    switch (format) {
      case PLAIN:
        return utf8Decoder.decode(rest);
      case LZ4_1:
        return utf8Decoder.decode(this.#lz4.decompress(rest, length));
      case BYTES:
        return rest;
      default:
        throw new DamagedValueError(`unknown format ${format} at revision ${owner.revision} of ${owner.key}`);
    }
  }
}

/** Bytes of the value that a stored one (its beginning is enough) holds. */
export function textBytes(value: Uint8Array): number {
  return uint32(value, 1);
}

function plain(bytes: Uint8Array, format: number, owner: ValueOwner): Uint8Array {
  const value = new Uint8Array(HEADER + bytes.length);
  value.set(bytes, HEADER);
  return seal(value, { format, length: bytes.length }, owner);
}

/** Fills in the header. */
function seal(
  value: Uint8Array,
  { format, length }: { format: number; length: number },
  owner: ValueOwner,
): Uint8Array {
  value[0] = format;
  for (let i = 0; i < 4; i++) value[1 + i] = length >>> (8 * i);
  const checksum = checksumOf(value, owner);
  for (let i = 0; i < 4; i++) value[CHECKSUM + i] = checksum >>> (8 * i);
  return value;
}

/** Of everything but itself. */
function checksumOf(value: Uint8Array, { key, revision }: ValueOwner): number {
  return crc32(value.subarray(HEADER), crc32(value.subarray(0, CHECKSUM), crc32(`${revision} ${key}`)));
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}
