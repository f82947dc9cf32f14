// Backend on etcd v3: every write is a transaction on the key's revision, every read a linearizable one.
import { grpcMessageOf } from "../grpc/message.ts";
import { internalError, StatusError } from "../../machinery/errors.ts";
import {
  type Backend,
  type BackendStats,
  type Change,
  CompactedError,
  type KeyValue,
  type Value,
  type WriteResult,
} from "../interface.ts";
import { prefixEnd } from "../key_range.ts";
import { startCompactor } from "./compactor.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { Leases } from "./leases.ts";
import { COMPARE_MOD, type KeyValueMessage, METHODS, type RequestOp, type TxnResponse } from "./messages.ts";
import { bytesOf, sameBytes, valueOf } from "../value.ts";
import { EtcdWatch } from "./watch.ts";

export interface EtcdOptions extends ConnectionOptions {
  /** What takes the place of `/registry` in etcd's keys: `/registry`, or `/clusters/a`. */
  prefix: string;
  /** Milliseconds between compactions; 0: never by this process. */
  compactionInterval: number;
  leaseReuseSeconds: number;
  onTrouble(message: string): void;
}

/** Milliseconds that etcd has to be there when the server starts. */
const START_TIMEOUT = 20_000;
/** Milliseconds that a member has to tell its size. */
const STATUS_TIMEOUT = 2000;
const ROOT = "/registry";

const encoder = new TextEncoder(), decoder = new TextDecoder();

export class EtcdBackend implements Backend {
  readonly #options: EtcdOptions;
  readonly #connection: Connection;
  readonly #leases: Leases;
  readonly #watches = new Set<EtcdWatch>();
  #compactor: { stop(): void } | undefined;
  #compacted = 0;
  /** The question for the newest revision that is under way, and the one that waits for it to end. */
  #asking: Promise<number> | undefined;
  #askingNext: Promise<number> | undefined;

  constructor(options: EtcdOptions) {
    this.#options = options;
    this.#connection = new Connection(options);
    this.#leases = new Leases(this.#connection, options.leaseReuseSeconds);
  }

  /** Throws an Error with one line when etcd does not answer. */
  async start(): Promise<void> {
    try {
      await this.#newestRevision(START_TIMEOUT);
    } catch (error) {
      this.#connection.close();
      throw new Error(`--etcd-servers=${this.#options.servers.join(",")}: ${grpcMessageOf(error)}`);
    }
    const { compactionInterval: interval, onTrouble } = this.#options;
    if (interval === 0) return;
    const onCompacted = (revision: number) => this.#compacted = Math.max(this.#compacted, revision);
    this.#compactor = startCompactor(this.#connection, { interval, onCompacted, onTrouble });
  }

