// Everything that one connection sends, in order: frames are put together until the end of the turn and written at once,
// for each write costs as much as a small answer.
import { setImmediate } from "node:timers";
import { concatBytes } from "../../../machinery/bytes.ts";

/** The bytes' way out. */
export interface Transport {
  /** False when it has enough for now; {@link Outgoing.drained} is called when it can take more. */
  write(bytes: Uint8Array): boolean;
  /** No more will come; the connection closes when all is out. */
  end(): void;
}

/** Bytes that are not kept for the end of the turn. */
const ENOUGH = 256 * 1024;

export class Outgoing {
  readonly #transport: Transport;
  readonly #ready: () => void;
  #pieces: Uint8Array[] = [];
  #length = 0;
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

  /** Frames that wait for room. */
  get waiting(): number {
    return this.#open ? 0 : this.#pieces.length;
  }

  /** Adds whole frames. */
  add(frames: Uint8Array): void {
    this.#pieces.push(frames);
    this.#length += frames.length;
    if (this.#length >= ENOUGH && this.#open) return this.#flush();
    this.#schedule();
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
    atEndOfTurn(() => {
      this.#scheduled = false;
      if (this.#open) this.#flush();
    });
  }

  #flush(): void {
    if (this.#length > 0) {
      const bytes = this.#pieces.length === 1 ? this.#pieces[0] : concatBytes(this.#pieces, this.#length);
      this.#pieces = [];
      this.#length = 0;
      this.#open = this.#transport.write(bytes);
    }
    if (this.#ending) this.#transport.end();
  }
}

/** Runs a function when everything that can go on now has gone on. */
function atEndOfTurn(run: () => void): void {
  setImmediate(run);
}
