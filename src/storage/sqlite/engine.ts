// The writing side of the database: compare-and-set writes in groups, expiry, and the upkeep behind them. Synchronous;
// it runs in the writer's thread, or in the main one for a database in memory.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { KeyValue } from "../interface.ts";
import { ExpiryQueue } from "./expiry.ts";
import { Maintenance } from "./maintenance.ts";
import type { BatchResult, Expired, Opened, WriteBatch } from "./messages.ts";
import { type Pointer, Pointers } from "./pointers.ts";
import { openDatabase, rollback } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

/** At most so many keys expire in one transaction. */
const EXPIRE_AT_ONCE = 500;

const NOTHING: Pointer = { revision: 0, expires: undefined };

export class Engine {
  readonly db: DatabaseSync;
  readonly maintenance: Maintenance;
  readonly #pointers = new Pointers();
  readonly #expiry: ExpiryQueue;
  readonly #codec = new ValueCodec();
  readonly #find: StatementSync;
  readonly #value: StatementSync;
  readonly #insert: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #revision: number;

  /** Opens the file, or makes it. Throws DatabaseFileError. */
  constructor(path: string, checkpointPages: number) {
    const db = this.db = openDatabase(path);
    this.#find = db.prepare("SELECT revision, expires FROM objects WHERE key = ?");
    this.#value = db.prepare("SELECT value FROM changes WHERE revision = ?");
    this.#insert = db.prepare("INSERT INTO changes VALUES (?, ?, ?, ?, ?)");
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.maintenance = new Maintenance(db, this.#pointers, checkpointPages);
    this.#revision = Math.max(this.maintenance.meta("revision"), this.#lastChange());
    this.#readTail();
    this.#expiry = new ExpiryQueue((until) => this.#expiringUntil(until));
  }

  get revision(): number {
    return this.#revision;
  }

  opened(): Opened {
    const tail = new Map<string, number>();
    for (const [key, pointer] of this.#pointers.sorted()) tail.set(key, pointer.revision);
    return { revision: this.#revision, compacted: this.maintenance.meta("compacted"), tail };
  }

  /** Does every write of the batch that may be done, in one transaction. Durable when it returns; all or none when it throws. */
  apply(batch: WriteBatch): BatchResult {
    const result: BatchResult = { revisions: new Array(batch.keys.length) };
    this.#transaction((undo) => {
      for (let i = 0; i < batch.keys.length; i++) {
        const key = batch.keys[i], before = this.#pointer(key);
        const revision = Math.max(before.revision, 0);
        if (revision !== batch.expected[i]) {
          result.revisions[i] = 0;
          (result.refused ??= new Map()).set(i, this.#current(key, revision));
          continue;
        }
        const value = batch.values[i], ttl = batch.ttls[i];
        if (value === undefined && revision === 0) {
          result.revisions[i] = 0;
          (result.refused ??= new Map()).set(i, undefined);
          continue;
        }
        const expires = ttl === undefined ? before.expires : ttl === 0 ? undefined : Date.now() + ttl * 1000;
        result.revisions[i] = this.#write(key, value, value === undefined ? undefined : expires, revision, undo);
      }
    });
    return result;
  }

  /** Deletes keys whose time has come; undefined when there are none. */
  expire(now: number): Expired | undefined {
    const due = this.#expiry.take(now, EXPIRE_AT_ONCE);
    if (due.length === 0) return undefined;
    const expired: Expired = { keys: [], revisions: [], prevRevisions: [] };
    try {
      this.#transaction((undo) => {
        for (const { key } of due) {
          const { revision, expires } = this.#pointer(key);
          if (revision <= 0 || expires === undefined || expires > now) continue;
          expired.keys.push(key);
          expired.prevRevisions.push(revision);
          expired.revisions.push(this.#write(key, undefined, undefined, revision, undo));
        }
      });
    } catch (error) {
      for (const entry of due) this.#expiry.add({ key: entry.key, at: now + 1000 });
      throw error;
    }
    return expired.keys.length > 0 ? expired : undefined;
  }

  /** When {@link expire} should be called next, milliseconds since 1970. */
  nextExpiry(now: number): number {
    return this.#expiry.next(now);
  }

  close(): void {
    try {
      this.maintenance.finish(this.#revision);
    } finally {
      this.db.close();
    }
  }

  #transaction(body: (undo: [string, Pointer | undefined][]) => void): void {
    const revision = this.#revision, undo: [string, Pointer | undefined][] = [];
    this.#begin.run();
    try {
      body(undo);
      this.#commit.run();
    } catch (error) {
      rollback(this.db);
      for (const [key, before] of undo.reverse()) this.#pointers.restore(key, before);
      this.#revision = revision;
      throw error;
    }
  }

  #write(
    key: string,
    value: string | undefined,
    expires: number | undefined,
    prevRevision: number,
    undo: [string, Pointer | undefined][],
  ): number {
    const revision = ++this.#revision;
    this.#insert.run(
      revision,
      key,
      prevRevision,
      expires ?? null,
      value === undefined ? null : this.#codec.encode(value),
    );
    undo.push([key, this.#pointers.get(key)]);
    this.#pointers.set(key, { revision: value === undefined ? -revision : revision, expires });
    if (expires !== undefined) this.#expiry.add({ key, at: expires });
    return revision;
  }

  #pointer(key: string): Pointer {
    const pointer = this.#pointers.get(key);
    if (pointer !== undefined) return pointer;
    const row = this.#find.get(key);
    if (row === undefined) return NOTHING;
    return { revision: row.revision as number, expires: row.expires as number | null ?? undefined };
  }

  #current(key: string, revision: number): KeyValue | undefined {
    if (revision === 0) return undefined;
    return { key, revision, value: this.#codec.decode(this.#value.get(revision)!.value as Uint8Array) };
  }

  #lastChange(): number {
    return this.db.prepare("SELECT max(revision) AS last FROM changes").get()!.last as number | null ?? 0;
  }

  #readTail(): void {
    const tail = this.db.prepare(
      "SELECT revision, key, expires, value IS NULL AS deleted FROM changes WHERE revision > ? ORDER BY revision",
    );
    for (const row of tail.iterate(this.maintenance.meta("flushed"))) {
      const revision = row.revision as number;
      this.#pointers.set(row.key as string, {
        revision: row.deleted ? -revision : revision,
        expires: row.expires as number | null ?? undefined,
      });
    }
  }

  *#expiringUntil(until: number) {
    const rows = this.db.prepare("SELECT key, expires FROM objects WHERE expires <= ?").all(until);
    for (const row of rows) yield { key: row.key as string, at: row.expires as number };
    for (const [key, { expires }] of this.#pointers.sorted()) {
      if (expires !== undefined && expires <= until) yield { key, at: expires };
    }
  }
}
