// Reads the wire format of protobuf.
import { DELIMITED, END_GROUP, FIXED32, FIXED64, START_GROUP, VARINT } from "./writer.ts";

/** Bytes that are no message of the type; worded as Go's decoder words it. */
export class ProtobufError extends Error {}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const SHORT = 48;
/** Messages within messages: types that contain themselves have no end of their own. */
const MAX_DEPTH = 200;
const UNEXPECTED_EOF = "unexpected EOF";

export class Reader {
  #depth = 0;

  /** @param end where the message ends */
  constructor(readonly buffer: Uint8Array, public at = 0, public end = buffer.length) {}

  get done(): boolean {
    return this.at >= this.end;
  }

  /** A whole number below 2^53 exactly, others as near as a double is. */
  varint(): number {
    let low = 0, shift = 0;
    for (; shift < 28; shift += 7) {
      const byte = this.#next();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return low >>> 0;
    }
    return this.#longVarint(low >>> 0);
  }

  #longVarint(first28: number): number {
    let value = BigInt(first28);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#next();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new ProtobufError("proto: integer overflow");
  }

  /** As int32: what does not fit is cut off. */
  int32(): number {
    return this.varint() | 0;
  }

  double(): number {
    this.#need(8);
    const value = new DataView(this.buffer.buffer, this.buffer.byteOffset + this.at, 8).getFloat64(0, true);
    this.at += 8;
    return value;
  }

  /** The payload of a delimited field. */
  bytes(): Uint8Array {
    const length = this.#length();
    return this.buffer.subarray(this.at, this.at += length);
  }

  string(): string {
    const length = this.#length(), { buffer } = this, end = this.at + length;
    if (length <= SHORT) {
      let text = "";
      for (let i = this.at; i < end; i++) {
        const byte = buffer[i];
        if (byte >= 0x80) return this.#decode(end);
        text += String.fromCharCode(byte);
      }
      this.at = end;
      return text;
    }
    return this.#decode(end);
  }

  #decode(end: number): string {
    return utf8.decode(this.buffer.subarray(this.at, this.at = end));
  }

  /** Calls `read` with the reader narrowed to the payload of a delimited field. */
  message<T>(read: () => T): T {
    const length = this.#length(), outer = this.end;
    if (++this.#depth > MAX_DEPTH) throw new ProtobufError("proto: exceeded max recursion depth");
    this.end = this.at + length;
    const result = read();
    this.at = this.end;
    this.end = outer;
    this.#depth--;
    return result;
  }

  skip(wire: number): void {
    switch (wire) {
      case VARINT:
        while (this.#next() >= 0x80);
        return;
      case FIXED64:
        return this.#advance(8);
      case DELIMITED:
        return this.#advance(this.#length());
      case FIXED32:
        return this.#advance(4);
      case START_GROUP:
        return this.#skipGroup();
      case END_GROUP:
        throw new ProtobufError("proto: unexpected end of group");
      default:
        throw new ProtobufError(`proto: illegal wireType ${wire}`);
    }
  }

  /** Groups may hold groups; no message here has any. */
  #skipGroup(): void {
    for (let depth = 1; depth > 0;) {
      const wire = this.varint() & 7;
      if (wire === START_GROUP) depth++;
      else if (wire === END_GROUP) depth--;
      else this.skip(wire);
    }
  }

  #next(): number {
    if (this.at >= this.end) throw new ProtobufError(UNEXPECTED_EOF);
    return this.buffer[this.at++];
  }

  #need(size: number): void {
    if (this.at + size > this.end) throw new ProtobufError(UNEXPECTED_EOF);
  }

  #advance(size: number): void {
    this.#need(size);
    this.at += size;
  }

  #length(): number {
    const length = this.varint();
    if (length < 0) throw new ProtobufError("proto: negative length found during unmarshaling");
    this.#need(length);
    return length;
  }
}
