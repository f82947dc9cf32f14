// Cuts what a connection receives into frames.
import { ConnectionError, ErrorCode, type Frame, HEADER_LENGTH, PREFACE, readUint32 } from "./frames.ts";

export class FrameReader {
  readonly #maxFrameSize: number;
  /** What has come of a frame that is not complete. */
  #rest: Uint8Array = new Uint8Array();
  #begun = false;

  /** @param maxFrameSize the SETTINGS_MAX_FRAME_SIZE that the peer was told */
  constructor(maxFrameSize: number) {
    this.#maxFrameSize = maxFrameSize;
  }

  /** Whether the connection's preface has been seen. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Calls `frame` for each frame that is complete with this chunk. Throws a {@link ConnectionError}. */
  read(chunk: Uint8Array, frame: (frame: Frame) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    let at = 0;
    if (!this.#begun) {
      const seen = Math.min(bytes.length, PREFACE.length);
      for (let i = 0; i < seen; i++) {
        if (bytes[i] !== PREFACE[i]) throw new ConnectionError(ErrorCode.protocol, "this is not HTTP/2");
      }
      if (seen === PREFACE.length) {
        this.#begun = true;
        at = seen;
      }
    }
    while (this.#begun && bytes.length - at >= HEADER_LENGTH) {
      const length = bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2];
      if (length > this.#maxFrameSize) throw new ConnectionError(ErrorCode.frameSize, `a frame of ${length} bytes`);
      const start = at + HEADER_LENGTH, end = start + length;
      if (end > bytes.length) break;
      frame({
        type: bytes[at + 3],
        flags: bytes[at + 4],
        streamId: readUint32(bytes, at + 5) & 0x7fffffff,
        payload: bytes.subarray(start, end),
      });
      at = end;
    }
    // A copy: the chunk may be large, and its memory is not ours.
    this.#rest = at === bytes.length ? NOTHING : bytes.slice(at);
  }
}

const NOTHING = new Uint8Array();

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
