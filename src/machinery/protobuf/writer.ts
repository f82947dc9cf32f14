// Bytes written from the end to the front, so that the length of a message is known when its prefix is written.

const utf8 = new TextEncoder();
const FIRST_SIZE = 64 * 1024;
/** Shorter strings are written character by character as long as they are ASCII. */
const SHORT = 64;

/** Payload kinds of the wire format. */
export const VARINT = 0, FIXED64 = 1, DELIMITED = 2, START_GROUP = 3, END_GROUP = 4, FIXED32 = 5;

export class Writer {
  #buffer = new Uint8Array(FIRST_SIZE);
  /** Where the last written byte is; what is behind it belongs to the message. */
  #at = FIRST_SIZE;

  /** How many bytes there are: the difference of two marks is the length of what was written between. */
  get length(): number {
    return this.#buffer.length - this.#at;
  }

  /** A copy of what was written; the writer is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#buffer.slice(this.#at);
    this.#at = this.#buffer.length;
    return bytes;
  }

  reset(): void {
    this.#at = this.#buffer.length;
  }

  #reserve(size: number): void {
    if (this.#at >= size) return;
    const used = this.length, larger = new Uint8Array(Math.max(this.#buffer.length * 2, used + size));
    larger.set(this.#buffer.subarray(this.#at), larger.length - used);
    this.#at = larger.length - used;
    this.#buffer = larger;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[--this.#at] = value;
  }

  string(text: string): void {
    const { length } = text;
    if (length > SHORT) return this.bytes(utf8.encode(text));
    this.#reserve(length);
    const buffer = this.#buffer;
    let at = this.#at;
    for (let i = length - 1; i >= 0; i--) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return this.bytes(utf8.encode(text));
      buffer[--at] = code;
    }
    this.#at = at;
  }

  /** A whole number; negative ones as 64 bits in two's complement. */
  varint(value: number): void {
    if (value >= 0 && value < 0x80) return this.byte(value);
    this.#reserve(10);
    const buffer = this.#buffer;
    let low = value >>> 0, high = Math.floor(value / 0x1_0000_0000) >>> 0, size = 0;
    const groups = SCRATCH;
    do {
      groups[size++] = low & 0x7f;
      low = (low >>> 7 | high << 25) >>> 0;
      high >>>= 7;
    } while (low !== 0 || high !== 0);
    buffer[--this.#at] = groups[size - 1];
    for (let i = size - 2; i >= 0; i--) buffer[--this.#at] = groups[i] | 0x80;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    new DataView(this.#buffer.buffer).setFloat64(this.#at, value, true);
  }

  tag(number: number, wire: number): void {
    this.varint(number << 3 | wire);
  }

  /** The prefix of a payload that has been written since the writer had `mark` bytes. */
  prefix(number: number, mark: number): void {
    this.varint(this.length - mark);
    this.tag(number, DELIMITED);
  }
}

const SCRATCH = new Uint8Array(10);
