// Whoever fails to say who they are again and again waits for each refusal, so that guessing tokens in a loop does not
// take the server from those who are known. Refusals are let go at a steady pace, one address after the other; one timer
// is enough for all of them.
import ipaddr from "ipaddr.js";

export interface RefusalPace {
  /** Refusals a second for one address, and how many more of them at once. */
  ofAddress: { rate: number; burst: number };
  /** The same for all addresses together. */
  ofAll: { rate: number; burst: number };
  /** Milliseconds after which a refusal is let go, however many there are. */
  longest: number;
  /** How many are held at most. Beyond that refusals are let go at once. */
  size: number;
}

/** A client that fails now and then, or starts with a stale token in each of its parts, is answered at once. */
export const REFUSAL_PACE: RefusalPace = {
  ofAddress: { rate: 10, burst: 50 },
  ofAll: { rate: 50, burst: 200 },
  longest: 20_000,
  size: 2048,
};

/** Milliseconds between two looks at what may be let go. */
const TICK = 20;
/** Addresses that are remembered, most: who comes with more of them is held to the pace of all. */
const ADDRESSES = 4096;

interface Held {
  since: number;
  signal: AbortSignal;
  letGo: () => void;
}

interface Sender {
  allowance: Allowance;
  /** Oldest first. */
  held: Held[];
}

export class RefusalQueue {
  readonly #pace: RefusalPace;
  readonly #all: Allowance;
  /** By address, the longest untouched first. */
  readonly #senders = new Map<string, Sender>();
  /** Who waits, in the order of their turns. */
  readonly #waiting = new Set<Sender>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** @param stopped the server wants to end: nobody waits any longer */
  constructor(pace: RefusalPace, stopped: AbortSignal) {
    this.#pace = pace;
    this.#all = new Allowance(pace.ofAll);
    stopped.addEventListener("abort", () => this.#close(), { once: true });
  }

  /** How many are held. */
  get size(): number {
    return this.#count;
  }

  /**
   * Undefined when the refusal may go out at once, else resolves when it may.
   * @param signal the client has gone: there is nobody to wait
   */
  wait(remoteAddress: string, signal: AbortSignal): Promise<void> | undefined {
    const now = performance.now(), sender = this.#sender(networkOf(remoteAddress));
    if (this.#closed || this.#count >= this.#pace.size) return undefined;
    if (sender.held.length === 0 && sender.allowance.has(now) && this.#all.has(now)) {
      sender.allowance.take();
      this.#all.take();
      return undefined;
    }
    return new Promise((letGo) => {
      sender.held.push({ since: now, signal, letGo });
      this.#count++;
      this.#waiting.add(sender);
      this.#arm();
    });
  }

  #sender(address: string): Sender {
    let sender = this.#senders.get(address);
    this.#senders.delete(address);
    if (sender === undefined) {
      sender = { allowance: new Allowance(this.#pace.ofAddress), held: [] };
      if (this.#senders.size >= ADDRESSES) this.#senders.delete(this.#senders.keys().next().value!);
    }
    this.#senders.set(address, sender);
    return sender;
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#count === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tick(performance.now());
      this.#arm();
    }, TICK);
  }

  /** Those whose time is over; then one of each address in turn, as long as there is an allowance. */
  #tick(now: number): void {
    for (const sender of [...this.#waiting]) {
      const { held } = sender;
      let over = 0;
      while (over < held.length && (held[over].signal.aborted || now - held[over].since >= this.#pace.longest)) over++;
      this.#letGo(sender, over);
    }
    for (let progress = true; progress;) {
      progress = false;
      for (const sender of [...this.#waiting]) {
        if (!this.#all.has(now)) return;
        if (!sender.allowance.has(now)) continue;
        this.#all.take();
        sender.allowance.take();
        this.#letGo(sender, 1);
        progress = true;
      }
    }
  }

  /** The oldest of an address. Who still waits queues up again. */
  #letGo(sender: Sender, count: number): void {
    if (count === 0) return;
    this.#count -= count;
    for (const { letGo } of sender.held.splice(0, count)) letGo();
    this.#waiting.delete(sender);
    if (sender.held.length > 0) this.#waiting.add(sender);
  }

  #close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const sender of [...this.#waiting]) this.#letGo(sender, sender.held.length);
  }
}

/** A bucket that fills steadily: what is in it may be taken at once. */
class Allowance {
  readonly #rate: number;
  readonly #burst: number;
  #left: number;
  #at = performance.now();

  /** @param rate per second */
  constructor({ rate, burst }: { rate: number; burst: number }) {
    this.#rate = rate;
    this.#burst = burst;
    this.#left = burst;
  }

  has(now: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + Math.max(0, now - this.#at) * this.#rate / 1000);
    this.#at = now;
    return this.#left >= 1;
  }

  take(): void {
    this.#left--;
  }
}

/** The whole network that a host of IPv6 chooses its addresses from. */
function networkOf(address: string): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}
