// The log of changes, and those that are not in its table yet: what may be lost by a crash waits here for the next commit
// (relaxed durability). The file always holds a whole beginning of the log.
import type { DatabaseSync, StatementSync, SupportedValueType } from "node:sqlite";
import type { Value } from "../interface.ts";
import { ManyRows, ROWS_AT_ONCE } from "./many_rows.ts";
import { meta, newestRevision } from "./offline.ts";
import type { LogRow, PackedRow } from "./pack_codec.ts";
import { RelaxedLog } from "./relaxed_log.ts";
import { rollback } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

/**
 * How long a change may wait for others, in milliseconds, and how many may. Less than half of the 40 seconds that a
 * kubelet's lease is good for, so that none is over because of a crash.
 */
const LONGEST_WAIT = 15_000, MOST_WAITING = 1000;
/** So many revisions are set aside at once, so that none of them is handed out again after a crash. */
const RESERVE = 1000;

export class ChangeLog {
  readonly #db: DatabaseSync;
  readonly #codec = new ValueCodec();
  readonly #value: StatementSync;
  readonly #insert: ManyRows;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #setReserve: StatementSync;
  readonly #sweepAgain: StatementSync;
  readonly #relaxed: RelaxedLog;
  /** In memory only, behind those that are packed. */
  readonly #waiting: LogRow[] = [];
  #waitingSince = Infinity;
  #revision: number;
  #reserved: number;
  #compacted: number;
  #unswept = Infinity;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#value = db.prepare("SELECT value FROM changes WHERE revision = ?");
    this.#insert = new ManyRows(db, "INSERT INTO changes VALUES", "(?, ?, ?, ?, ?)");
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#setReserve = db.prepare("UPDATE meta SET value = ? WHERE name = 'revision'");
    this.#sweepAgain = db.prepare("UPDATE meta SET value = min(value, ?) WHERE name = 'swept'");
    this.#compacted = meta(db, "compacted");
    this.#relaxed = new RelaxedLog(db);
    this.#revision = this.#reserved = newestRevision(db);
  }

  /** The newest revision that was handed out. */
  get revision(): number {
    return this.#revision;
  }

  /** The table holds every change up to this revision. */
  get logged(): number {
    const { first } = this.#relaxed;
    return first === undefined ? this.settled : first - 1;
  }

  /** The file holds every change up to this revision. */
  get settled(): number {
    return this.#waiting.length > 0 ? this.#waiting[0].revision - 1 : this.#revision;
  }

  /** What is on the disk and not in the table, in the order of revisions. */
  packed(): PackedRow[] {
    return this.#relaxed.rows();
  }

  /** Keys whose newest changes are not in the table, and the newest one that is: negative for a delete, 0 for none. */
  followed(): Map<string, number> {
    const followed = new Map<string, number>();
    for (const rows of [this.#relaxed.rows(), this.#waiting]) {
      for (const { key, prevRevision } of rows) if (!followed.has(key)) followed.set(key, prevRevision);
    }
    return followed;
  }

  /** What was found to be lost when the file was opened. */
  get problems(): readonly string[] {
    return this.#relaxed.problems;
  }

  /** When what waits should be committed, in milliseconds of performance.now(). */
  get due(): number {
    return this.#waiting.length >= MOST_WAITING ? 0 : this.#waitingSince + LONGEST_WAIT;
  }

  /** Takes a change; it is not in the file before the next {@link commit}. */
  append(change: Omit<LogRow, "revision">): number {
    const revision = ++this.#revision;
    this.#waiting.push({ revision, ...change });
    if (this.#waitingSince === Infinity) this.#waitingSince = performance.now();
    return revision;
  }

  /** Takes back the changes behind `revision`, none of which is in the file. */
  takeBack(revision: number): void {
    while (this.#waiting.length > 0 && this.#waiting[this.#waiting.length - 1].revision > revision) this.#waiting.pop();
    if (this.#waiting.length === 0) this.#waitingSince = Infinity;
    this.#revision = revision;
  }

  /** Writes all that waits as one durable transaction. When it throws nothing has changed, and it can be tried again. */
  settle(): void {
    if (this.#waiting.length === 0) return;
    const plan = this.#relaxed.plan(this.#waiting);
    if (plan === undefined) return this.commit();
    this.#transaction(() => {
      this.#insertRows(plan.displaced);
      this.#relaxed.write(plan);
    });
    this.#relaxed.written(plan);
    this.#waiting.length = 0;
    this.#waitingSince = Infinity;
  }

  /** The same, and all of it is in the table then. */
  commit(): void {
    if (this.#waiting.length === 0 && this.#relaxed.first === undefined) return;
    this.#transaction(() => {
      this.#insertRows(this.#relaxed.rows());
      this.#insertRows(this.#waiting);
    });
    this.#relaxed.clear();
    this.#waiting.length = 0;
    this.#waitingSince = Infinity;
  }

  /** History at or below `revision` is gone or going, and nobody reads it any more. */
  compact(revision: number): void {
    this.#compacted = revision;
    this.#relaxed.compact(revision);
  }

  /** A revision behind which compaction has to go through the table again; Infinity: there is none. It is told once. */
  takeUnswept(): number {
    const unswept = this.#unswept;
    this.#unswept = Infinity;
    return unswept;
  }

  /** A part of a transaction. */
  #insertRows(added: readonly LogRow[]): void {
    const { length } = added;
    if (length === 0) return;
    // They come when compaction has passed their place.
    if (added[0].revision <= this.#compacted) {
      this.#unswept = Math.min(this.#unswept, added[0].revision - 1);
      this.#sweepAgain.run(this.#unswept);
    }
    for (let from = 0; from < length; from += ROWS_AT_ONCE) {
      const to = Math.min(from + ROWS_AT_ONCE, length), rows: SupportedValueType[] = [];
      for (let i = from; i < to; i++) this.#pushRow(rows, added[i]);
      this.#insert.of(to - from).run(...rows);
    }
  }

  #pushRow(rows: SupportedValueType[], { revision, key, prevRevision, expires, value }: LogRow): void {
    // The codec gives out the same bytes again and again.
    const encoded = value === undefined ? null : this.#codec.encode(value, { key, revision }).slice();
    rows.push(revision, key, prevRevision, expires ?? null, encoded);
  }

  /** Makes sure that the revisions handed out so far are not handed out again, whether they reach the file or not. */
  reserve(): void {
    if (this.#revision <= this.#reserved) return;
    const reserved = this.#revision + RESERVE;
    this.#transaction(() => {
      this.#setReserve.run(reserved);
      // There are relaxed writes.
      this.#relaxed.makeSlots();
    });
    this.#reserved = reserved;
  }

  /** Gives back what was set aside and not needed; the log must be whole. */
  release(): void {
    if (this.#reserved > this.#revision) this.#transaction(() => this.#setReserve.run(this.#revision));
  }

  /** The value of a change that is there. */
  valueAt(key: string, revision: number): Value {
    const waiting = this.#waiting.length > 0 && revision >= this.#waiting[0].revision
      ? this.#waiting[revision - this.#waiting[0].revision]
      : this.#relaxed.get(revision);
    return waiting?.value ?? this.#codec.decode(this.#value.get(revision)!.value as Uint8Array, { key, revision });
  }

  #transaction(body: () => void): void {
    this.#begin.run();
    try {
      body();
      this.#commit.run();
    } catch (error) {
      rollback(this.#db);
      throw error;
    }
  }
}
