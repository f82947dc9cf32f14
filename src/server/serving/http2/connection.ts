// An HTTP/2 connection as a server has it (RFC 9113): reads frames, keeps the streams, hands requests over.
// Deno.serve, which would do all this, cannot ask for client certificates, and node:http2 ends the process under load.
import { logInfo } from "../../../logging/mod.ts";
import { sendAnswer } from "./answer.ts";
import { Cancellations } from "./cancellations.ts";
import { FrameReader } from "./frame_reader.ts";
import {
  ConnectionError,
  DEFAULT_FRAME_SIZE,
  DEFAULT_WINDOW,
  ErrorCode,
  Flag,
  type Frame,
  FrameType,
  goAwayFrame,
  MAX_WINDOW,
  pingAck,
  readUint32,
  resetStreamFrame,
  Setting,
  settingsAck,
  settingsFrame,
  StreamError,
  windowUpdateFrame,
} from "./frames.ts";
import { type HeaderBlock, HeaderBlocks, MAX_BLOCK_SIZE } from "./header_blocks.ts";
import { IncomingBody } from "./incoming_body.ts";
import { Outgoing, type Transport } from "./outgoing.ts";
import { IncomingRequest } from "../incoming_request.ts";
import { checkDependency, readSettings, unpadded } from "./payloads.ts";
import type { HeadCollector, RequestHead } from "./request_head.ts";
import { Sender } from "./sender.ts";
import { Http2Stream } from "./stream.ts";

/** Bytes of a request body, and of all on a connection, that are taken before somebody reads them. */
const STREAM_WINDOW = 256 * 1024, CONNECTION_WINDOW = 4 * 1024 * 1024;
/** Answers to pings and the like that wait because the client does not read. */
const MAX_WAITING_FRAMES = 10_000;
/** How long a client may go on with a body that has been answered before its end; milliseconds. */
const LISTENING = 250;
/** How long a client may take nothing of an answer that is complete; milliseconds. */
const STALL_TIMEOUT = 60_000;
/** How long a connection may do without a request, and without coming to one; milliseconds. */
const IDLE_TIMEOUT = 90_000, HEADER_TIMEOUT = 32_000;

export interface Http2Options {
  /** Answers a request. */
  handler: (request: Request) => Response | Promise<Response>;
  /** Requests at the same time. */
  maxConcurrentStreams: number;
  /** Told of what went wrong here, not with the client. */
  onError: (error: unknown) => void;
}

export class Http2Connection {
  readonly #options: Http2Options;
  readonly #outgoing: Outgoing;
  readonly #sender: Sender;
  readonly #reader = new FrameReader(DEFAULT_FRAME_SIZE);
  readonly #blocks = new HeaderBlocks();
  readonly #streams = new Map<number, Http2Stream>();
  readonly #cancellations = new Cancellations();
  #lastStreamId = 0;
  /** The client's SETTINGS_INITIAL_WINDOW_SIZE. */
  #initialWindow = DEFAULT_WINDOW;
  #receiveWindow = CONNECTION_WINDOW;
  #consumed = 0;
  #configured = false;
  /** Handlers at work, those of cancelled streams included. */
  #running = 0;
  #activeAt = performance.now();
  #leaving = false;
  #closed = false;

