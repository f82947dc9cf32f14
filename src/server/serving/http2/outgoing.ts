// Everything that one connection sends, in order: frames are put together until the end of the turn and written at once,
// for each write costs as much as a small answer.
import { setImmediate } from "node:timers";

/** The bytes' way out. */
export interface Transport {
  /** False when it has enough for now; {@link Outgoing.drained} is called when it can take more. */
  write(bytes: Uint8Array): boolean;
  /** No more will come; the connection closes when all is out. */
  end(): void;
}

/** Bytes that are not kept for the end of the turn, and what is reserved for a turn at first. */
const ENOUGH = 256 * 1024, ROOM = 8 * 1024;

const NOTHING = new Uint8Array();

export class Outgoing {
  readonly #transport: Transport;
  readonly #ready: () => void;
  /** The first `#length` bytes wait to be written; a buffer is used until then and left to whoever writes it. */
  #buffer: Uint8Array = NOTHING;
  #length = 0;
  #added = 0;
  #scheduled = false;
  #ending = false;
  /** Whether more may be written without piling up in memory. */
  #open = true;

  /** @param ready called when there is room again */
  constructor(transport: Transport, ready: () => void) {
    this.#transport = transport;
    this.#ready = ready;
  }

  get open(): boolean {
    return this.#open;
  }

  /** How often something was added that waits for room. */
  get waiting(): number {
    return this.#open ? 0 : this.#added;
  }

  /** Adds whole frames. */
  add(frames: Uint8Array): void {
    this.reserve(frames.length).set(frames);
  }

  /** Adds as many bytes, for whole frames that have to be written there before anything else is done. */
  reserve(length: number): Uint8Array {
    if (this.#length >= ENOUGH && this.#open) this.#flush();
    const start = this.#length, end = start + length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#length = end;
    this.#added++;
    this.#schedule();
    return this.#buffer.subarray(start, end);
  }

  #grow(wanted: number): void {
    const larger = new Uint8Array(Math.max(wanted, this.#buffer.length * 4, ROOM));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }

  /** Sends what is there and then nothing more. */
  end(): void {
    this.#ending = true;
    this.#schedule();
  }

  drained(): void {
    this.#open = true;
    this.#flush();
    if (this.#open) this.#ready();
  }

  #schedule(): void {
    if (this.#scheduled || !this.#open) return;
    this.#scheduled = true;
    // When everything that can go on now has gone on.
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#open) this.#flush();
    });
  }

  #flush(): void {
    if (this.#length > 0) {
      const bytes = this.#buffer.subarray(0, this.#length);
      this.#buffer = NOTHING;
      this.#length = this.#added = 0;
      this.#open = this.#transport.write(bytes);
    }
    if (this.#ending) this.#transport.end();
  }
}
