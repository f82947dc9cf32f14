// Statements for several rows at once, because each call of SQLite costs more than a row.
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** So many rows are worth a statement; more are more parameters to bind, and no less to do. */
export const ROWS_AT_ONCE = 8;

/** The same statement for one row, for two and so on; each is prepared when it is first wanted. */
export class ManyRows {
  readonly #statements: StatementSync[] = [];

  /**
   * @param begin the statement up to the rows
   * @param row the placeholders of one row
   * @param end what stands behind the rows
   */
  constructor(
    private readonly db: DatabaseSync,
    private readonly begin: string,
    private readonly row: string,
    private readonly end = "",
  ) {}

  /** The statement for so many rows: from one to {@link ROWS_AT_ONCE}. */
  of(rows: number): StatementSync {
    return this.#statements[rows] ??= this.db.prepare(
      `${this.begin} ${Array(rows).fill(this.row).join(", ")}${this.end}`,
    );
  }
}
