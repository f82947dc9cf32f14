// The body of a watch: batches of events as one write each, until the time is up or one of the sides ends it.
import { concatBytes } from "../machinery/bytes.ts";
import { logError } from "../logging/mod.ts";
import type { Watcher, WatchEvent } from "../storage/interface.ts";
import type { WatchEncoder } from "./watch_encoder.ts";

export interface EventStreamOptions {
  /** Milliseconds until the stream ends by itself, as many as a timer can hold. */
  timeout: number;
  /** Ends the stream: the server stops, or the client has gone. */
  signal: AbortSignal;
  /** Called for each batch with the number of its events. */
  onEvents(count: number): void;
  /** Called once, when there will be no more. */
  onEnd(): void;
}

/** Bytes after which a write ends: a watch that replays a long history must not put all of it into memory at once. */
const WRITE_SIZE = 64 * 1024;

/** Events are encoded when the client is ready for more; a slow client makes the watcher's own buffer fill up. */
export function createEventStream(
  watcher: Watcher,
  encoder: WatchEncoder,
  options: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const batches = watcher[Symbol.asyncIterator]();
  let ended = false;
  /** What the watcher has handed over, and how much of it has been sent. */
  let batch: readonly WatchEvent[] = [], sent = 0;
  let stream: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

  function end(): void {
    if (ended) return;
    ended = true;
    batch = [];
    clearTimeout(timer);
    options.signal.removeEventListener("abort", close);
    watcher.stop();
    options.onEnd();
  }

  function close(): void {
    if (ended) return;
    end();
    stream.close();
  }

  const timer = setTimeout(close, options.timeout);
  options.signal.addEventListener("abort", close);
  return new ReadableStream({
    start(controller) {
      stream = controller;
      if (options.signal.aborted) close();
    },
    async pull() {
      try {
        if (sent === batch.length) {
          const { value, done } = await batches.next();
          if (ended) return;
          if (done) return close();
          batch = value;
          sent = 0;
        }
        const { bytes, count } = await encodeSome(batch, sent, encoder);
        if (ended) return;
        sent += count;
        options.onEvents(count);
        stream.enqueue(bytes);
      } catch (error) {
        logError("watch ended: an event could not be sent", error);
        close();
      }
    },
    cancel: end,
  });
}

/** Events from `start` on, as many as make a write. */
async function encodeSome(
  events: readonly WatchEvent[],
  start: number,
  encoder: WatchEncoder,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; count: number }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0, at = start;
  while (at < events.length && length < WRITE_SIZE) {
    const encoded = encoder.encode(events[at++]);
    const chunk = encoded instanceof Promise ? await encoded : encoded;
    chunks.push(chunk);
    length += chunk.length;
  }
  return { bytes: chunks.length === 1 ? chunks[0] : concatBytes(chunks, length), count: at - start };
}
