// Backend on SQLite: groups writes for the writer, applies its results in order and reads by a connection of its own.
import type { DatabaseSync } from "node:sqlite";
import { internalError } from "../../machinery/errors.ts";
import type { Backend, BackendStats, BackendWatch, Change, KeyValue, Value, WriteResult } from "../interface.ts";
import { prefixEnd } from "../key_range.ts";
import { DatabaseFileError, readError } from "./errors.ts";
import { fileBytes } from "./offline.ts";
import { ensureFile, lockFile } from "./lock.ts";
import type { Expired, FromWriter, ToWriter, WriteBatch } from "./messages.ts";
import { Past } from "./past.ts";
import { Reader } from "./reader.ts";
import { openReader } from "./schema.ts";
import { createWatches, type Position, type Watches } from "./watches.ts";
import { startWriter, type WriterLink } from "./writer_link.ts";

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  path: string;
  /** The module that runs the writer when started as a worker named `kubelith-writer`. */
  workerUrl: URL;
  /** Milliseconds between compactions, each up to where the one before found the database; 0: never by itself. */
  compactionInterval?: number;
  /** Pages (of 1 KiB) that gather in the write-ahead log before they are copied into the main file; 4000 unless given. */
  checkpointPages?: number;
  /** Told of upkeep that failed and will be tried again. */
  onTrouble?: (message: string) => void;
  /** Told of each group of writes: how many they were and the seconds that the writer took. */
  onCommit?: (writes: number, seconds: number) => void;
}

