// Bytes that wait for who takes them. However small the pieces are that they come in, they take no more memory than twice
// what they are.
import { concatBytes } from "../../../machinery/bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Room for the pieces behind a small one. */
const ROOM = 16 * 1024;

export class ByteQueue {
  #pieces: Bytes[] = [];
  /** How much of the last piece's buffer is still free. */
  #free = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param bytes copied */
  push(bytes: Uint8Array): void {
    const { length } = bytes, last = this.#pieces.at(-1);
    this.#length += length;
    if (last !== undefined && length <= this.#free) {
      const grown = new Uint8Array(last.buffer, 0, last.length + length);
      grown.set(bytes, last.length);
      this.#pieces[this.#pieces.length - 1] = grown;
      this.#free -= length;
      return;
    }
    // The first piece is often all there is.
    const buffer = new ArrayBuffer(last === undefined ? length : Math.max(length, ROOM)),
      piece = new Uint8Array(buffer, 0, length);
    piece.set(bytes);
    this.#pieces.push(piece);
    this.#free = buffer.byteLength - length;
  }

  /** All that there is; undefined when that is nothing. */
  take(): Bytes | undefined {
    const pieces = this.#pieces, length = this.#length;
    this.clear();
    return pieces.length <= 1 ? pieces[0] : concatBytes(pieces, length);
  }

  clear(): void {
    this.#pieces = [];
    this.#length = this.#free = 0;
  }
}
