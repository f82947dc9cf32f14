// The log of changes, and those that are not in the file yet: what may be lost by a crash waits here for the next commit
// (relaxed durability). The file always holds a whole beginning of the log.
import type { DatabaseSync, StatementSync, SupportedValueType } from "node:sqlite";
import type { Value } from "../interface.ts";
import { rollback } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

export interface LogRow {
  revision: number;
  key: string;
  /** Negative: the change before was a delete. */
  prevRevision: number;
  expires: number | undefined;
  /** undefined: a delete. */
  value: Value | undefined;
}

/** Rows of one statement: each call costs more than a row. */
const ROWS_AT_ONCE = 8;
const ROW = "(?, ?, ?, ?, ?)";

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
  readonly #insert: StatementSync;
  readonly #insertMany: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #setReserve: StatementSync;
  readonly #waiting: LogRow[] = [];
  #waitingSince = Infinity;
  #revision: number;
  #reserved: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#value = db.prepare("SELECT value FROM changes WHERE revision = ?");
    this.#insert = db.prepare(`INSERT INTO changes VALUES ${ROW}`);
    this.#insertMany = db.prepare(`INSERT INTO changes VALUES ${Array(ROWS_AT_ONCE).fill(ROW).join(", ")}`);
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#setReserve = db.prepare("UPDATE meta SET value = ? WHERE name = 'revision'");
    const reserved = db.prepare("SELECT value FROM meta WHERE name = 'revision'").get()!.value as number;
    const last = db.prepare("SELECT max(revision) AS last FROM changes").get()!.last as number | null ?? 0;
    this.#revision = this.#reserved = Math.max(reserved, last);
  }

  /** The newest revision that was handed out. */
  get revision(): number {
    return this.#revision;
  }

  /** The newest revision that is in the file. */
  get logged(): number {
    return this.#waiting.length > 0 ? this.#waiting[0].revision - 1 : this.#revision;
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
  commit(): void {
    if (this.#waiting.length === 0) return;
    this.#transaction(() => {
      const { length } = this.#waiting;
      let next = 0;
      for (; next + ROWS_AT_ONCE <= length; next += ROWS_AT_ONCE) {
        const rows: SupportedValueType[] = [];
        for (let i = next; i < next + ROWS_AT_ONCE; i++) this.#pushRow(rows, this.#waiting[i]);
        this.#insertMany.run(...rows);
      }
      for (; next < length; next++) {
        const row: SupportedValueType[] = [];
        this.#pushRow(row, this.#waiting[next]);
        this.#insert.run(...row);
      }
    });
    this.#waiting.length = 0;
    this.#waitingSince = Infinity;
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
    this.#transaction(() => this.#setReserve.run(reserved));
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
      : undefined;
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
