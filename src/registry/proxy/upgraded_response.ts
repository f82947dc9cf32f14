// An answer that gives its connection over to another protocol, and to whoever speaks that.
import type { Duplex } from "node:stream";

export interface UpgradedInit {
  /** What the other side has answered so far: a head as it came, status line and all, and perhaps more. */
  received: Uint8Array;
  /** What follows, in both directions. Whoever takes the answer has to close it. */
  socket: Duplex;
}

/** Answers 101 with a connection. Only requests that are `upgradable` may be answered so. */
export class UpgradedResponse extends Response {
  readonly received: Uint8Array;
  readonly socket: Duplex;

  constructor({ received, socket }: UpgradedInit) {
    super(null);
    this.received = received;
    this.socket = socket;
  }

  /** Fetch has no such responses. */
  override get status(): number {
    return 101;
  }
}
