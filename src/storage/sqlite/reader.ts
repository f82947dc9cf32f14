// The reading side: the present state and history by a connection of its own, in the main thread.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Change, CompactedError, type KeyValue, type Value } from "../interface.ts";
import type { Turns } from "../turns.ts";
import { pragma } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

/** Pointers that are read in one go. */
const ROWS_AT_ONCE = 1000;
/** Changes that are counted in one go. */
const CHANGES_AT_ONCE = 20_000;

export interface RangeResult {
  items: KeyValue[];
  revision: number;
  more: boolean;
  count: number;
}

/** A change as the log holds it. */
interface Row {
  revision: number;
  key: string;
  prev_revision: number;
  value: Uint8Array | null;
}

export class Reader {
  readonly #db: DatabaseSync;
  readonly #codec = new ValueCodec();
  readonly #value: StatementSync;
  readonly #pointer: StatementSync;
  readonly #pointers: StatementSync;
  readonly #pointerCount: StatementSync;
  readonly #presentOf: StatementSync;
  readonly #newest: StatementSync;
  readonly #compacted: StatementSync;
  readonly #since: StatementSync;
  readonly #before: StatementSync;
  readonly #balance: StatementSync;
  readonly #log: StatementSync;
  /** Changes that the pointer table may not show yet: key → revision, negative for a delete. */
  readonly #tail: Map<string, number>;
  /** Relaxed writes that are not in the log's table yet, by revision; it has all that came before them. */
  readonly #unlogged = new Map<number, Change>();

