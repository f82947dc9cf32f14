// The upkeep of the file in small steps between commits: pointers, checkpoints, compaction, giving pages back. No step
// has to be durable by itself (each can be done again), so none waits for the disk on its own.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ChangeLog } from "./change_log.ts";
import { ManyRows, ROWS_AT_ONCE } from "./many_rows.ts";
import { meta } from "./offline.ts";
import type { Pointer, Pointers } from "./pointers.ts";
import { pragma, rollback } from "./schema.ts";

/** Changes of how many keys may wait to be entered into the pointer table, and how long the log behind it may be. */
const MAX_POINTERS = 4096;
const MAX_TAIL = 20_000;
/** Sizes of one step; compaction and vacuum take as many as they get done in STEP_TIME, in milliseconds. */
const POINTERS_AT_ONCE = 128;
const CHANGES_AT_ONCE = 128;
const PAGES_AT_ONCE = 64;
const STEP_TIME = 0.5;
/**
 * Free pages that are kept for later writes: a share of the file, and how many at least and at most. What the changes
 * between two compactions take up would be given back and asked for again each time, and written for both.
 */
const FREE_SHARE = 0.25, LEAST_KEPT = 96, MOST_KEPT = 512;
/** So many pages given back are worth a checkpoint of their own: the file gets shorter with the next one in any case. */
const WORTH_CHECKPOINT = 512;
/**
 * With more free pages than this compaction waits until some are given back: SQLite looks through the list of all of
 * them for each page that it moves, so that a long list takes a time that grows with its square. Not sooner, because
 * pages at the end of the file would be moved that are about to be free themselves.
 */
const MOST_FREE_PAGES = 16_384;

interface Flush {
  pointers: [string, Pointer][];
  next: number;
  /** The revision of the database when it began. */
  upTo: number;
}

export class Maintenance {
  readonly #db: DatabaseSync;
  readonly #pointers: Pointers;
  readonly #log: ChangeLog;
  readonly #checkpointPages: number;
  readonly #setMeta: StatementSync;
  readonly #raiseRevision: StatementSync;
  readonly #put: ManyRows;
  readonly #vacuum: StatementSync;
  readonly #stretchEnd: StatementSync;
  readonly #deleteSuperseded: StatementSync;
  readonly #deleteTombstones: StatementSync;
  readonly #deleteDeletions: StatementSync;
  readonly #expires: StatementSync;
  readonly #logSize: StatementSync;
  #flush: Flush | undefined;
  #flushed: number;
  #compacted: number;
  #swept: number;
  /** What compaction was asked for; it begins when the pointers are up to date. */
  #wanted: number;
  /** Also at first: the process may have ended in the middle of it. */
  #vacuuming = true;
  #vacuumed = 0;

