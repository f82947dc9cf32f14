// All that an etcd holds under one prefix, to be read as a whole or to be written as a whole.
import { grpcMessageOf } from "../grpc/message.ts";
import { StatusError } from "../../machinery/errors.ts";
import { prefixEnd } from "../key_range.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { Leases } from "./leases.ts";
import {
  COMPARE_VERSION,
  type ExactRangeResponse,
  type Method,
  METHODS,
  type RangeRequest,
  type RequestOp,
} from "./messages.ts";

export interface KeyspaceOptions extends ConnectionOptions {
  /** What takes the place of `/registry` in etcd's keys. */
  prefix: string;
  leaseReuseSeconds: number;
}

export interface EtcdEntry {
  /** As the database has it, beginning with `/registry/`. */
  key: string;
  value: Uint8Array;
  revision: number;
  /** The id of its lease; "0": none. */
  lease: string;
}

const ROOT = "/registry";
/** Keys that are asked for at once. */
const PAGE = 200;
/** Changes under way at once. Each is a transaction of its own, so that every key has its own revision. */
const MOST_CHANGES = 64;

const encoder = new TextEncoder(), decoder = new TextDecoder();

export class Keyspace {
  readonly #options: KeyspaceOptions;
  readonly #connection: Connection;
  readonly #leases: Leases;
  readonly #ttls = new Map<string, Promise<number>>();
  readonly #underWay = new Set<Promise<void>>();
  #failure: Error | undefined;

  constructor(options: KeyspaceOptions) {
    this.#options = options;
    this.#connection = new Connection(options);
    this.#leases = new Leases(this.#connection, options.leaseReuseSeconds);
  }

  close(): void {
    this.#connection.close();
  }

  /** The newest revision. Throws an Error with one line when etcd does not answer. */
  async revision(): Promise<number> {
    const key = this.#encodeKey(`${ROOT}/`);
    return (await this.#call(METHODS.range, { key, countOnly: true })).header.revision;
  }

  /** How many keys there are, at a revision or now. */
  async count(revision?: number): Promise<number> {
    return (await this.#call(METHODS.range, { ...this.#range(`${ROOT}/`), revision, countOnly: true })).count;
  }

  /** In the order of the keys, all of one revision or each as it is when it is read. */
  async *entries(revision?: number): AsyncGenerator<EtcdEntry> {
    for (let start: string | undefined = `${ROOT}/`; start !== undefined;) {
      const request: RangeRequest = { ...this.#range(start), revision, limit: PAGE };
      const { kvs, more }: ExactRangeResponse = await this.#call(METHODS.exactRange, request);
      for (const { key, value, modRevision, lease } of kvs) {
        yield { key: this.#decodeKey(key), value, revision: Number(modRevision), lease };
      }
      start = more ? this.#decodeKey(kvs[kvs.length - 1].key) + "\0" : undefined;
    }
  }

  /** Seconds that a lease has left; not above 0 when it is over. */
  ttlOf(lease: string): Promise<number> {
    let ttl = this.#ttls.get(lease);
    if (ttl === undefined) {
      ttl = this.#call(METHODS.leaseTimeToLive, { ID: lease }).then(({ TTL }) => TTL);
      this.#ttls.set(lease, ttl);
    }
    return ttl;
  }

  /**
   * Writes a key, beside others: {@link flush} tells when all of them are there. Throws what went wrong with any.
   * @param ttl seconds to live; undefined: for ever
   */
  async put(key: string, value: Uint8Array, ttl?: number): Promise<void> {
    const lease = ttl === undefined ? undefined : await this.#leases.leaseFor(ttl);
    await this.#change({ requestPut: { key: this.#encodeKey(key), value, lease } });
  }

  /** The same for a key that goes. */
  async delete(key: string): Promise<void> {
    await this.#change({ requestDeleteRange: { key: this.#encodeKey(key) } });
  }

  /** Waits until everything is written. */
  async flush(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Whether the keys are being written: what {@link begin} left and {@link end} takes away. */
  async begun(): Promise<boolean> {
    return (await this.#call(METHODS.range, { key: this.#marker(), countOnly: true })).count > 0;
  }

  /** Notes that the keys are being written. */
  async begin(): Promise<void> {
    this.#failure = undefined;
    const requestPut = { key: this.#marker(), value: encoder.encode("{}") };
    await this.#call(METHODS.txn, {
      compare: [{ target: COMPARE_VERSION, key: this.#marker(), version: 0 }],
      success: [{ requestPut }],
      failure: [],
    });
  }

  async end(): Promise<void> {
    const requestDeleteRange = { key: this.#marker() };
    await this.#call(METHODS.txn, { compare: [], success: [{ requestDeleteRange }], failure: [] });
  }

  async #change(change: RequestOp): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    // Nothing is compared: the change may be made more than once.
    const made: Promise<void> = this.#call(METHODS.txn, { compare: [], success: [change], failure: [] })
      .then(() => {}, (error) => void (this.#failure ??= error))
      .finally(() => this.#underWay.delete(made));
    this.#underWay.add(made);
    if (this.#underWay.size >= MOST_CHANGES) await Promise.race(this.#underWay);
  }

  async #call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
  ): Promise<Response> {
    try {
      return (await this.#connection.call(method, request)).response;
    } catch (error) {
      // That nobody answers is said with the address already.
      if (error instanceof StatusError) throw new Error(error.message.replace(/^Internal error occurred: /, ""));
      throw new Error(`etcd at ${this.#options.servers.join(",")}: ${grpcMessageOf(error)}`);
    }
  }

  #range(start: string): { key: Uint8Array; rangeEnd: Uint8Array } {
    return { key: this.#encodeKey(start), rangeEnd: this.#encodeKey(prefixEnd(`${ROOT}/`)) };
  }

  /** Outside of the prefix, so that no server takes it for an object. */
  #marker(): Uint8Array {
    return encoder.encode(`kubelith_export_key${this.#options.prefix}`);
  }

  #encodeKey(key: string): Uint8Array {
    return encoder.encode(this.#options.prefix + key.slice(ROOT.length));
  }

  #decodeKey(key: Uint8Array): string {
    return ROOT + decoder.decode(key).slice(this.#options.prefix.length);
  }
}
