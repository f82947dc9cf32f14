// The writing side of the database: compare-and-set writes in groups, expiry, and the upkeep behind them. Synchronous;
// it runs in the writer's thread, or in the main one for a database in memory.
import type { DatabaseSync } from "node:sqlite";
import type { Change, KeyValue, Value } from "../interface.ts";
import { ChangeLog } from "./change_log.ts";
import { ExpiryQueue } from "./expiry.ts";
import { Maintenance } from "./maintenance.ts";
import type { BatchResult, Expired, Opened, WriteBatch } from "./messages.ts";
import { ManyRows, ROWS_AT_ONCE } from "./many_rows.ts";
import { type Pointer, Pointers } from "./pointers.ts";
import { openDatabase } from "./schema.ts";

/** At most so many keys expire in one transaction. */
const EXPIRE_AT_ONCE = 500;

const NOTHING: Pointer = { revision: 0, expires: undefined };

/** What pointers were before the writes of a group, to take them back. */
type Undo = [key: string, before: Pointer | undefined][];

export class Engine {
  readonly db: DatabaseSync;
  readonly maintenance: Maintenance;
  readonly #log: ChangeLog;
  readonly #pointers = new Pointers();
  readonly #expiry: ExpiryQueue;
  readonly #find: ManyRows;

  /** Opens the file, or makes it. Throws DatabaseFileError. */
  constructor(path: string, checkpointPages: number) {
    const db = this.db = openDatabase(path);
    this.#find = new ManyRows(db, "SELECT key, revision, expires FROM objects WHERE key IN (", "?", ")");
    this.#log = new ChangeLog(db);
    this.maintenance = new Maintenance(db, this.#pointers, { log: this.#log, checkpointPages });
    this.#readTail();
    this.#expiry = new ExpiryQueue((until) => this.#expiringUntil(until));
  }

  get revision(): number {
    return this.#log.revision;
  }

  /** What was found to be lost when the file was opened. */
  get problems(): readonly string[] {
    return this.#log.problems;
  }

  /** The log's table holds every change up to this revision; later ones are relaxed writes. */
  get logged(): number {
    return this.#log.logged;
  }

  opened(): Opened {
    const tail = new Map<string, number>();
    for (const [key, pointer] of this.#pointers.sorted()) tail.set(key, pointer.revision);
    const unlogged = this.#log.packed().map(({ key, value, revision, prevRevision }): Change => {
      return { type: "put", key, value, revision, prevRevision };
    });
    return { revision: this.revision, compacted: this.maintenance.compacted, tail, unlogged };
  }