  /** @param options.checkpointPages pages in the write-ahead log that make a checkpoint due */
  constructor(db: DatabaseSync, pointers: Pointers, options: { log: ChangeLog; checkpointPages: number }) {
    this.#log = options.log;
    this.#checkpointPages = options.checkpointPages;
    this.#db = db;
    this.#pointers = pointers;
    this.#setMeta = db.prepare("UPDATE meta SET value = ?2 WHERE name = ?1");
    this.#raiseRevision = db.prepare("UPDATE meta SET value = max(value, ?) WHERE name = 'revision'");
    this.#put = new ManyRows(db, "INSERT OR REPLACE INTO objects VALUES", "(?, ?, ?)");
    this.#expires = db.prepare("SELECT expires FROM changes WHERE revision = ?");
    this.#logSize = db.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#vacuum = db.prepare(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
    // By changes and not by numbers: there may be large gaps between revisions.
    this.#stretchEnd = db.prepare(
      "SELECT revision FROM changes WHERE revision > ? AND revision <= ? " +
        `ORDER BY revision LIMIT 1 OFFSET ${CHANGES_AT_ONCE - 1}`,
    );
    this.#deleteSuperseded = db.prepare(
      "DELETE FROM changes WHERE revision IN " +
        "(SELECT prev_revision FROM changes WHERE revision > ? AND revision <= ? AND prev_revision > 0)",
    );
    this.#deleteTombstones = db.prepare(
      "DELETE FROM objects WHERE revision < 0 AND revision >= -?2 AND key IN " +
        "(SELECT key FROM changes WHERE revision > ?1 AND revision <= ?2 AND value IS NULL)",
    );
    this.#deleteDeletions = db.prepare("DELETE FROM changes WHERE revision > ? AND revision <= ? AND value IS NULL");
    this.#flushed = meta(db, "flushed");
    this.#compacted = this.#wanted = meta(db, "compacted");
    this.#swept = meta(db, "swept");
  }

  get flushed(): number {
    return this.#flushed;
  }

  get compacted(): number {
    return this.#compacted;
  }

  get #compacting(): boolean {
    return this.#swept < this.#wanted;
  }

  /** History at or below `revision` may go. */
  compact(revision: number): void {
    this.#wanted = Math.max(this.#wanted, revision);
  }

  /** Does one step; false when nothing is due. Throws what SQLite throws: the step is tried again later. */
  step(): boolean {
    this.#checkpoint(this.#checkpointPages);
    this.#swept = Math.min(this.#swept, this.#log.takeUnswept());
    return this.#flushStep() || this.#compactStep() || this.#vacuumStep();
  }

  /** Brings everything into the main file before it is closed; the log has to be whole. */
  finish(): void {
    while (this.#pointers.size > 0 || this.#flush !== undefined) {
      this.#flush ??= this.#beginFlush();
      this.#flushStep();
    }
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  #flushStep(): boolean {
    if (this.#compacting && this.#log.settled < this.#wanted) this.#log.settle();
    const { logged } = this.#log;
    const due = this.#pointers.size >= MAX_POINTERS || logged - this.#flushed >= MAX_TAIL ||
      this.#compacting && this.#flushed < Math.min(logged, this.#wanted);
    if (this.#flush === undefined && !due) return false;
    const flush = this.#flush ??= this.#beginFlush();
    const end = Math.min(flush.next + POINTERS_AT_ONCE, flush.pointers.length);
    const last = end === flush.pointers.length;
    this.#transaction(() => {
      for (let from = flush.next; from < end; from += ROWS_AT_ONCE) {
        const some = flush.pointers.slice(from, Math.min(from + ROWS_AT_ONCE, end));
        this.#put.of(some.length).run(
          ...some.flatMap(([key, { revision, expires }]) => [key, revision, expires ?? null]),
        );
      }
      if (last) this.#setMeta.run("flushed", flush.upTo);
    });
    for (let i = flush.next; i < end; i++) this.#pointers.settled(...flush.pointers[i]);
    flush.next = end;
    if (last) {
      this.#flushed = flush.upTo;
      this.#flush = undefined;
    }
    return true;
  }

  #beginFlush(): Flush {
    // A pointer must not be in its table before the change that it points to is in the log's.
    const upTo = this.#log.logged, followed = this.#log.followed(), pointers: Flush["pointers"] = [];
    for (const [key, pointer] of this.#pointers.sorted()) {
      if (Math.abs(pointer.revision) <= upTo) pointers.push([key, pointer]);
      else if (Math.abs(followed.get(key)!) > this.#flushed) pointers.push([key, this.#pointerTo(followed.get(key)!)]);
    }
    return { pointers, next: 0, upTo };
  }

  /** @param revision of a change in the log's table, negative for a delete */
  #pointerTo(revision: number): Pointer {
    return { revision, expires: this.#expires.get(Math.abs(revision))!.expires as number | null ?? undefined };
  }

  /** Copies the write-ahead log into the main file when it holds so many pages; the next commit then starts it over. */
  #checkpoint(pages: number): void {
    const { log, checkpointed } = this.#logSize.get() as Record<string, number>;
    if (log - checkpointed >= pages) this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Stretches of the log: what their changes superseded goes, and deletes themselves. */
  #compactStep(): boolean {
    if (!this.#compacting) return false;
    if (pragma(this.#db, "freelist_count") > MOST_FREE_PAGES && this.#vacuumStep()) return true;
    const compacted = this.#wanted, end = performance.now() + STEP_TIME;
    let swept = this.#swept;
    // Many stretches in one transaction: each one writes pages that the next one writes again.
    this.#transaction(() => {
      if (compacted > this.#compacted) {
        this.#setMeta.run("compacted", compacted);
        this.#raiseRevision.run(this.#flushed);
      }
      do {
        swept = this.#sweep(swept, compacted);
      } while (swept < compacted && performance.now() < end);
      this.#setMeta.run("swept", swept);
    });
    if (compacted > this.#compacted) this.#log.compact(compacted);
    this.#compacted = compacted;
    this.#swept = swept;
    this.#vacuuming = true;
    return true;
  }

  /** Takes away what the next stretch of the log behind `from` superseded; gives the end of the stretch. */
  #sweep(from: number, compacted: number): number {
    const to = this.#stretchEnd.get(from, compacted)?.revision as number ?? compacted;
    this.#deleteSuperseded.run(from, to);
    this.#deleteTombstones.run(from, to);
    this.#deleteDeletions.run(from, to);
    return to;
  }

  /** Gives some pages back while more are free than are kept. */
  #vacuumStep(): boolean {
    if (!this.#vacuuming) return false;
    const kept = Math.round(FREE_SHARE * pragma(this.#db, "page_count"));
    if (pragma(this.#db, "freelist_count") <= Math.max(LEAST_KEPT, Math.min(kept, MOST_KEPT))) {
      this.#vacuuming = false;
      // Only now the file gets shorter.
      if (this.#vacuumed >= WORTH_CHECKPOINT) this.#checkpoint(1);
      this.#vacuumed = 0;
      return false;
    }
    this.#relaxed(() => this.#giveBack());
    return true;
  }

  #giveBack(): void {
    const end = performance.now() + STEP_TIME;
    // One page for each row that is asked of it.
    for (const _ of this.#vacuum.iterate()) {
      this.#vacuumed++;
      if (performance.now() >= end) return;
    }
  }

  #transaction(body: () => void): void {
    this.#relaxed(() => {
      this.#db.exec("BEGIN IMMEDIATE");
      try {
        body();
        this.#db.exec("COMMIT");
      } catch (error) {
        rollback(this.#db);
        throw error;
      }
    });
  }

  /** Without a sync: the next commit of a client syncs the write-ahead log with everything before it. */
  #relaxed(body: () => void): void {
    this.#db.exec("PRAGMA synchronous = NORMAL");
    try {
      body();
    } finally {
      this.#db.exec("PRAGMA synchronous = FULL");
    }
  }
}
