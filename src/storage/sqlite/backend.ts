// The SQLite backend: writes queue up for the writer worker, reads go to a connection of this thread, watches are fed
// from both. An acknowledged write has been handed to every watch before its promise resolves.
import { type Backend, type Change, CompactedError, type KeyValue, type WriteResult } from "../interface.ts";
import { lockFile } from "./lock.ts";
import { Reader } from "./reader.ts";
import { DatabaseRefusedError, openReader } from "./schema.ts";
import { ExpiryQueue } from "./expiry.ts";
import type { Write, Written } from "./writer.ts";
import { InProcessWriter, WorkerWriter, type WriterClient } from "./writer_client.ts";

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  path: string;
  /** The module that a worker runs to become the writer. */
  workerUrl: URL;
  /** Changes older than this are compacted, every so often; 0 for never. Milliseconds. */
  compactionInterval?: number;
}

interface Pending {
  write: Write;
  tag: unknown;
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

interface Subscriber {
  prefix: string;
  onChanges(changes: readonly Change[], upTo: number): void;
  onEnd(error?: Error): void;
}

/** Revisions compacted in one step: short enough that writers do not notice. */
const COMPACTION_STEP = 500;

export class SqliteBackend implements Backend {
  readonly exclusive = true;
  readonly #options: SqliteOptions;
  #writer!: WriterClient;
  #reader!: Reader;
  #unlock: () => void = () => {};
  #queue: Pending[] = [];
  #committing = false;
  #revision = 0;
  readonly #subscribers = new Set<Subscriber>();
  readonly #expiry = new ExpiryQueue((key, revision) => void this.delete(key, { expected: revision }).catch(() => {}));
  #compactionTimer: ReturnType<typeof setInterval> | undefined;
  #compactionMark = 0;
  #closed = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { path, workerUrl, compactionInterval = 0 } = this.#options;
    if (path === ":memory:") {
      const writer = new InProcessWriter(path);
      this.#writer = writer;
      this.#reader = new Reader(writer.database);
    } else {
      this.#unlock = lockFile(path);
      try {
        this.#writer = await WorkerWriter.open(path, workerUrl);
        this.#reader = new Reader(openReader(path));
      } catch (e) {
        this.#unlock();
        throw e;
      }
    }
    this.#revision = this.#reader.currentRevision();
    for (const { key, revision, expires } of this.#reader.expiring()) this.#expiry.set(key, revision, expires);
    if (compactionInterval > 0) {
      this.#compactionTimer = setInterval(() => void this.#compactOld(), compactionInterval);
      Deno.unrefTimer(this.#compactionTimer as unknown as number);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#compactionTimer);
    this.#expiry.close();
    for (const subscriber of this.#subscribers) subscriber.onEnd();
    this.#subscribers.clear();
    if (this.#options.path !== ":memory:") this.#reader.close();
    await this.#writer.close();
    this.#unlock();
  }

  put(key: string, value: string, options: { expected: number; ttl?: number; tag?: unknown }): Promise<WriteResult> {
    const expires = options.ttl ? Date.now() + options.ttl * 1000 : null;
    return this.#enqueue({ key, value, expected: options.expected, expires }, options.tag);
  }

  delete(key: string, options: { expected: number; tag?: unknown }): Promise<WriteResult> {
    return this.#enqueue({ key, expected: options.expected, expires: null }, options.tag);
  }

  #enqueue(write: Write, tag: unknown): Promise<WriteResult> {
    if (this.#closed) return Promise.reject(new Error("the database is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, tag, resolve, reject });
      if (!this.#committing) this.#commitSoon();
    });
  }

  /** Writes of the same turn of the event loop go together. */
  #commitSoon(): void {
    this.#committing = true;
    queueMicrotask(() => void this.#commitLoop());
  }

  async #commitLoop(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        const written = await this.#writer.commit(batch.map((p) => p.write));
        this.#publish(batch, written);
      } catch (e) {
        for (const pending of batch) pending.reject(e as Error);
      }
    }
    this.#committing = false;
  }

