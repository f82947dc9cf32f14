// Where a body ends that comes in chunks (RFC 9112, section 7.1). The runtime does, too, but it keeps the fields behind
// the last chunk without any limit: a client could fill the memory with them.

/** Bytes of a line with a chunk's length. */
const MAX_LINE = 4096;
/** Bytes of the fields behind the last chunk; Go's net/http allows as much. */
const MAX_TRAILERS = 4096;

const SIZE_LINE = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;[^\0\r\n]*)?\r\n$/;

export class ChunkedBody {
  #awaits: "size" | "data" | "end of data" | "trailers" | "nothing" = "size";
  /** Bytes of the chunk that are still to come. */
  #left = 0;
  /** The beginning of a line. */
  #line = "";
  #trailers = 0;

  get ended(): boolean {
    return this.#awaits === "nothing";
  }

  /** How many of these bytes belong to the body. Throws a RangeError when they are no such body's. */
  take(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length && !this.ended) {
      at = this.#awaits === "data" ? this.#skipData(bytes, at) : this.#readLine(bytes, at);
    }
    return at;
  }

  #skipData(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    if (this.#left === 0) this.#awaits = "end of data";
    return end;
  }

  #readLine(bytes: Uint8Array, at: number): number {
    const feed = bytes.indexOf(0x0a, at), end = feed < 0 ? bytes.length : feed + 1;
    if (this.#line.length + end - at > MAX_LINE) throw new RangeError("a line that is too long");
    for (let i = at; i < end; i++) this.#line += String.fromCharCode(bytes[i]);
    if (feed < 0) return end;
    const line = this.#line;
    this.#line = "";
    this.#take(line);
    return end;
  }

  #take(line: string): void {
    if (this.#awaits === "size") {
      const size = SIZE_LINE.exec(line);
      if (size === null) throw new RangeError("a chunk without a length");
      this.#left = parseInt(size[1], 16);
      this.#awaits = this.#left === 0 ? "trailers" : "data";
    } else if (line === "\r\n") {
      this.#awaits = this.#awaits === "trailers" ? "nothing" : "size";
    } else {
      if (this.#awaits === "end of data") throw new RangeError("a chunk that is longer than was said");
      this.#trailers += line.length;
      if (this.#trailers > MAX_TRAILERS) throw new RangeError("too much behind the last chunk");
    }
  }
}
