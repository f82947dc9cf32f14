// The sending half of a connection: header blocks in order, bodies within the windows that the client has given, in
// turns so that a large answer holds up no other.
import {
  ConnectionError,
  DEFAULT_FRAME_SIZE,
  DEFAULT_WINDOW,
  ErrorCode,
  Flag,
  FrameType,
  HEADER_LENGTH,
  MAX_WINDOW,
  writeFrameHeader,
} from "./frames.ts";
import { HpackEncoder } from "./hpack/encoder.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Http2Stream } from "./stream.ts";

/** Bytes of one stream before it is the next one's turn. */
const TURN = 64 * 1024;
/** Characters of an answer that is written without a detour. */
const SMALL = 16 * 1024;

const utf8 = new TextEncoder();
/** Where small answers are put together: at most three bytes for each character, and the header block before them. */
const scratch = new Uint8Array(SMALL * 3 + 16 * 1024);

export type HeaderList = Iterable<readonly [name: string, value: string]>;

export class Sender {
  readonly #outgoing: Outgoing;
  readonly #encoder = new HpackEncoder();
  /** Bytes that the client takes on all streams together. */
  #window = DEFAULT_WINDOW;
  #maxFrameSize = DEFAULT_FRAME_SIZE;
  readonly #queue: Http2Stream[] = [];
  readonly #done: (stream: Http2Stream) => void;

  /** @param done told of each stream whose answer has been sent to its end */
  constructor(outgoing: Outgoing, done: (stream: Http2Stream) => void) {
    this.#outgoing = outgoing;
    this.#done = done;
  }

  setMaxFrameSize(size: number): void {
    this.#maxFrameSize = size;
  }

  setHeaderTableSize(size: number): void {
    this.#encoder.setMaxTableSize(size);
  }

  /** The client takes more on the whole connection. Throws a {@link ConnectionError}. */
  widen(increment: number): void {
    this.#window += increment;
    if (this.#window > MAX_WINDOW) throw new ConnectionError(ErrorCode.flowControl, "a window beyond 2^31-1");
    this.pump();
  }

  /** Sends the head of an answer, with its end when there is no body. */
  sendHead(stream: Http2Stream, status: number, headers: HeaderList, end: boolean): void {
    this.#sendBlock(stream, this.#encoder.encode(status, headers), end);
  }

  #sendBlock(stream: Http2Stream, block: Uint8Array, end: boolean): void {
    const room = this.#maxFrameSize, frames = Math.max(1, Math.ceil(block.length / room));
    const bytes = this.#outgoing.reserve(block.length + frames * HEADER_LENGTH);
    for (let i = 0, at = 0; i < frames; i++) {
      const piece = block.subarray(i * room, (i + 1) * room);
      const flags = (end && i === 0 ? Flag.endStream : 0) | (i === frames - 1 ? Flag.endHeaders : 0);
      const type = i === 0 ? FrameType.headers : FrameType.continuation;
      writeFrameHeader(bytes, at, { length: piece.length, type, flags, streamId: stream.id });
      bytes.set(piece, at + HEADER_LENGTH);
      at += HEADER_LENGTH + piece.length;
    }
    if (end) this.#finish(stream);
  }

  /** Sends a whole answer. `headers` gets the length of its body. */
  sendWhole(stream: Http2Stream, status: number, headers: (length: number) => HeaderList, body: string | Uint8Array) {
    const isSmall = typeof body === "string" && body.length <= SMALL;
    if (!isSmall || stream.queued) {
      const bytes = typeof body === "string" ? utf8.encode(body) : body;
      this.sendHead(stream, status, headers(bytes.length), false);
      return this.sendBody(stream, bytes, true);
    }
    // The body first: how long it is says how long the header block in front of it is.
    const length = utf8.encodeInto(body, scratch).written;
    if (length > Math.min(this.#maxFrameSize, this.#window, stream.sendWindow) || !this.#outgoing.open) {
      this.sendHead(stream, status, headers(length), false);
      return this.sendBody(stream, scratch.slice(0, length), true);
    }
    const block = this.#encoder.encode(status, headers(length));
    // What was encoded has to be sent: the client's table is to stay the same as ours.
    if (block.length > this.#maxFrameSize) {
      this.#sendBlock(stream, block, false);
      return this.sendBody(stream, scratch.slice(0, length), true);
    }
    const bytes = this.#outgoing.reserve(HEADER_LENGTH + block.length + HEADER_LENGTH + length);
    writeFrameHeader(bytes, 0, {
      length: block.length,
      type: FrameType.headers,
      flags: Flag.endHeaders,
      streamId: stream.id,
    });
    bytes.set(block, HEADER_LENGTH);
    const at = HEADER_LENGTH + block.length;
    writeFrameHeader(bytes, at, { length, type: FrameType.data, flags: Flag.endStream, streamId: stream.id });
    bytes.set(scratch.subarray(0, length), at + HEADER_LENGTH);
    this.#window -= length;
    stream.sendWindow -= length;
    this.#finish(stream);
  }

  /** Sends a piece of a body as soon as there is room; `sent` is called when it is on its way, or never will be. */
  sendBody(stream: Http2Stream, bytes: Uint8Array, end: boolean, sent?: () => void): void {
    stream.put(bytes, end, sent);
    this.#enqueue(stream);
    this.pump();
  }

  /** The own windows of these streams have grown. */
  widened(streams: Iterable<Http2Stream>): void {
    for (const stream of streams) this.#enqueue(stream);
    this.pump();
  }

  #enqueue(stream: Http2Stream): void {
    if (stream.queued || !stream.hasPending) return;
    stream.queued = true;
    this.#queue.push(stream);
  }

  /** Sends what can be sent. */
  pump(): void {
    // A stream that has nothing left to say may wait for the connection's window no longer than it has to.
    let refused = 0;
    while (this.#outgoing.open && refused < this.#queue.length) {
      const stream = this.#queue.shift()!;
      if (stream.localClosed || !stream.canSend) {
        stream.queued = false;
        continue;
      }
      const room = Math.max(0, Math.min(TURN, this.#window, stream.sendWindow));
      if (room === 0 && stream.needsRoom) {
        this.#queue.push(stream);
        refused++;
        continue;
      }
      const { bytes, end } = stream.take(room);
      if (bytes.length > 0 || end) this.#sendData(stream, bytes, end);
      if (bytes.length > 0) refused = 0;
      else refused++;
      stream.queued = false;
      if (stream.localClosed) this.#finish(stream);
      else this.#enqueue(stream);
    }
  }

  #sendData(stream: Http2Stream, data: Uint8Array, end: boolean): void {
    const room = this.#maxFrameSize, frames = Math.max(1, Math.ceil(data.length / room));
    const bytes = this.#outgoing.reserve(data.length + frames * HEADER_LENGTH);
    for (let i = 0, at = 0; i < frames; i++) {
      const piece = data.subarray(i * room, (i + 1) * room);
      const flags = end && i === frames - 1 ? Flag.endStream : 0;
      writeFrameHeader(bytes, at, { length: piece.length, type: FrameType.data, flags, streamId: stream.id });
      bytes.set(piece, at + HEADER_LENGTH);
      at += HEADER_LENGTH + piece.length;
    }
    this.#window -= data.length;
    stream.sendWindow -= data.length;
  }

  #finish(stream: Http2Stream): void {
    stream.localClosed = true;
    this.#done(stream);
  }
}