/** A write that waits for its commit. */
interface Waiting {
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

interface Group {
  batch: WriteBatch;
  waiting: Waiting[];
}

export class SqliteBackend implements Backend {
  readonly #options: SqliteOptions;
  #writer!: WriterLink;
  #readerDb: DatabaseSync | undefined;
  #reader!: Reader;
  #past!: Past;
  #watches!: Watches;
  #lock: Deno.FsFile | undefined;
  #revision = 0;
  #compacted = 0;
  readonly #position: Position = { revision: () => this.#revision, compacted: () => this.#compacted };
  #open: Group = newGroup();
  #scheduled = false;
  readonly #inFlight = new Map<number, Group>();
  readonly #replies = new Map<number, { resolve(): void; reject(error: Error): void }>();
  #nextId = 1;
  #failure: Error | undefined;

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  /** Throws DatabaseFileError when the file is damaged, foreign, unreadable or in use. */
  async start(): Promise<void> {
    const { path, compactionInterval = 0, checkpointPages = 4000 } = this.#options;
    const inMemory = path === ":memory:";
    if (!inMemory) this.#lock = lockFile(path);
    try {
      if (!inMemory) ensureFile(path);
      const opened = Promise.withResolvers<Extract<FromWriter, { type: "opened" }>>();
      this.#writer = startWriter(inMemory ? undefined : this.#options.workerUrl, {
        onMessage: (message) => {
          if (message.type === "opened") opened.resolve(message);
          else if (message.type === "openFailed") opened.reject(new DatabaseFileError(message.message));
          else this.#handle(message);
        },
        onFailure: (error) => {
          opened.reject(error);
          this.#fail(error);
        },
      });
      this.#writer.post({ type: "open", options: { path, compactionInterval, checkpointPages } });
      const { revision, compacted, tail, unlogged } = (await opened.promise).opened;
      this.#revision = revision;
      this.#compacted = compacted;
      if (!inMemory) this.#readerDb = openReader(path);
      this.#reader = new Reader(this.#readerDb ?? this.#writer.sharedDatabase(), tail);
      for (const change of unlogged) this.#reader.note(change, 0);
      this.#past = new Past(this.#reader, this.#position);
      this.#watches = createWatches(this.#reader);
    } catch (error) {
      this.#writer?.terminate();
      this.#lock?.close();
      throw error;
    }
  }

  /** Writes that were asked for before are done first. */
  async close(): Promise<void> {
    if (this.#failure === undefined) {
      this.#send();
      // The writer's connection is the last one, so that it can remove the write-ahead log.
      this.#watches.end();
      this.#readerDb?.close();
      const closed = this.#request((id) => ({ type: "close", id }));
      this.#failure = internalError("the storage is closed");
      await closed;
    }
    this.#writer.terminate();
    this.#lock?.close();
  }

  put(
    key: string,
    value: Value,
    options: { expected: number; ttl?: number; relaxed?: boolean },
  ): Promise<WriteResult> {
    return this.#write(key, value, options);
  }

  delete(key: string, options: { expected: number; relaxed?: boolean }): Promise<WriteResult> {
    return this.#write(key, undefined, options);
  }

  get(key: string): Promise<KeyValue | undefined> {
    return attempt(() => {
      this.#checkUsable();
      return this.#reader.get(key, this.#revision);
    });
  }

  range(
    start: string,
    end: string,
    options: { revision?: number; limit?: number } = {},
  ): Promise<{ items: KeyValue[]; revision: number; more: boolean; count: number }> {
    return attempt(() => {
      this.#checkUsable();
      const limit = options.limit || Infinity;
      if (!options.revision && limit === Infinity) return this.#past.present(start, end);
      if (!options.revision) return this.#past.remember(this.#reader.range(start, end, this.#revision, limit), end);
      return this.#past.range(start, end, { revision: Math.min(options.revision, this.#revision), limit });
    });
  }

  count(prefix: string): Promise<number> {
    return attempt(() => this.#reader.countNow(prefix, prefixEnd(prefix), this.#revision).count);
  }

  currentRevision(): Promise<number> {
    return Promise.resolve(this.#revision);
  }

  /** The newest revision that was told of: every watcher has seen it. */
  get appliedRevision(): number {
    return this.#revision;
  }

  compactRevision(): Promise<number> {
    return Promise.resolve(this.#compacted);
  }

  watch(
    prefix: string,
    after: number,
    onChanges: (changes: readonly Change[], upTo: number) => void,
    onEnd: (error?: Error) => void,
    options: { previous?: boolean } = {},
  ): BackendWatch {
    return this.#watches.start(
      { prefix, after, onChanges, onEnd, previous: options.previous ?? false },
      this.#position,
    );
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.#revision) throw new RangeError(`cannot compact up to ${revision}, now is ${this.#revision}`);
    await this.#request((id) => ({ type: "compact", id, revision }));
  }

  healthy(): Promise<void> {
    return this.#failure === undefined ? Promise.resolve() : Promise.reject(this.#failure);
  }

  stats(): Promise<BackendStats> {
    const { bytes, freeBytes } = this.#reader.size(), { path } = this.#options;
    return Promise.resolve({
      clusters: [{ id: path === ":memory:" ? "sqlite-memory" : "sqlite", bytes }],
      freeBytes,
      writesWaiting: [...this.#inFlight.values(), this.#open].reduce((sum, { waiting }) => sum + waiting.length, 0),
      logBytes: path === ":memory:" ? 0 : fileBytes(`${path}-wal`),
      sweptRevision: this.#reader.sweptRevision(),
    });
  }

  #checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #write(
    key: string,
    value: Value | undefined,
    options: { expected: number; ttl?: number; relaxed?: boolean },
  ): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      const { batch, waiting } = this.#open;
      batch.keys.push(key);
      batch.values.push(value);
      batch.expected.push(options.expected);
      batch.ttls.push(options.ttl);
      batch.relaxed.push(options.relaxed ?? false);
      waiting.push({ resolve, reject });
      if (this.#scheduled || this.#inFlight.size > 0) return;
      this.#scheduled = true;
      // Everything that came in with this request joins the group.
      setImmediate(() => this.#flush());
    });
  }

  /**
   * Gives the writer what has gathered, unless a group is with it: what comes meanwhile makes the next one, for waking
   * the writer, the commit and its answer cost as much for one write as for many.
   */
  #flush(): void {
    this.#scheduled = false;
    if (this.#inFlight.size === 0) this.#send();
  }

  #send(): void {
    if (this.#open.waiting.length === 0) return;
    const id = this.#nextId++, group = this.#open;
    this.#open = newGroup();
    this.#inFlight.set(id, group);
    this.#writer.post({ type: "write", id, batch: group.batch });
  }

  #handle(message: FromWriter): void {
    switch (message.type) {
      case "written":
        return this.#written(message);
      case "failed":
        return this.#refused(message.id, message.message);
      case "expired":
        return this.#expired(message.expired);
      case "logged":
        return this.#reader.noteLogged(message.revision);
      case "flushed":
        return this.#reader.settle(message.revision);
      case "compacted":
        this.#compacted = message.revision;
        return this.#reader.noteCompacted(message.revision);
      case "trouble":
        return this.#options.onTrouble?.(message.message);
      case "done":
        this.#replies.get(message.id)?.resolve();
        this.#replies.delete(message.id);
    }
  }

  #written({ id, result, seconds }: Extract<FromWriter, { type: "written" }>): void {
    const { batch, waiting } = this.#inFlight.get(id)!;
    this.#inFlight.delete(id);
    this.#options.onCommit?.(waiting.length, seconds);
    const changes: Change[] = [];
    for (let i = 0; i < waiting.length; i++) {
      const revision = result.revisions[i];
      if (revision === 0) continue;
      const value = batch.values[i];
      changes.push({
        type: value === undefined ? "delete" : "put",
        key: batch.keys[i],
        value: value ?? "",
        revision,
        prevRevision: batch.expected[i],
      });
    }
    this.#apply(changes, result.logged);
    for (let i = 0; i < waiting.length; i++) {
      const revision = result.revisions[i];
      waiting[i].resolve(revision > 0 ? { ok: true, revision } : { ok: false, current: result.refused?.get(i) });
    }
    this.#flush();
  }

  #expired({ keys, revisions, prevRevisions, logged }: Expired): void {
    const changes = keys.map((key, i): Change => ({
      type: "delete",
      key,
      value: "",
      revision: revisions[i],
      prevRevision: prevRevisions[i],
    }));
    this.#apply(changes, logged);
  }

  /** Shows changes to readers and watchers before whoever asked for them goes on. */
  #apply(changes: Change[], logged: number): void {
    this.#reader.noteLogged(logged);
    if (changes.length === 0) return;
    for (const change of changes) this.#reader.note(change, logged);
    this.#revision = changes[changes.length - 1].revision;
    this.#watches.dispatch(changes, this.#revision);
  }

  #refused(id: number, message: string): void {
    const group = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    const error = internalError(message);
    for (const { reject } of group?.waiting ?? []) reject(error);
    this.#replies.get(id)?.reject(error);
    this.#replies.delete(id);
    this.#flush();
  }

  #request(message: (id: number) => ToWriter): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      const id = this.#nextId++;
      this.#replies.set(id, { resolve, reject });
      this.#writer.post(message(id));
    });
  }

  /** The writer is gone: nothing can be written any more. */
  #fail(error: Error): void {
    this.#failure ??= internalError(`the storage's writer failed: ${error.message}`);
    for (const group of [...this.#inFlight.values(), this.#open]) {
      for (const { reject } of group.waiting) reject(this.#failure);
    }
    this.#inFlight.clear();
    this.#open = newGroup();
    for (const { reject } of this.#replies.values()) reject(this.#failure);
    this.#replies.clear();
  }
}

function newGroup(): Group {
  return { batch: { keys: [], values: [], expected: [], ttls: [], relaxed: [] }, waiting: [] };
}

async function attempt<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw readError(error);
  }
}
