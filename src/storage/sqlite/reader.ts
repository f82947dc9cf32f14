// The reading side: the present state and history by a connection of its own, in the main thread.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Change, CompactedError, type KeyValue, type Value } from "../interface.ts";
import { pragma } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

/** Pointers that are read in one go. */
const ROWS_AT_ONCE = 1000;

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
  readonly #newest: StatementSync;
  readonly #since: StatementSync;
  readonly #sinceInRange: StatementSync;
  readonly #log: StatementSync;
  /** Changes that the pointer table may not show yet: key → revision, negative for a delete. */
  readonly #tail: Map<string, number>;
  /** Relaxed writes that are not in the file yet, by revision; the file has all that came before them. */
  readonly #unlogged = new Map<number, Change>();

  constructor(db: DatabaseSync, tail: Map<string, number>) {
    this.#db = db;
    this.#tail = tail;
    this.#value = db.prepare("SELECT value FROM changes WHERE revision = ?");
    this.#pointer = db.prepare("SELECT revision FROM objects WHERE key = ?");
    this.#pointers = db.prepare("SELECT key, revision FROM objects WHERE key >= ? AND key < ? ORDER BY key LIMIT ?");
    this.#pointerCount = db.prepare("SELECT count(*) AS count FROM objects WHERE key >= ? AND key < ?");
    this.#newest = db.prepare("SELECT max(revision) AS newest FROM changes");
    this.#since = db.prepare("SELECT revision, key, value IS NULL AS deleted FROM changes WHERE revision > ?");
    this.#sinceInRange = db.prepare(
      "SELECT key, prev_revision FROM changes WHERE revision > ? AND key >= ? AND key < ? ORDER BY revision",
    );
    this.#log = db.prepare(
      "SELECT revision, key, prev_revision, value FROM changes " +
        "WHERE revision > ? AND revision <= ? AND key >= ? AND key < ? ORDER BY revision LIMIT ?",
    );
  }

  /**
   * A change was told of.
   * @param logged the newest revision that is in the file
   */
  note(change: Change, logged: number): void {
    const { key, revision, type } = change;
    this.#tail.set(key, type === "delete" ? -revision : revision);
    if (revision > logged) this.#unlogged.set(revision, change);
  }

  /** The file holds everything up to `revision` now. */
  noteLogged(revision: number): void {
    if (this.#unlogged.size === 0) return;
    for (const at of this.#unlogged.keys()) {
      if (at > revision) break;
      this.#unlogged.delete(at);
    }
  }

  /** The pointer table shows everything up to `revision` now. */
  settle(revision: number): void {
    for (const [key, at] of this.#tail) if (Math.abs(at) <= revision) this.#tail.delete(key);
  }

  /** @param known the newest revision that was told of; the file may hold newer ones by now */
  get(key: string, known: number): KeyValue | undefined {
    return this.#snapshot(known, (_, tail) => {
      const at = this.#present(key, tail);
      return at > 0 ? this.#read(key, at) : undefined;
    });
  }

  range(start: string, end: string, known: number, options: { revision?: number; limit?: number }): RangeResult {
    const limit = options.limit || Infinity;
    return this.#snapshot(known, (present, tail) => {
      const revision = Math.min(options.revision || present, present);
      const changed = this.#changed(start, end, tail);
      if (revision < present) this.#goBack(changed, start, end, revision);
      const items: KeyValue[] = [];
      let more = false;
      for (const [key, at] of this.#keys(start, end, changed, limit)) {
        more = items.length === limit;
        if (more) break;
        items.push(this.#read(key, at));
      }
      return { items, revision, more, count: more ? this.#count(start, end, changed) : items.length };
    });
  }

  /** How many keys there are in a range. */
  count(start: string, end: string, known: number): number {
    return this.#snapshot(known, (_, tail) => this.#count(start, end, this.#changed(start, end, tail)));
  }

  /** Changes above `after` up to `upTo` in a range, at most `limit`; `previous` fills in what was there before. */
  log(
    start: string,
    end: string,
    options: { after: number; upTo: number; limit: number; previous: boolean },
  ): Change[] {
    const { after, previous, limit } = options;
    const [first] = this.#unlogged.keys();
    const upTo = Math.min(options.upTo, first === undefined ? Infinity : first - 1);
    const rows = this.#log.all(after, upTo, start, end, limit) as unknown as Row[];
    const changes = rows.map((row) => this.#change(row, previous));
    for (const change of this.#unlogged.values()) {
      if (change.revision > options.upTo || changes.length === limit) break;
      if (change.revision <= after || change.key < start || change.key >= end) continue;
      changes.push(previous ? this.withPrevious(change) : change);
    }
    return changes;
  }

  /** A change that was told of, with the value before it. */
  withPrevious(change: Change): Change {
    if (change.prevRevision === 0) return change;
    const prevValue = this.#valueAt(change.key, change.prevRevision);
    return { ...change, prevValue, value: change.type === "delete" ? prevValue : change.value };
  }

  /** The value of a key at a revision that is known to be there. */
  #valueAt(key: string, revision: number): Value {
    const unlogged = this.#unlogged.get(revision);
    if (unlogged !== undefined) return unlogged.value;
    const row = this.#value.get(revision);
    if (row === undefined) throw new CompactedError(revision);
    return this.#codec.decode(row.value as Uint8Array, { key, revision });
  }

  #change(row: Row, previous: boolean): Change {
    const prevValue = previous && row.prev_revision > 0 ? this.#valueAt(row.key, row.prev_revision) : undefined;
    return {
      type: row.value === null ? "delete" : "put",
      key: row.key,
      value: row.value === null ? prevValue ?? "" : this.#codec.decode(row.value, row),
      revision: row.revision,
      prevRevision: row.prev_revision,
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

  #snapshot<T>(known: number, read: (present: number, tail: Map<string, number>) => T): T {
    this.#db.exec("BEGIN");
    try {
      const present = Math.max(this.#newest.get()!.newest as number | null ?? 0, known);
      let tail = this.#tail;
      if (present > known) {
        tail = new Map(tail);
        for (const row of this.#since.iterate(known)) {
          tail.set(row.key as string, row.deleted ? -(row.revision as number) : row.revision as number);
        }
      }
      return read(present, tail);
    } finally {
      this.#db.exec("COMMIT");
    }
  }

  /** Key → revision, not above zero for a key that is not there, where the table does not say it. */
  #changed(start: string, end: string, tail: Map<string, number>): Map<string, number> {
    const changed = new Map<string, number>();
    for (const [key, at] of tail) {
      if (key >= start && key < end && Math.abs(at) > this.#entered(key)) changed.set(key, at);
    }
    return changed;
  }

  /** Keys of a range that are there, in order, with their revisions: those of the table, and what has changed. */
  *#keys(
    start: string,
    end: string,
    changed: ReadonlyMap<string, number>,
    limit: number,
  ): Generator<[key: string, revision: number]> {
    const keys = [...changed.keys()].sort(compare), atOnce = Math.min(limit + 1, ROWS_AT_ONCE);
    let next = 0, from = start;
    while (true) {
      const rows = this.#pointers.all(from, end, atOnce);
      for (const row of rows) {
        const key = row.key as string;
        for (; next < keys.length && keys[next] < key; next++) yield* present(keys[next], changed);
        if (!changed.has(key)) yield [key, row.revision as number];
      }
      if (rows.length < atOnce) break;
      from = rows[rows.length - 1].key as string + "\0";
    }
    for (; next < keys.length; next++) yield* present(keys[next], changed);
  }

  #count(start: string, end: string, changed: ReadonlyMap<string, number>): number {
    let count = this.#pointerCount.get(start, end)!.count as number;
    for (const [key, at] of changed) count += (at > 0 ? 1 : 0) - (this.#entered(key) > 0 ? 1 : 0);
    return count;
  }

  /** Turns present revisions into those at `revision`: the first change behind it knows what was there. */
  #goBack(changed: Map<string, number>, start: string, end: string, revision: number): void {
    const seen = new Set<string>();
    for (const [key, before] of this.#changesSince(revision, start, end)) {
      if (seen.has(key)) continue;
      seen.add(key);
      changed.set(key, before);
    }
  }

  /** Keys of a range that changed behind a revision, in the order of their changes, with what they held before. */
  *#changesSince(revision: number, start: string, end: string): Generator<[key: string, prevRevision: number]> {
    for (const row of this.#sinceInRange.iterate(revision, start, end)) {
      yield [row.key as string, row.prev_revision as number];
    }
    for (const change of this.#unlogged.values()) {
      const inside = change.revision > revision && change.key >= start && change.key < end;
      if (inside) yield [change.key, change.prevRevision];
    }
  }

  #present(key: string, tail: Map<string, number>): number {
    const noted = tail.get(key) ?? 0, entered = this.#entered(key);
    return Math.abs(noted) > entered ? noted : entered;
  }

  /** What the pointer table says; 0: nothing. */
  #entered(key: string): number {
    return this.#pointer.get(key)?.revision as number | undefined ?? 0;
  }

  #read(key: string, revision: number): KeyValue {
    return { key, revision, value: this.#valueAt(key, revision) };
  }
}

/** The key of a change, when it is there. */
function* present(key: string, changed: ReadonlyMap<string, number>): Generator<[key: string, revision: number]> {
  const at = changed.get(key)!;
  if (at > 0) yield [key, at];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