  constructor(db: DatabaseSync, tail: Map<string, number>) {
    this.#db = db;
    this.#tail = tail;
    this.#value = db.prepare("SELECT value FROM changes WHERE revision = ?");
    this.#pointer = db.prepare("SELECT revision FROM objects WHERE key = ?");
    this.#pointers = db.prepare("SELECT key, revision FROM objects WHERE key >= ? AND key < ? ORDER BY key LIMIT ?");
    this.#pointerCount = db.prepare(
      "SELECT count(*) AS count FROM objects WHERE key >= ? AND key < ? AND revision > 0",
    );
    this.#presentOf = db.prepare(
      "SELECT count(*) AS count FROM json_each(?) j JOIN objects o ON o.key = j.value WHERE o.revision > 0",
    );
    this.#compacted = db.prepare("SELECT value FROM meta WHERE name = 'compacted'");
    this.#newest = db.prepare("SELECT max(revision) AS newest FROM changes");
    this.#since = db.prepare("SELECT revision, key, value IS NULL AS deleted FROM changes WHERE revision > ?");
    this.#before = db.prepare(
      "WITH RECURSIVE back(at) AS (SELECT prev_revision FROM changes WHERE revision = ?1 UNION ALL " +
        "SELECT c.prev_revision FROM back JOIN changes c ON c.revision = abs(back.at) WHERE abs(back.at) > ?2) " +
        "SELECT at FROM back WHERE abs(at) <= ?2",
    );
    // A create makes one more, a delete one less.
    this.#balance = db.prepare(
      "SELECT max(revision) AS last, sum(CASE WHEN key < ?3 OR key >= ?4 THEN 0 " +
        "WHEN deleted THEN -1 WHEN prev_revision <= 0 THEN 1 ELSE 0 END) AS balance " +
        "FROM (SELECT revision, key, prev_revision, value IS NULL AS deleted FROM changes " +
        `WHERE revision > ?1 AND revision <= ?2 ORDER BY revision LIMIT ${CHANGES_AT_ONCE})`,
    );
    this.#log = db.prepare(
      "SELECT revision, key, prev_revision, value FROM changes " +
        "WHERE revision > ? AND revision <= ? AND key >= ? AND key < ? ORDER BY revision LIMIT ?",
    );
  }

  /**
   * A change was told of.
   * @param logged the log's table holds every change up to this revision
   */
  note(change: Change, logged: number): void {
    const { key, revision, type } = change;
    if (revision > logged) {
      // A create does not say whether there is a delete before it.
      const prevRevision = change.prevRevision || this.#newestOf(key, this.#tail);
      this.#unlogged.set(revision, { ...change, prevRevision });
    }
    this.#tail.set(key, type === "delete" ? -revision : revision);
  }

  /** The log's table holds everything up to `revision` now. */
  noteLogged(revision: number): void {
    if (this.#unlogged.size === 0) return;
    for (const at of this.#unlogged.keys()) {
      if (at > revision) break;
      this.#unlogged.delete(at);
    }
  }

  /** History at or below `revision` is gone: what changes up to it superseded is not read any more. */
  noteCompacted(revision: number): void {
    const newest = new Map<string, number>();
    for (const { key, revision: at } of this.#unlogged.values()) {
      if (at > revision) break;
      this.#unlogged.delete(newest.get(key) ?? 0);
      newest.set(key, at);
    }
  }

  /** The pointer table shows everything up to `revision` now. */
  settle(revision: number): void {
    for (const [key, at] of this.#tail) if (Math.abs(at) <= revision) this.#tail.delete(key);
  }

  /** @param known the newest revision that was told of; the file may hold newer ones by now */
  get(key: string, known: number): KeyValue | undefined {
    return this.#snapshot(known, (_, tail) => {
      const at = this.#newestOf(key, tail);
      return at > 0 ? this.#read(key, at) : undefined;
    });
  }

  /** What is there now. */
  range(start: string, end: string, known: number, limit: number): RangeResult {
    return this.#snapshot(known, (revision, tail) => {
      const changed = within(tail, start, end), items: KeyValue[] = [];
      let more = false;
      for (const [key, at] of this.#keys(start, end, changed, limit)) {
        if (at <= 0) continue;
        more = items.length === limit;
        if (more) break;
        items.push(this.#read(key, at));
      }
      return { items, revision, more, count: more ? this.#count(start, end, changed) : items.length };
    });
  }

  /**
   * A part of what was there at a revision: at most `limit` keys, and no more than can be read in one turn. `next` is
   * where to go on; undefined at the end of the range. Each part can be read at another time: the past does not change.
   * Throws CompactedError when it is gone.
   */
  pastPart(
    start: string,
    end: string,
    known: number,
    { revision, limit, turns }: { revision: number; limit: number; turns: Pick<Turns, "over"> },
  ): { items: KeyValue[]; next: string | undefined } {
    return this.#snapshot(known, (_, tail) => {
      this.#checkKept(revision);
      const items: KeyValue[] = [];
      let seen = 0;
      for (const [key, at] of this.#keys(start, end, within(tail, start, end), limit)) {
        if (items.length === limit || seen > 0 && turns.over) return { items, next: key };
        seen++;
        const then = Math.abs(at) > revision ? this.#pointerAt(at, revision) : at;
        if (then > 0) items.push(this.#read(key, then));
      }
      return { items, next: undefined };
    });
  }

  /** How many keys there are in a range, and at which revision. */
  countNow(start: string, end: string, known: number): { count: number; revision: number } {
    return this.#snapshot(known, (revision, tail) => {
      return { count: this.#count(start, end, within(tail, start, end)), revision };
    });
  }

  /**
   * By how many keys a range has grown between two revisions, or how far that was counted: not so many changes are read
   * that others would be held up. Throws CompactedError when they are not there any more.
   */
  growth(start: string, end: string, { after, upTo }: { after: number; upTo: number }): { by: number; upTo: number } {
    const unlogged = [...this.#unlogged.values()], [first] = unlogged, last = unlogged.at(-1);
    // The file may hold newer ones than those that were told of.
    if (first !== undefined && after >= first.revision - 1 && after < last!.revision) {
      this.#checkKept(after);
      const until = Math.min(upTo, last!.revision);
      let by = 0;
      for (const { key, revision, type, prevRevision } of unlogged) {
        if (revision <= after || revision > until || key < start || key >= end) continue;
        by += type === "delete" ? -1 : prevRevision <= 0 ? 1 : 0;
      }
      return { by, upTo: until };
    }
    return this.#transaction(() => {
      this.#checkKept(after);
      const until = first !== undefined && after < first.revision ? Math.min(upTo, first.revision - 1) : upTo;
      const row = this.#balance.get(after, until, start, end) as { last: number | null; balance: number | null };
      return { by: row.balance ?? 0, upTo: row.last ?? until };
    });
  }

  /**
   * Changes above `after` up to `upTo` in a range, at most `limit`; `previous` fills in what was there before. Throws
   * CompactedError when not all of them are there any more.
   */
  log(
    start: string,
    end: string,
    options: { after: number; upTo: number; limit: number; previous: boolean },
  ): Change[] {
    const { after, previous, limit } = options;
    const [first] = this.#unlogged.keys();
    const upTo = Math.min(options.upTo, first === undefined ? Infinity : first - 1);
    const changes = this.#transaction(() => {
      this.#checkKept(after);
      const rows = this.#log.all(after, upTo, start, end, limit) as unknown as Row[];
      return rows.map((row) => this.#change(row, previous));
    });
    for (const change of this.#unlogged.values()) {
      if (change.revision > options.upTo || changes.length === limit) break;
      if (change.revision <= after || change.key < start || change.key >= end) continue;
      const told = { ...change, prevRevision: Math.max(change.prevRevision, 0) };
      changes.push(previous ? this.withPrevious(told) : told);
    }
    return changes;
  }

  /** A change that was told of, with the value before it. */
  withPrevious(change: Change): Change {
    if (change.prevRevision <= 0) return change;
    const prevValue = this.valueAt(change.key, change.prevRevision);
    return { ...change, prevValue, value: change.type === "delete" ? prevValue : change.value };
  }

  /** The value of a key at a revision at which it was written. Throws CompactedError when it is there no more. */
  valueAt(key: string, revision: number): Value {
    const unlogged = this.#unlogged.get(revision);
    if (unlogged !== undefined) return unlogged.value;
    const row = this.#value.get(revision);
    if (row === undefined) throw new CompactedError(revision);
    return this.#codec.decode(row.value as Uint8Array, { key, revision });
  }

  #change(row: Row, previous: boolean): Change {
    const prevValue = previous && row.prev_revision > 0 ? this.valueAt(row.key, row.prev_revision) : undefined;
    return {
      type: row.value === null ? "delete" : "put",
      key: row.key,
      value: row.value === null ? prevValue ?? "" : this.#codec.decode(row.value, row),
      revision: row.revision,
      prevRevision: Math.max(row.prev_revision, 0),
      prevValue,
    };
  }

  /** Bytes of the database, and of its pages that hold nothing. */
  size(): { bytes: number; freeBytes: number } {
    const pageSize = pragma(this.#db, "page_size");
    return {
      bytes: pragma(this.#db, "page_count") * pageSize,
      freeBytes: pragma(this.#db, "freelist_count") * pageSize,
    };
  }

  sweptRevision(): number {
    return this.#db.prepare("SELECT value FROM meta WHERE name = 'swept'").get()!.value as number;
  }

  /**
   * The writer may have begun to take history away without having said so yet: what the file itself says holds for what
   * is read in the same transaction.
   */
  #checkKept(revision: number): void {
    const compacted = this.#compacted.get()!.value as number;
    if (revision < compacted) throw new CompactedError(compacted);
  }

  #transaction<T>(read: () => T): T {
    this.#db.exec("BEGIN");
    try {
      return read();
    } finally {
      this.#db.exec("COMMIT");
    }
  }

  #snapshot<T>(known: number, read: (present: number, tail: Map<string, number>) => T): T {
    return this.#transaction(() => {
      const present = Math.max(this.#newest.get()!.newest as number | null ?? 0, known);
      let tail = this.#tail;
      if (present > known) {
        tail = new Map(tail);
        for (const row of this.#since.iterate(known)) {
          tail.set(row.key as string, row.deleted ? -(row.revision as number) : row.revision as number);
        }
      }
      return read(present, tail);
    });
  }

  /**
   * Keys of a range in order with their newest changes, negative for a delete: those of the table, and those of the
   * tail, which is newer.
   */
  *#keys(
    start: string,
    end: string,
    changed: ReadonlyMap<string, number>,
    limit: number,
  ): Generator<[key: string, newest: number]> {
    const tail = [...changed].sort(([a], [b]) => compare(a, b)), atOnce = Math.min(limit + 1, ROWS_AT_ONCE);
    let next = 0, from = start;
    while (true) {
      const rows = this.#pointers.all(from, end, atOnce);
      for (const row of rows) {
        const key = row.key as string;
        for (; next < tail.length && tail[next][0] < key; next++) yield tail[next];
        if (!changed.has(key)) yield [key, row.revision as number];
      }
      if (rows.length < atOnce) break;
      from = rows[rows.length - 1].key as string + "\0";
    }
    for (; next < tail.length; next++) yield tail[next];
  }

  #count(start: string, end: string, changed: ReadonlyMap<string, number>): number {
    let count = this.#pointerCount.get(start, end)!.count as number;
    if (changed.size === 0) return count;
    for (const at of changed.values()) if (at > 0) count++;
    return count - (this.#presentOf.get(JSON.stringify([...changed.keys()]))!.count as number);
  }

  /** The pointer that a key had at a revision: its changes are followed back from a newer one. */
  #pointerAt(newest: number, revision: number): number {
    let at = newest;
    while (Math.abs(at) > revision) {
      const unlogged = this.#unlogged.get(Math.abs(at));
      if (unlogged === undefined) break;
      at = unlogged.prevRevision;
    }
    if (Math.abs(at) <= revision) return at;
    const row = this.#before.get(Math.abs(at), revision);
    if (row === undefined) throw new CompactedError(revision);
    return row.at as number;
  }

  /** The newest change of a key, negative for a delete; 0: none. */
  #newestOf(key: string, tail: Map<string, number>): number {
    return tail.get(key) ?? this.#pointer.get(key)?.revision as number | undefined ?? 0;
  }

  #read(key: string, revision: number): KeyValue {
    return { key, revision, value: this.valueAt(key, revision) };
  }
}

/** The part of the tail that lies in a range. */
function within(tail: ReadonlyMap<string, number>, start: string, end: string): Map<string, number> {
  const changed = new Map<string, number>();
  for (const [key, at] of tail) if (key >= start && key < end) changed.set(key, at);
  return changed;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
