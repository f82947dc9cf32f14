// The buffer between what happens and one reader of a watch.
import type { Watcher, WatchEvent } from "./interface.ts";

/** A reader that is this many events behind is ended. */
const MAX_BEHIND = 10_000;
/** Events handed over at once, so that a long initial list is not encoded in one piece. */
const MAX_BATCH = 500;

type Next = IteratorResult<readonly WatchEvent[], undefined>;

/** A bounded queue of events, read in batches. */
export class EventQueue implements Watcher {
  #buffer: WatchEvent[] = [];
  /** Events that have to wait until {@link release}. */
  #held: WatchEvent[] | undefined;
  #read = 0;
  #ended = false;
  #waiting: ((next: Next) => void) | undefined;
  readonly #onStop: () => void;
  readonly #signal: AbortSignal;
  readonly #abort = () => this.stop();

  /** @param onStop called once, however the queue ends */
  constructor(signal: AbortSignal, onStop: () => void) {
    this.#signal = signal;
    this.#onStop = onStop;
    if (signal.aborted) this.#ended = true;
    else signal.addEventListener("abort", this.#abort);
  }

  get ended(): boolean {
    return this.#ended;
  }

  push(event: WatchEvent): void {
    if (this.#ended) return;
    const buffer = this.#held ?? this.#buffer;
    if (buffer.length - (this.#held ? 0 : this.#read) >= MAX_BEHIND) return this.stop();
    buffer.push(event);
    if (this.#waiting !== undefined && this.#held === undefined) this.#wake();
  }

  /** Adds events that the reader asked for itself, however many. */
  pushInitial(events: readonly WatchEvent[]): void {
    if (this.#ended || events.length === 0) return;
    this.#buffer = this.#buffer.length === 0 ? events.slice() : this.#buffer.concat(events);
    if (this.#waiting !== undefined) this.#wake();
  }

  /** From here on `push` only gathers, so that `pushInitial` can put older events in front. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.pushInitial(held);
  }

  /** The last event, and then the end. */
  fail(error: Error): void {
    if (this.#ended) return;
    this.#held = undefined;
    this.#buffer.push({ type: "ERROR", error });
    this.#finish();
  }

  /** The end behind what was pushed. */
  finish(): void {
    if (this.#ended) return;
    if (this.#held !== undefined) this.release();
    this.#finish();
  }

  stop(): void {
    if (this.#ended) return;
    this.#buffer = [];
    this.#held = undefined;
    this.#read = 0;
    this.#finish();
  }

  [Symbol.asyncIterator](): AsyncIterator<readonly WatchEvent[], undefined> {
    return {
      next: () => {
        if (this.#buffer.length > 0 || this.#ended) return Promise.resolve(this.#next());
        return new Promise((resolve) => this.#waiting = resolve);
      },
      return: () => {
        this.stop();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #finish(): void {
    this.#ended = true;
    this.#signal.removeEventListener("abort", this.#abort);
    if (this.#waiting !== undefined) this.#wake();
    this.#onStop();
  }

  /** Gives the reader what is there at the end of this turn: a burst of pushes is one batch. */
  #wake(): void {
    const resolve = this.#waiting!;
    this.#waiting = undefined;
    queueMicrotask(() => resolve(this.#next()));
  }

  #next(): Next {
    const buffer = this.#buffer, left = buffer.length - this.#read;
    if (left === 0) return { done: true, value: undefined };
    if (this.#read === 0 && left <= MAX_BATCH) {
      this.#buffer = [];
      return { done: false, value: buffer };
    }
    const value = buffer.slice(this.#read, this.#read + MAX_BATCH);
    this.#read += value.length;
    if (this.#read === buffer.length) {
      this.#buffer = [];
      this.#read = 0;
    }
    return { done: false, value };
  }
}
