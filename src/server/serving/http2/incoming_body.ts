// The body of a request while it comes in. What nobody has asked for waits here; the window that the client has been
// given bounds it.
import { ByteQueue } from "./byte_queue.ts";

export class IncomingBody {
  readonly #waiting = new ByteQueue();
  #received = 0;
  #ended = false;
  #error: Error | undefined;
  #used: "whole" | "in pieces" | "discarded" | undefined;
  /** Wakes up who waits for news. */
  #news: (() => void) | undefined;
  readonly #consumed: (bytes: number) => void;
  readonly #wanted: () => void;

  /**
   * @param consumed told of bytes that make room for as many more
   * @param wanted told when somebody begins to read a body that has not ended
   */
  constructor(consumed: (bytes: number) => void, wanted: () => void) {
    this.#consumed = consumed;
    this.#wanted = wanted;
  }

  /** Bytes so far. */
  get received(): number {
    return this.#received;
  }

  get used(): boolean {
    return this.#used !== undefined;
  }

  /** @param chunk bytes that are somebody else's later on */
  push(chunk: Uint8Array): void {
    // Empty frames are free to send: nothing may be kept or done for them.
    if (chunk.length === 0) return;
    this.#received += chunk.length;
    if (this.#used !== "discarded" && this.#error === undefined) this.#waiting.push(chunk);
    if (this.#used === "whole" || this.#used === "discarded") this.#consumed(chunk.length);
    this.#news?.();
  }

  end(): void {
    this.#ended = true;
    this.#news?.();
  }

  /** It will not come to its end. */
  fail(error: Error): void {
    if (this.#ended) return;
    this.#error ??= error;
    this.#news?.();
  }

  /** Nobody wants what is still to come. */
  discard(): void {
    if (this.#used !== "whole") this.#consumed(this.#waiting.length);
    this.#used = "discarded";
    this.#waiting.clear();
  }

  /** All of it. Rejects with what {@link fail} was called with. */
  collect(): Promise<Uint8Array<ArrayBuffer>> {
    this.#use("whole");
    this.#consumed(this.#waiting.length);
    return new Promise((resolve, reject) => {
      this.#news = () => {
        if (this.#error !== undefined) return reject(this.#error);
        if (!this.#ended) return;
        resolve(this.#waiting.take() ?? new Uint8Array());
      };
      this.#news();
    });
  }

  /** Piece by piece. The client gets room for more as they are taken. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#use("in pieces");
    return new ReadableStream({
      pull: async (controller) => {
        while (this.#waiting.length === 0 && !this.#ended && this.#error === undefined) {
          await new Promise<void>((resolve) => this.#news = resolve);
        }
        const chunk = this.#waiting.take();
        if (this.#error !== undefined) return controller.error(this.#error);
        if (chunk === undefined) return controller.close();
        this.#consumed(chunk.length);
        controller.enqueue(chunk);
      },
      cancel: () => this.discard(),
    }, { highWaterMark: 0 });
  }

  #use(how: "whole" | "in pieces"): void {
    if (this.#used !== undefined) throw new TypeError("Body already consumed.");
    this.#used = how;
    if (!this.#ended) this.#wanted();
  }
}