  /** Tells the watches first, then whoever wrote. */
  #publish(batch: readonly Pending[], written: readonly Written[]): void {
    const changes: Change[] = [];
    for (let i = 0; i < batch.length; i++) {
      const result = written[i];
      if (!("revision" in result)) continue;
      const { write, tag } = batch[i];
      const { revision, prevRevision } = result;
      const type = write.value === undefined ? "delete" : "put";
      changes.push({ type, key: write.key, value: write.value ?? "", revision, prevRevision, tag });
      this.#expiry.set(write.key, revision, write.expires);
      this.#revision = revision;
    }
    if (changes.length > 0) this.#dispatch(changes);
    for (let i = 0; i < batch.length; i++) {
      const result = written[i];
      batch[i].resolve(
        "revision" in result ? { ok: true, revision: result.revision } : refusal(batch[i].write.key, result),
      );
    }
  }

  #dispatch(changes: readonly Change[]): void {
    for (const subscriber of this.#subscribers) {
      const { prefix } = subscriber;
      subscriber.onChanges(changes.filter((c) => c.key.startsWith(prefix)), this.#revision);
    }
  }

  get(key: string, revision?: number): Promise<KeyValue | undefined> {
    return attempt(() => {
      if (revision === undefined || revision >= this.#revision) return this.#reader.get(key);
      return this.#reader.rangeAt(revision, key, key + "\0")[0];
    });
  }

  range(start: string, end: string, options: { revision?: number; limit?: number } = {}) {
    return attempt(() => {
      const { revision, limit = 0 } = options;
      if (revision === undefined || revision >= this.#revision) {
        const items = this.#reader.range(start, end, limit > 0 ? limit + 1 : 0);
        const more = limit > 0 && items.length > limit;
        if (more) items.pop();
        const count = more ? this.#reader.count(start, end) : items.length;
        return { items, revision: this.#revision, more, count };
      }
      const all = this.#reader.rangeAt(revision, start, end);
      const items = limit > 0 ? all.slice(0, limit) : all;
      return { items, revision, more: items.length < all.length, count: all.length };
    });
  }

  count(prefix: string): Promise<number> {
    return attempt(() => this.#reader.count(prefix, endOf(prefix)));
  }

  currentRevision(): Promise<number> {
    return Promise.resolve(this.#revision);
  }

  compactRevision(): Promise<number> {
    return attempt(() => this.#reader.compactRevision());
  }

  watch(
    prefix: string,
    after: number,
    onChanges: (changes: readonly Change[], upTo: number) => void,
    onEnd: (error?: Error) => void,
  ): { stop(): void } {
    const subscriber: Subscriber = { prefix, onChanges, onEnd };
    try {
      const missed = after < this.#revision ? this.#reader.changes(after, this.#revision, prefix, endOf(prefix)) : [];
      onChanges(missed, this.#revision);
      this.#subscribers.add(subscriber);
    } catch (e) {
      if (!(e instanceof CompactedError)) throw e;
      onEnd(e);
    }
    return { stop: () => void this.#subscribers.delete(subscriber) };
  }

  async compact(revision: number): Promise<void> {
    // The newest revision stays in the log: the next one is counted from it.
    const last = Math.min(revision, this.#revision - 1);
    for (let from = this.#reader.compactRevision(); from < last; from += COMPACTION_STEP) {
      await this.#writer.compact(from, Math.min(from + COMPACTION_STEP, last));
    }
  }

  /** What was the newest revision an interval ago is compacted now, so that history lasts one interval at least. */
  async #compactOld(): Promise<void> {
    const mark = this.#compactionMark;
    this.#compactionMark = this.#revision;
    try {
      if (mark > 0) await this.compact(mark);
    } catch {
      // A step that failed is taken again at the next turn.
    }
  }

  healthy(): Promise<void> {
    return attempt(() => {
      if (this.#closed) throw new Error("the database is closed");
      this.#reader.compactRevision();
    });
  }
}

function refusal(key: string, written: Written): WriteResult {
  const current = "current" in written ? written.current : undefined;
  return { ok: false, current: current && { key, ...current } };
}

/** The first string above every one that begins with `prefix`. */
export function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** Reads are synchronous; their errors become rejections. */
function attempt<T>(read: () => T): Promise<T> {
  try {
    return Promise.resolve(read());
  } catch (e) {
    return Promise.reject(e);
  }
}

export { DatabaseRefusedError };
