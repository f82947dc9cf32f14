// The writer: an engine that takes its work as messages. Between messages it expires keys and keeps the file in shape.
import { Engine } from "./engine.ts";
import { faultOf, messageOf, openError, writeMessage } from "./errors.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./messages.ts";

/** The name of the worker that the writer runs in. */
export const WRITER_NAME = "kubelith-writer";

/** Milliseconds from a write to the upkeep behind it, so that a burst of writes is not held up. */
const UPKEEP_DELAY = 5;
/** Milliseconds between steps of upkeep while clients write: it takes a share of the disk and never all of it. */
const STEP_DELAY = 2;
/** Milliseconds until failed upkeep is tried again; doubles up to the longest. */
const RETRY_DELAY = 1000, LONGEST_RETRY_DELAY = 60_000;
const MAX_TIMER = 2 ** 31 - 1;

/** Runs the writer in the thread of a worker. */
export function runWriter(): void {
  const port = self as unknown as {
    onmessage: ((event: MessageEvent<ToWriter>) => void) | null;
    postMessage(message: FromWriter): void;
  };
  const writer = new Writer((message) => port.postMessage(message));
  port.onmessage = ({ data }) => writer.handle(data);
}

/** Handles one message after the other and answers through `post`. */
export class Writer {
  #engine: Engine | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #compaction: ReturnType<typeof setInterval> | undefined;
  #wakeAt = Infinity;
  #retryDelay = RETRY_DELAY;
  /** Whether clients have written since the last step of upkeep. */
  #busy = false;
  #logged = 0;
  #flushed = 0;
  #compacted = 0;

  constructor(private readonly post: (message: FromWriter) => void) {}

  /** Database in memory only: the connection that readers share. */
  get engine(): Engine | undefined {
    return this.#engine;
  }

  handle(message: ToWriter): void {
    switch (message.type) {
      case "open":
        return this.#open(message.options);
      case "write":
        return this.#write(message);
      case "compact":
        this.#engine!.maintenance.compact(message.revision);
        this.#wake(0);
        return this.post({ type: "done", id: message.id });
      case "close":
        return this.#close(message.id);
    }
  }

  #open(options: WriterOptions): void {
    let engine: Engine;
    try {
      engine = this.#engine = new Engine(options.path, options.checkpointPages);
      this.#flushed = engine.maintenance.flushed;
      this.#compacted = engine.maintenance.compacted;
      this.post({ type: "opened", opened: engine.opened() });
      for (const message of engine.problems) this.post({ type: "trouble", message });
    } catch (error) {
      return this.post({ type: "openFailed", message: openError(error, options.path).message });
    }
    if (options.compactionInterval > 0) {
      let last = engine.maintenance.compacted;
      this.#compaction = setInterval(() => {
        engine.maintenance.compact(last);
        last = engine.revision;
        this.#wake(0);
      }, options.compactionInterval);
    }
    this.#wake(0);
  }

  #write({ id, batch }: Extract<ToWriter, { type: "write" }>): void {
    const start = performance.now();
    try {
      const result = this.#engine!.apply(batch);
      this.post({ type: "written", id, result, seconds: (performance.now() - start) / 1000 });
    } catch (error) {
      this.post({ type: "failed", id, message: writeMessage(faultOf(error), messageOf(error)) });
    }
    this.#busy = true;
    this.#wake(UPKEEP_DELAY);
  }

  /** Makes sure that {@link #upkeep} runs within so many milliseconds. */
  #wake(delay: number): void {
    const at = performance.now() + delay;
    if (at >= this.#wakeAt) return;
    clearTimeout(this.#timer);
    this.#wakeAt = at;
    this.#timer = setTimeout(() => this.#upkeep(), Math.min(delay, MAX_TIMER));
  }

  #upkeep(): void {
    const engine = this.#engine!;
    this.#wakeAt = Infinity;
    try {
      const expired = engine.expire(Date.now());
      if (expired !== undefined) this.post({ type: "expired", expired });
      engine.settle(performance.now());
      const more = engine.maintenance.step() || expired !== undefined;
      this.#retryDelay = RETRY_DELAY;
      this.#report(engine);
      this.#wake(more ? (this.#busy ? STEP_DELAY : 0) : untilNext(engine));
      this.#busy = false;
    } catch (error) {
      this.post({ type: "trouble", message: messageOf(error) });
      this.#wake(this.#retryDelay);
      this.#retryDelay = Math.min(2 * this.#retryDelay, LONGEST_RETRY_DELAY);
    }
  }

  #report(engine: Engine): void {
    const { flushed, compacted } = engine.maintenance;
    if (engine.logged !== this.#logged) this.post({ type: "logged", revision: this.#logged = engine.logged });
    if (flushed !== this.#flushed) this.post({ type: "flushed", revision: this.#flushed = flushed });
    if (compacted !== this.#compacted) this.post({ type: "compacted", revision: this.#compacted = compacted });
  }

  #close(id: number): void {
    clearTimeout(this.#timer);
    clearInterval(this.#compaction);
    try {
      this.#engine?.close();
      this.post({ type: "done", id });
    } catch (error) {
      this.post({ type: "failed", id, message: messageOf(error) });
    }
  }
}

/** Milliseconds until there is something to do at a certain time. */
function untilNext(engine: Engine): number {
  const expiry = engine.nextExpiry(Date.now()) - Date.now(), settling = engine.settleAt - performance.now();
  return Math.max(Math.min(expiry, settling), 1);
}
