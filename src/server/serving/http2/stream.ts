// One stream of a connection: a request and its answer (RFC 9113, section 5.1).
import type { IncomingBody } from "./incoming_body.ts";
import { IncomingRequest } from "../incoming_request.ts";

export class Http2Stream {
  /** Bytes that the client takes on this stream. */
  sendWindow: number;
  /** Bytes that the client may still send. */
  receiveWindow: number;
  /** Bytes that were taken since the client was last given room. */
  consumed = 0;
  request: IncomingRequest | undefined;
  body: IncomingBody | undefined;
  /** What the client said it would send. */
  contentLength: number | undefined;
  /** The client has said all. */
  remoteClosed = false;
  /** The server has. */
  localClosed = false;
  /** What is to be sent when there is room. */
  #pending: Uint8Array | undefined;
  #sent: (() => void) | undefined;
  #ending = false;
  /** When bytes were last given or taken; milliseconds of performance.now(). */
  #movedAt = 0;
  /** Whether it stands in the connection's queue of those that can send. */
  queued = false;
  #closed: (() => void) | undefined;

  constructor(readonly id: number, windows: { send: number; receive: number }) {
    this.sendWindow = windows.send;
    this.receiveWindow = windows.receive;
  }

  get closed(): boolean {
    return this.remoteClosed && this.localClosed;
  }

  /** Whether there is something to send, if only that there is no more. */
  get hasPending(): boolean {
    return this.#pending !== undefined || (this.#ending && !this.localClosed);
  }

  /** Whether there are bytes to send. */
  get needsRoom(): boolean {
    return this.#pending !== undefined && this.#pending.length > 0;
  }

  /** Whether something can be sent now as far as this stream goes. */
  get canSend(): boolean {
    return this.needsRoom ? this.sendWindow > 0 : this.hasPending;
  }

  /** Bytes to send next; the last ones of the answer where `end` says so. */
  put(bytes: Uint8Array, end: boolean, sent?: () => void): void {
    this.#pending = bytes;
    this.#ending = end;
    this.#sent = sent;
    this.#movedAt = performance.now();
  }

  /** How long the client has taken nothing of an answer that is complete, and kept in memory for it; milliseconds. */
  stalled(now: number): number {
    return this.#ending && this.#pending !== undefined ? now - this.#movedAt : 0;
  }

  /** Takes up to so many bytes of what is to be sent. */
  take(limit: number): { bytes: Uint8Array; end: boolean } {
    const pending = this.#pending ?? NOTHING;
    if (limit > 0) this.#movedAt = performance.now();
    if (pending.length > limit) {
      this.#pending = pending.subarray(limit);
      return { bytes: pending.subarray(0, limit), end: false };
    }
    this.#pending = undefined;
    const sent = this.#sent;
    this.#sent = undefined;
    if (this.#ending) this.localClosed = true;
    sent?.();
    return { bytes: pending, end: this.#ending };
  }

  /** Calls `closed` when the stream ends before its answer has been sent. */
  onCut(closed: (() => void) | undefined): void {
    this.#closed = closed;
  }

  /** Ends both sides at once. */
  cut(error: Error): void {
    this.remoteClosed = this.localClosed = true;
    this.#pending = undefined;
    const sent = this.#sent;
    this.#sent = undefined;
    this.body?.fail(error);
    if (this.request !== undefined) IncomingRequest.abort(this.request);
    this.#closed?.();
    sent?.();
  }
}

const NOTHING = new Uint8Array();