  /**
   * Does every write of the batch that may be done. When it returns they are durable, in one transaction with whatever
   * waited before, unless all of them are relaxed; when it throws none of them was done.
   */
  apply(batch: WriteBatch): BatchResult {
    const revisions: number[] = new Array(batch.keys.length);
    const refused = new Map<number, KeyValue | undefined>();
    this.#group((undo) => {
      const known = this.#inTable(batch.keys);
      let durable = false;
      for (let i = 0; i < batch.keys.length; i++) {
        const key = batch.keys[i], value = batch.values[i], before = this.#pointer(key, known);
        const revision = Math.max(before.revision, 0);
        if (revision !== batch.expected[i] || (value === undefined && revision === 0)) {
          refused.set(i, this.#current(key, revision));
          revisions[i] = 0;
          continue;
        }
        const expires = value === undefined ? undefined : expiryOf(batch.ttls[i], before);
        revisions[i] = this.#write(key, value, { expires, prevRevision: before.revision }, undo);
        durable ||= !batch.relaxed[i];
      }
      if (durable) this.#log.commit();
      else this.#log.reserve();
    });
    return { revisions, refused: refused.size > 0 ? refused : undefined, logged: this.logged };
  }

  /** Deletes keys whose time has come; undefined when there are none. */
  expire(now: number): Expired | undefined {
    const due = this.#expiry.take(now, EXPIRE_AT_ONCE);
    if (due.length === 0) return undefined;
    const expired: Omit<Expired, "logged"> = { keys: [], revisions: [], prevRevisions: [] };
    try {
      this.#group((undo) => {
        const known = this.#inTable(due.map(({ key }) => key));
        for (const { key } of due) {
          const { revision, expires } = this.#pointer(key, known);
          if (revision <= 0 || expires === undefined || expires > now) continue;
          expired.keys.push(key);
          expired.prevRevisions.push(revision);
          expired.revisions.push(this.#write(key, undefined, { expires: undefined, prevRevision: revision }, undo));
        }
        if (expired.keys.length > 0) this.#log.commit();
      });
    } catch (error) {
      for (const entry of due) this.#expiry.add({ key: entry.key, at: now + 1000 });
      throw error;
    }
    return expired.keys.length > 0 ? { ...expired, logged: this.logged } : undefined;
  }

  /** When {@link expire} should be called next, milliseconds since 1970. */
  nextExpiry(now: number): number {
    return this.#expiry.next(now);
  }

  /** Commits relaxed writes that have waited long enough. */
  settle(now: number): void {
    if (this.#log.due <= now) this.#log.settle();
  }

  /** When {@link settle} should be called next, in milliseconds of performance.now(). */
  get settleAt(): number {
    return this.#log.due;
  }

  close(): void {
    try {
      this.#log.commit();
      this.#log.release();
      this.maintenance.finish();
    } finally {
      this.db.close();
    }
  }

  /** Runs writes that are all taken back when it throws. */
  #group(body: (undo: Undo) => void): void {
    const { revision } = this.#log, undo: Undo = [];
    try {
      body(undo);
    } catch (error) {
      for (const [key, before] of undo.reverse()) this.#pointers.restore(key, before);
      this.#log.takeBack(revision);
      throw error;
    }
  }

  /** @param options.prevRevision what the pointer was before: negative when that is a delete */
  #write(
    key: string,
    value: Value | undefined,
    { expires, prevRevision }: { expires: number | undefined; prevRevision: number },
    undo: Undo,
  ): number {
    const revision = this.#log.append({ key, prevRevision, expires, value });
    undo.push([key, this.#pointers.get(key)]);
    this.#pointers.set(key, { revision: value === undefined ? -revision : revision, expires });
    if (expires !== undefined) this.#expiry.add({ key, at: expires });
    return revision;
  }

  /** What the pointer table says of those of the keys that have not changed since it was brought up to date. */
  #inTable(keys: readonly string[]): Map<string, Pointer> {
    const found = new Map<string, Pointer>(), wanted = keys.filter((key) => this.#pointers.get(key) === undefined);
    for (let from = 0; from < wanted.length; from += ROWS_AT_ONCE) {
      const some = wanted.slice(from, from + ROWS_AT_ONCE);
      for (const row of this.#find.of(some.length).all(...some)) {
        const expires = row.expires as number | null ?? undefined;
        found.set(row.key as string, { revision: row.revision as number, expires });
      }
    }
    return found;
  }

  /** @param known what {@link #inTable} said */
  #pointer(key: string, known: ReadonlyMap<string, Pointer>): Pointer {
    return this.#pointers.get(key) ?? known.get(key) ?? NOTHING;
  }

  #current(key: string, revision: number): KeyValue | undefined {
    return revision === 0 ? undefined : { key, revision, value: this.#log.valueAt(key, revision) };
  }

  #readTail(): void {
    const tail = this.db.prepare(
      "SELECT revision, key, expires, value IS NULL AS deleted FROM changes WHERE revision > ? ORDER BY revision",
    );
    for (const row of tail.iterate(this.maintenance.flushed)) {
      const revision = row.revision as number;
      this.#pointers.set(row.key as string, {
        revision: row.deleted ? -revision : revision,
        expires: row.expires as number | null ?? undefined,
      });
    }
    const packed = this.#log.packed(), known = this.#inTable(packed.map(({ key }) => key));
    for (const row of packed) {
      // What it followed may have been dropped.
      row.prevRevision = this.#pointer(row.key, known).revision;
      this.#pointers.set(row.key, { revision: row.revision, expires: undefined });
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

/** When a value expires that is written now; undefined: never. */
function expiryOf(ttl: number | undefined, before: Pointer): number | undefined {
  if (ttl === undefined) return before.expires;
  return ttl === 0 ? undefined : Date.now() + ttl * 1000;
}
