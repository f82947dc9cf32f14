// Leases for keys with a time to live. Keys written within a while share one, because a lease costs etcd more than a key.
import type { Connection } from "./connection.ts";
import { METHODS } from "./messages.ts";

/** Keys of one lease at most. */
const MOST_KEYS = 1000;
/** A key may live longer by this share of its time, so that it can share a lease. */
const LONGER = 0.05;

interface Lease {
  id: number;
  /** Until when a key with the full time to live may still use it, in milliseconds since 1970. */
  usableUntil: number;
  keys: number;
}

export class Leases {
  readonly #connection: Connection;
  readonly #reuseSeconds: number;
  readonly #byTtl = new Map<number, Promise<Lease>>();

  /** @param reuseSeconds for how long a lease may be used at most */
  constructor(connection: Connection, reuseSeconds: number) {
    this.#connection = connection;
    this.#reuseSeconds = reuseSeconds;
  }

  /** The id of a lease that ends when `ttl` seconds are over, or a little later. */
  async leaseFor(ttl: number): Promise<number> {
    const known = await this.#byTtl.get(ttl);
    if (known !== undefined && Date.now() < known.usableUntil && known.keys < MOST_KEYS) {
      known.keys++;
      return known.id;
    }
    const granted = this.#grant(ttl);
    this.#byTtl.set(ttl, granted);
    granted.catch(() => this.#byTtl.delete(ttl));
    const lease = await granted;
    lease.keys++;
    return lease.id;
  }

  /** The lease is gone already. */
  forget(ttl: number): void {
    this.#byTtl.delete(ttl);
  }

  async #grant(ttl: number): Promise<Lease> {
    const longer = Math.min(this.#reuseSeconds, Math.floor(ttl * LONGER));
    const usableUntil = Date.now() + longer * 1000;
    // Chosen here: etcd's own ids have more bits than a number has.
    const ID = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER) + 1;
    await this.#connection.call(METHODS.grantLease, { TTL: ttl + longer, ID });
    return { id: ID, usableUntil, keys: 0 };
  }
}
