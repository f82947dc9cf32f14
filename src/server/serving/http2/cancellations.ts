// Streams that ended before their time: those that clients cancel are counted, those that the server ended are remembered.

/** Streams that a client may cancel at once, and one more each so many milliseconds (CVE-2023-44487). */
const BURST = 1_000, INTERVAL = 30;
/** Streams the server ended by itself, whose last frames may still be on their way. */
const REMEMBERED = 100;

export class Cancellations {
  #credit = BURST;
  #creditedAt = performance.now();
  readonly #ours = new Set<number>();

  /** A client has cancelled a stream; false: too often. */
  byClient(streamId: number, now: number): boolean {
    // Whatever comes after this was not on its way when the server ended the stream.
    this.#ours.delete(streamId);
    this.#credit = Math.min(BURST, this.#credit + (now - this.#creditedAt) / INTERVAL) - 1;
    this.#creditedAt = now;
    return this.#credit >= 0;
  }

  byServer(streamId: number): void {
    this.#ours.add(streamId);
    if (this.#ours.size > REMEMBERED) this.#ours.delete(this.#ours.values().next().value!);
  }

  /** Whether frames of a closed stream may be late ones, which are to be ignored. */
  mayBeLate(streamId: number): boolean {
    return this.#ours.has(streamId);
  }
}