  constructor(transport: Transport, options: Http2Options) {
    this.#options = options;
    this.#outgoing = new Outgoing(transport, () => this.#sender.pump());
    this.#sender = new Sender(this.#outgoing, (stream) => this.#answered(stream));
    this.#outgoing.add(settingsFrame([
      [Setting.maxConcurrentStreams, options.maxConcurrentStreams],
      [Setting.initialWindowSize, STREAM_WINDOW],
      [Setting.maxHeaderListSize, MAX_BLOCK_SIZE],
    ]));
    this.#outgoing.add(windowUpdateFrame(0, CONNECTION_WINDOW - DEFAULT_WINDOW));
  }

  /** Takes what the client has sent. */
  receive(chunk: Uint8Array): void {
    if (this.#closed) return;
    this.#activeAt = performance.now();
    try {
      this.#reader.read(chunk, (frame) => this.#take(frame));
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.#fail(error);
    }
  }

  /** The transport can take more. */
  drained(): void {
    this.#outgoing.drained();
  }

  /** The client has gone. */
  disconnected(): void {
    this.#closed = true;
    for (const stream of this.#streams.values()) stream.cut(new Error("the client has gone"));
    this.#streams.clear();
  }

  /** Takes requests for that many milliseconds more, answers what it has, then closes. */
  leave(patience: number): void {
    if (this.#leaving || this.#closed) return;
    this.#outgoing.add(goAwayFrame(MAX_WINDOW, ErrorCode.none));
    setTimeout(() => {
      this.#leaving = true;
      if (this.#closed) return;
      this.#outgoing.add(goAwayFrame(this.#lastStreamId, ErrorCode.none));
      this.#closeWhenDone();
    }, patience);
  }

  /** Ends answers that nobody takes, and the connection when it has been idle for too long. To be called now and then. */
  check(now: number): void {
    for (const stream of this.#streams.values()) {
      if (stream.stalled(now) < STALL_TIMEOUT) continue;
      this.#resetStream(stream.id, ErrorCode.cancel, new Error("the client does not take the answer"));
    }
    if (this.#closed || this.#streams.size > 0 && !this.#blocks.open) return;
    const waitsForHead = !this.#configured || this.#blocks.open;
    if (now - this.#activeAt < (waitsForHead ? HEADER_TIMEOUT : IDLE_TIMEOUT)) return;
    if (waitsForHead) return this.#fail(new ConnectionError(ErrorCode.none, "the head of a request did not come"));
    this.leave(0);
  }

  #take(frame: Frame): void {
    if (this.#closed) return;
    if (this.#outgoing.waiting > MAX_WAITING_FRAMES) {
      throw new ConnectionError(ErrorCode.enhanceYourCalm, "frames that want answers, and nobody reads these");
    }
    if (!this.#configured && frame.type !== FrameType.settings) {
      throw new ConnectionError(ErrorCode.protocol, "settings come first");
    }
    if (this.#blocks.open && frame.type !== FrameType.continuation) {
      throw new ConnectionError(ErrorCode.protocol, "a header block was interrupted");
    }
    try {
      this.#dispatch(frame);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.#resetStream(error.streamId, error.code, error);
    }
  }

  #dispatch(frame: Frame): void {
    switch (frame.type) {
      case FrameType.data:
        return this.#onData(frame);
      case FrameType.headers:
        return this.#onBlock(this.#blocks.begin(frame));
      case FrameType.continuation:
        return this.#onBlock(this.#blocks.continue(frame));
      case FrameType.priority:
        return this.#onPriority(frame);
      case FrameType.resetStream:
        return this.#onReset(frame);
      case FrameType.settings:
        return this.#onSettings(frame);
      case FrameType.ping:
        return this.#onPing(frame);
      case FrameType.goAway:
        return onConnection(frame);
      case FrameType.windowUpdate:
        return this.#onWindowUpdate(frame);
      case FrameType.pushPromise:
        throw new ConnectionError(ErrorCode.protocol, "clients do not push");
        // Types that we do not know are to be ignored.
    }
  }

  #onData(frame: Frame): void {
    const { streamId, payload } = frame;
    const stream = this.#openStream(frame);
    this.#receiveWindow -= payload.length;
    if (this.#receiveWindow < 0) throw new ConnectionError(ErrorCode.flowControl, "more than the connection's window");
    if (stream === undefined || stream.remoteClosed) {
      this.#consume(undefined, payload.length);
      if (this.#cancellations.mayBeLate(streamId)) return;
      throw new StreamError(streamId, ErrorCode.streamClosed, "data on a stream that is closed");
    }
    stream.receiveWindow -= payload.length;
    if (stream.receiveWindow < 0) {
      this.#consume(undefined, payload.length);
      throw new StreamError(streamId, ErrorCode.flowControl, "more than the stream's window");
    }
    const data = unpadded(frame);
    this.#consume(stream, payload.length - data.length);
    stream.body!.push(data);
    const { contentLength } = stream;
    if (contentLength !== undefined && stream.body!.received > contentLength) {
      throw new StreamError(streamId, ErrorCode.protocol, "a body that is longer than was said");
    }
    if (frame.flags & Flag.endStream) this.#remoteEnd(stream);
  }

  /** A whole header block: of a request, or behind its body. */
  #onBlock(block: HeaderBlock | undefined): void {
    if (block === undefined) return;
    const { streamId, endStream, head } = block, stream = this.#streams.get(streamId);
    if (stream !== undefined) return this.#onTrailers(stream, endStream, head);
    if (streamId <= this.#lastStreamId) {
      if (this.#cancellations.mayBeLate(streamId)) return;
      throw new ConnectionError(ErrorCode.streamClosed, "headers on a stream that is closed");
    }
    if (streamId % 2 === 0) throw new ConnectionError(ErrorCode.protocol, "clients' streams have odd numbers");
    if (this.#leaving) return;
    this.#lastStreamId = streamId;
    if (this.#streams.size >= this.#options.maxConcurrentStreams) {
      throw new StreamError(streamId, ErrorCode.refusedStream, "too many streams at once");
    }
    const request = head.request();
    if (typeof request === "string") throw new StreamError(streamId, ErrorCode.protocol, request);
    this.#begin(streamId, request, { endStream, tooLarge: head.tooLarge });
  }

  #onTrailers(stream: Http2Stream, endStream: boolean, head: HeadCollector): void {
    if (stream.remoteClosed) throw new StreamError(stream.id, ErrorCode.streamClosed, "headers after the end");
    if (!endStream) throw new StreamError(stream.id, ErrorCode.protocol, "trailers are the end");
    const problem = head.trailers();
    if (problem !== undefined) throw new StreamError(stream.id, ErrorCode.protocol, problem);
    this.#remoteEnd(stream);
  }

  #begin(streamId: number, head: RequestHead, { endStream, tooLarge }: { endStream: boolean; tooLarge: boolean }) {
    if (endStream && head.contentLength) {
      throw new StreamError(streamId, ErrorCode.protocol, "a body was announced, and there is none");
    }
    const stream = new Http2Stream(streamId, { send: this.#initialWindow, receive: STREAM_WINDOW });
    stream.contentLength = head.contentLength;
    stream.remoteClosed = endStream;
    if (!endStream) {
      const expectsContinue = head.headers.get("expect")?.toLowerCase() === "100-continue";
      stream.body = new IncomingBody(
        (bytes) => this.#consume(stream, bytes),
        () => expectsContinue && !stream.localClosed && this.#sender.sendHead(stream, 100, [], false),
      );
    }
    stream.request = new IncomingRequest(head, stream.body);
    this.#streams.set(streamId, stream);
    if (tooLarge) return this.#answer(stream, new Response("431 Request Header Fields Too Large", { status: 431 }));
    this.#handle(stream);
  }

  #handle(stream: Http2Stream): void {
    if (++this.#running > 4 * this.#options.maxConcurrentStreams) {
      throw new ConnectionError(ErrorCode.enhanceYourCalm, "cancelled requests that are still being worked on");
    }
    const answered = (response: Response) => {
      this.#running--;
      try {
        this.#answer(stream, response);
      } catch (error) {
        this.#broke(stream, error);
      }
    };
    const failed = (error: unknown) => {
      this.#running--;
      this.#broke(stream, error);
    };
    let answer: Response | Promise<Response>;
    try {
      // It has what handlers use of a Request.
      answer = this.#options.handler(stream.request as unknown as Request);
    } catch (error) {
      return failed(error);
    }
    if (answer instanceof Promise) answer.then(answered, failed);
    else answered(answer);
  }

  #answer(stream: Http2Stream, response: Response): void {
    if (stream.localClosed) return void response.body?.cancel().catch(() => {});
    sendAnswer(this.#sender, stream, response, (error) => this.#broke(stream, error));
  }

  #broke(stream: Http2Stream, error: unknown): void {
    this.#options.onError(error);
    if (!stream.localClosed) this.#resetStream(stream.id, ErrorCode.internal, error as Error);
  }

  /** The answer has been sent. What the client has not said by now, nobody wants to hear. */
  #answered(stream: Http2Stream): void {
    this.#activeAt = performance.now();
    if (stream.remoteClosed) return this.#remove(stream);
    stream.body!.discard();
    // Clients that are told to stop together with the answer take it for a failure (curl); most end by themselves.
    setTimeout(() => this.#stopListening(stream), LISTENING).unref();
  }

  #stopListening(stream: Http2Stream): void {
    if (this.#closed || stream.closed) return;
    this.#cancellations.byServer(stream.id);
    this.#outgoing.add(resetStreamFrame(stream.id, ErrorCode.none));
    stream.remoteClosed = true;
    this.#remove(stream);
  }

  #remove(stream: Http2Stream): void {
    this.#streams.delete(stream.id);
    if (this.#leaving) this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    if (this.#streams.size === 0) this.#outgoing.end();
  }

  #remoteEnd(stream: Http2Stream): void {
    const { contentLength, body } = stream;
    if (contentLength !== undefined && body!.received !== contentLength) {
      throw new StreamError(stream.id, ErrorCode.protocol, "a body that is shorter than was said");
    }
    stream.remoteClosed = true;
    body!.end();
    if (stream.localClosed) this.#remove(stream);
  }

  #onPriority({ streamId, payload }: Frame): void {
    if (streamId === 0) throw new ConnectionError(ErrorCode.protocol, "a priority without a stream");
    if (payload.length !== 5) throw new StreamError(streamId, ErrorCode.frameSize, "a priority has five bytes");
    checkDependency(streamId, payload);
  }

  #onReset({ streamId, payload }: Frame): void {
    if (payload.length !== 4) throw new ConnectionError(ErrorCode.frameSize, "a reset has four bytes");
    if (streamId === 0 || streamId > this.#lastStreamId) {
      throw new ConnectionError(ErrorCode.protocol, "a reset of a stream that never was");
    }
    if (!this.#cancellations.byClient(streamId, performance.now())) {
      throw new ConnectionError(ErrorCode.enhanceYourCalm, "too many requests cancelled");
    }
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    stream.cut(new Error("the client cancelled the request"));
    this.#remove(stream);
  }

  #onSettings(frame: Frame): void {
    onConnection(frame);
    this.#configured = true;
    const { flags, payload } = frame;
    if (flags & Flag.ack) {
      if (payload.length > 0) throw new ConnectionError(ErrorCode.frameSize, "an acknowledgement says nothing");
      return;
    }
    const { headerTableSize, initialWindowSize, maxFrameSize } = readSettings(payload);
    if (headerTableSize !== undefined) this.#sender.setHeaderTableSize(headerTableSize);
    if (maxFrameSize !== undefined) this.#sender.setMaxFrameSize(maxFrameSize);
    if (initialWindowSize !== undefined) this.#setInitialWindow(initialWindowSize);
    this.#outgoing.add(settingsAck());
  }

  #setInitialWindow(value: number): void {
    const change = value - this.#initialWindow;
    if (change === 0) return;
    this.#initialWindow = value;
    for (const stream of this.#streams.values()) {
      stream.sendWindow += change;
      if (stream.sendWindow > MAX_WINDOW) throw new ConnectionError(ErrorCode.flowControl, "a window beyond 2^31-1");
    }
    this.#sender.widened(this.#streams.values());
  }

  #onPing(frame: Frame): void {
    onConnection(frame);
    if (frame.payload.length !== 8) throw new ConnectionError(ErrorCode.frameSize, "a ping has eight bytes");
    if ((frame.flags & Flag.ack) === 0) this.#outgoing.add(pingAck(frame.payload));
  }

  #onWindowUpdate(frame: Frame): void {
    const { streamId, payload } = frame;
    if (payload.length !== 4) throw new ConnectionError(ErrorCode.frameSize, "a window update has four bytes");
    const increment = readUint32(payload, 0) & 0x7fffffff;
    if (streamId === 0) {
      if (increment === 0) throw new ConnectionError(ErrorCode.protocol, "a window update of nothing");
      return this.#sender.widen(increment);
    }
    const stream = this.#openStream(frame);
    if (increment === 0) throw new StreamError(streamId, ErrorCode.protocol, "a window update of nothing");
    if (stream === undefined) return;
    stream.sendWindow += increment;
    if (stream.sendWindow > MAX_WINDOW) {
      throw new StreamError(streamId, ErrorCode.flowControl, "a window beyond 2^31-1");
    }
    this.#sender.widened([stream]);
  }

  /** The frame's stream; undefined when it is closed. Throws when it never was. */
  #openStream({ streamId }: Frame): Http2Stream | undefined {
    if (streamId === 0 || streamId > this.#lastStreamId) {
      throw new ConnectionError(ErrorCode.protocol, "a frame of a stream that never was");
    }
    return this.#streams.get(streamId);
  }

  /** Bytes of a body were taken: once it is worth a frame, the client gets room for as many more. */
  #consume(stream: Http2Stream | undefined, bytes: number): void {
    this.#consumed += bytes;
    if (this.#consumed > CONNECTION_WINDOW / 2) {
      this.#outgoing.add(windowUpdateFrame(0, this.#consumed));
      this.#receiveWindow += this.#consumed;
      this.#consumed = 0;
    }
    if (stream === undefined) return;
    stream.consumed += bytes;
    if (stream.consumed <= STREAM_WINDOW / 2 || stream.remoteClosed || stream.localClosed) return;
    this.#outgoing.add(windowUpdateFrame(stream.id, stream.consumed));
    stream.receiveWindow += stream.consumed;
    stream.consumed = 0;
  }

  #resetStream(streamId: number, code: ErrorCode, error: Error): void {
    const stream = this.#streams.get(streamId);
    stream?.cut(error);
    stream?.body?.discard();
    this.#cancellations.byServer(streamId);
    this.#outgoing.add(resetStreamFrame(streamId, code));
    if (stream !== undefined) this.#remove(stream);
  }

  #fail({ code, message }: ConnectionError): void {
    logInfo("Closing an HTTP/2 connection", { code, err: message }, 2);
    this.#outgoing.add(goAwayFrame(this.#lastStreamId, code));
    this.#outgoing.end();
    this.disconnected();
  }
}

function onConnection({ streamId }: Frame): void {
  if (streamId !== 0) throw new ConnectionError(ErrorCode.protocol, "a frame that is of no stream");
}
