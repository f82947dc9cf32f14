// For tests: a client of one connection, as much of it as they need.
import { Http2Connection, type Http2Options } from "./connection.ts";
import { FrameReader } from "./frame_reader.ts";
import {
  DEFAULT_FRAME_SIZE,
  Flag,
  FrameType,
  HEADER_LENGTH,
  PREFACE,
  readUint32,
  settingsFrame,
  writeFrameHeader,
} from "./frames.ts";
import { HpackDecoder } from "./hpack/decoder.ts";
import { HpackEncoder } from "./hpack/encoder.ts";

export interface Received {
  type: number;
  flags: number;
  streamId: number;
  payload: Uint8Array;
}

export class TestClient {
  readonly connection: Http2Connection;
  readonly received: Received[] = [];
  /** Whether the server has ended the connection. */
  ended = false;
  /** What the transport says to writes. */
  open = true;
  readonly #encoder = new HpackEncoder();
  readonly #decoder = new HpackDecoder(4096);
  #block: number[] = [];
  readonly #heads = new Map<number, Record<string, string>>();
  readonly #reader = new FrameReader(DEFAULT_FRAME_SIZE);

  constructor(options: Partial<Http2Options> & Pick<Http2Options, "handler">, settings: [number, number][] = []) {
    // The server sends no preface, so its reader is given one.
    this.#reader.read(PREFACE, () => {});
    this.connection = new Http2Connection({
      write: (bytes) => {
        this.#reader.read(bytes, (frame) => this.#take({ ...frame, payload: frame.payload.slice() }));
        return this.open;
      },
      end: () => void (this.ended = true),
    }, { maxConcurrentStreams: 100, onError: (error) => console.error(error), ...options });
    this.connection.receive(PREFACE);
    this.connection.receive(settingsFrame(settings));
  }

  /** Header blocks have to be read in the order in which they come. */
  #take(frame: Received): void {
    this.received.push(frame);
    if (frame.type !== FrameType.headers && frame.type !== FrameType.continuation) return;
    this.#block = [...this.#block, ...frame.payload];
    if ((frame.flags & Flag.endHeaders) === 0) return;
    const fields: Record<string, string> = {};
    this.#decoder.decode(new Uint8Array(this.#block), ({ name, value }) => fields[name] = value);
    this.#block = [];
    this.#heads.set(frame.streamId, fields);
  }

  send(type: number, flags: number, streamId: number, payload: Uint8Array = new Uint8Array()): void {
    const frame = new Uint8Array(HEADER_LENGTH + payload.length);
    writeFrameHeader(frame, 0, { length: payload.length, type, flags, streamId });
    frame.set(payload, HEADER_LENGTH);
    this.connection.receive(frame);
  }

  /** Sends the head of a request. Fields may be changed, and left out with an empty value. */
  request(streamId: number, fields: Record<string, string> = {}, flags: number = Flag.endStream): void {
    const all = { ":method": "GET", ":scheme": "https", ":path": "/", ":authority": "test", ...fields };
    this.send(FrameType.headers, flags | Flag.endHeaders, streamId, this.block(all));
  }

  block(fields: Record<string, string>): Uint8Array {
    // An encoder for answers begins with their status, which is one byte here.
    return this.#encoder.encode(200, Object.entries(fields).filter(([, value]) => value !== "")).slice(1);
  }

  /** Waits until a frame has come that the condition holds for. */
  async until(condition: (frame: Received) => boolean): Promise<Received> {
    for (let i = 0; i < 1000; i++) {
      const found = this.received.find(condition);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error("no such frame came");
  }

  /** The status, headers and body of an answer that came to its end. */
  async answer(streamId: number): Promise<{ fields: Record<string, string>; body: string }> {
    const isLast = (frame: Received) =>
      frame.streamId === streamId && frame.type <= FrameType.headers && (frame.flags & Flag.endStream) !== 0;
    await this.until(isLast);
    return { fields: this.#heads.get(streamId)!, body: new TextDecoder().decode(this.data(streamId)) };
  }

  /** What has come of a body. */
  data(streamId: number): Uint8Array {
    const pieces = this.received.filter((f) => f.streamId === streamId && f.type === FrameType.data);
    return new Uint8Array(pieces.flatMap((f) => [...f.payload]));
  }

  /** The code of a RST_STREAM or, for stream 0, of a GOAWAY. */
  async errorCode(streamId: number): Promise<number> {
    const type = streamId === 0 ? FrameType.goAway : FrameType.resetStream;
    const { payload } = await this.until((frame) => frame.type === type && frame.streamId === streamId);
    return readUint32(payload, streamId === 0 ? 4 : 0);
  }
}