  close(): Promise<void> {
    this.#compactor?.stop();
    for (const watch of this.#watches) watch.end();
    this.#connection.close();
    return Promise.resolve();
  }

  async put(key: string, value: Value, { expected, ttl }: { expected: number; ttl?: number }): Promise<WriteResult> {
    const bytes = bytesOf(value);
    const requestPut = {
      key: this.#encodeKey(key),
      value: bytes,
      lease: ttl ? await this.#leases.leaseFor(ttl) : undefined,
      // Whoever says nothing of the time to live keeps the one there is.
      ignoreLease: ttl === undefined && expected > 0,
    };
    try {
      const written = await this.#write(key, expected, { requestPut });
      const { current } = written;
      if (written.ok || !written.repeated || current === undefined) {
        return result(written, current && this.#keyValue(current));
      }
      // An earlier attempt may have been done without an answer; no two writes have the same value at the same place.
      const mine = current.modRevision > expected && sameBytes(current.value, bytes);
      return mine ? { ok: true, revision: current.modRevision } : { ok: false, current: this.#keyValue(current) };
    } catch (error) {
      if (!ttl || !/lease not found/.test(grpcMessageOf(error))) throw error;
      this.#leases.forget(ttl);
      return await this.put(key, value, { expected, ttl });
    }
  }

  async delete(key: string, { expected }: { expected: number }): Promise<WriteResult> {
    const written = await this.#write(key, expected, { requestDeleteRange: { key: this.#encodeKey(key) } });
    // The same: what was there is gone.
    if (written.repeated && written.current === undefined) return { ok: true, revision: written.revision };
    return result(written, written.current && this.#keyValue(written.current));
  }

  async get(key: string): Promise<KeyValue | undefined> {
    const { kvs } = await this.#range({ key: this.#encodeKey(key) });
    return kvs.length === 0 ? undefined : this.#keyValue(kvs[0]);
  }

  async range(
    start: string,
    end: string,
    { revision, limit }: { revision?: number; limit?: number } = {},
  ): Promise<{ items: KeyValue[]; revision: number; more: boolean; count: number }> {
    const request = { key: this.#encodeKey(start), rangeEnd: this.#encodeKey(end), limit, revision };
    const { kvs, header, more, count } = await this.#range(request);
    return { items: kvs.map((kv) => this.#keyValue(kv)), revision: revision || header.revision, more, count };
  }

  async count(prefix: string): Promise<number> {
    const key = this.#encodeKey(prefix), rangeEnd = this.#encodeKey(prefixEnd(prefix));
    return (await this.#range({ key, rangeEnd, countOnly: true })).count;
  }

  /** Whoever asks while a question is under way shares the next one: the answer must not be older than the asking. */
  currentRevision(): Promise<number> {
    if (this.#asking === undefined) return this.#asking = this.#ask();
    return this.#askingNext ??= this.#asking.catch(() => {}).then(() => {
      this.#askingNext = undefined;
      return this.#asking = this.#ask();
    });
  }

  compactRevision(): Promise<number> {
    return Promise.resolve(this.#compacted);
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#connection.call(METHODS.compact, { revision });
    } catch (error) {
      if (!isCompacted(error)) throw this.#errorOf(error);
    }
    this.#compacted = Math.max(this.#compacted, revision);
  }

  watch(
    prefix: string,
    after: number,
    onChanges: (changes: readonly Change[], upTo: number) => void,
    onEnd: (error?: Error) => void,
    options: { previous?: boolean } = {},
  ): EtcdWatch {
    const watch: EtcdWatch = new EtcdWatch(this.#connection, {
      key: this.#encodeKey(prefix),
      rangeEnd: this.#encodeKey(prefixEnd(prefix)),
      after,
      previous: options.previous ?? false,
      decodeKey: (key) => this.#decodeKey(key),
      onChanges,
      onEnd,
      onStop: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return watch;
  }

  async healthy(timeout: number): Promise<void> {
    await this.#newestRevision(timeout);
  }

  async stats(): Promise<BackendStats> {
    const deadline = Date.now() + STATUS_TIMEOUT;
    const sizes = await Promise.all(
      this.#options.servers.map((_, member) =>
        this.#connection.callMember(member, METHODS.status, {}, deadline).then(({ dbSize }) => dbSize, () => undefined)
      ),
    );
    return { clusters: sizes.flatMap((bytes, i) => bytes === undefined ? [] : [{ id: `etcd-${i}`, bytes }]) };
  }

  async #write(key: string, expected: number, change: RequestOp): Promise<Written> {
    const encoded = this.#encodeKey(key);
    try {
      const { response, attempts } = await this.#connection.call(METHODS.txn, {
        compare: [{ target: COMPARE_MOD, key: encoded, modRevision: expected }],
        success: [change],
        failure: [{ requestRange: { key: encoded } }],
      });
      return writtenOf(response, attempts);
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  async #range(request: Parameters<typeof METHODS.range.serialize>[0]) {
    try {
      return (await this.#connection.call(METHODS.range, request)).response;
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  #ask(): Promise<number> {
    const asked = this.#newestRevision().finally(() => {
      if (this.#asking === asked) this.#asking = undefined;
    });
    return asked;
  }

  async #newestRevision(timeout?: number): Promise<number> {
    const request = { key: this.#encodeKey(`${ROOT}/health`), countOnly: true };
    try {
      return (await this.#connection.call(METHODS.range, request, { timeout })).response.header.revision;
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  #errorOf(error: unknown): unknown {
    if (isCompacted(error)) return new CompactedError(this.#compacted);
    return error instanceof StatusError ? error : internalError(grpcMessageOf(error));
  }

  #encodeKey(key: string): Uint8Array {
    return encoder.encode(this.#options.prefix + key.slice(ROOT.length));
  }

  #decodeKey(key: Uint8Array): string {
    return ROOT + decoder.decode(key).slice(this.#options.prefix.length);
  }

  #keyValue({ key, value, modRevision }: KeyValueMessage): KeyValue {
    return { key: this.#decodeKey(key), value: valueOf(value), revision: modRevision };
  }
}

/** What became of a transaction. */
interface Written {
  ok: boolean;
  revision: number;
  /** Whether it was sent more than once. */
  repeated: boolean;
  /** What is there instead, when it was refused. */
  current?: KeyValueMessage;
}

function writtenOf({ succeeded, header, responses }: TxnResponse, attempts: number): Written {
  const { revision } = header, repeated = attempts > 1;
  if (succeeded) return { ok: true, revision, repeated };
  return { ok: false, revision, repeated, current: responses[0].responseRange!.kvs[0] };
}

function result({ ok, revision }: Written, current: KeyValue | undefined): WriteResult {
  return ok ? { ok, revision } : { ok: false, current };
}

function isCompacted(error: unknown): boolean {
  return /required revision has been compacted/.test(grpcMessageOf(error));
}
