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
}

/** Events are encoded when the client is ready for more; a slow client makes the watcher's own buffer fill up. */
export function createEventStream(
  watcher: Watcher,
  encoder: WatchEncoder,
  options: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const batches = watcher[Symbol.asyncIterator]();
  let ended = false;
  let stream: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

  function end(): void {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    options.signal.removeEventListener("abort", close);
    watcher.stop();
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
        const { value, done } = await batches.next();
        if (ended) return;
        if (done) return close();
        const bytes = await encodeBatch(value, encoder);
        if (ended) return;
        options.onEvents(value.length);
        stream.enqueue(bytes);
      } catch (error) {
        logError("watch ended: an event could not be sent", error);
        close();
      }
    },
    cancel: end,
  });
}

async function encodeBatch(
  events: readonly WatchEvent[],
  encoder: WatchEncoder,
): Promise<Uint8Array<ArrayBuffer>> {
  if (events.length === 1) return await encoder.encode(events[0]);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (const event of events) {
    const encoded = encoder.encode(event);
    const chunk = encoded instanceof Promise ? await encoded : encoded;
    chunks.push(chunk);
    length += chunk.length;
  }
  return concatBytes(chunks, length);
}
