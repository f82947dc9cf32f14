// Checks a database thoroughly: SQLite's own structure, every value's checksum, and that pointers and log agree.
import type { DatabaseSync } from "node:sqlite";
import type { Progress } from "./backup.ts";
import { messageOf } from "./errors.ts";
import { meta, readSnapshot } from "./offline.ts";
import { unloggedRows } from "./relaxed_log.ts";
import { pragma, TOMBSTONES_SINCE } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

export interface CheckResult {
  /** What is wrong, one text each; empty when all is well. */
  problems: string[];
  /** Changes whose values were read. */
  changes: number;
  objects: number;
}

/** More problems than this are not looked for. */
const MOST_PROBLEMS = 50;
/** Rows that are read without letting others run. */
const ROWS_AT_ONCE = 10_000;

/** Reads all of a database. Throws DatabaseFileError when it cannot even be opened. */
export function checkDatabaseFile(path: string, progress: Progress): Promise<CheckResult> {
  return readSnapshot(path, async (db) => {
    const result: CheckResult = { problems: structureProblems(db), changes: 0, objects: 0 };
    // Rows of a broken tree may be anything.
    if (result.problems.length > 0) return result;
    await checkValues(db, result, progress);
    checkPointers(db, result);
    checkHistory(db, result);
    checkPacks(db, result);
    progress(1);
    return result;
  });
}

function structureProblems(db: DatabaseSync): string[] {
  const rows = db.prepare(`PRAGMA integrity_check(${MOST_PROBLEMS})`).all();
  return rows.map((row) => row.integrity_check as string).filter((text) => text !== "ok");
}

async function checkValues(db: DatabaseSync, result: CheckResult, progress: Progress): Promise<void> {
  const codec = new ValueCodec();
  const total = db.prepare("SELECT count(*) AS n FROM changes").get()!.n as number;
  const page = db.prepare(
    "SELECT revision, key, value FROM changes WHERE revision > ? ORDER BY revision LIMIT " + ROWS_AT_ONCE,
  );
  for (let after = 0, rows = page.all(after); rows.length > 0; rows = page.all(after)) {
    for (const row of rows) {
      const owner = { key: row.key as string, revision: row.revision as number };
      after = owner.revision;
      try {
        if (row.value !== null) codec.decode(row.value as Uint8Array, owner);
      } catch (error) {
        add(result, messageOf(error));
      }
    }
    result.changes += rows.length;
    progress(result.changes / total);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Each pointer leads to a value of its key, and the pointers are those that the log up to `flushed` gives. */
function checkPointers(db: DatabaseSync, result: CheckResult): void {
  const wrong = db.prepare(
    "SELECT o.key AS key, o.revision AS revision FROM objects o LEFT JOIN changes c ON c.revision = abs(o.revision) " +
      "WHERE c.revision IS NULL OR c.key <> o.key OR (c.value IS NULL) <> (o.revision < 0) " +
      `LIMIT ${MOST_PROBLEMS}`,
  ).all();
  for (const { key, revision } of wrong) {
    add(result, `${key} points to revision ${revision}, which is not a value of it`);
  }
  // The row that max() finds gives the other columns.
  const newest = "SELECT key, max(revision) AS revision, value IS NULL AS deleted FROM changes GROUP BY key";
  const flushed = meta(db, "flushed"), tombstones = pragma(db, "user_version") >= TOMBSTONES_SINCE;
  for (
    const row of db.prepare(`SELECT n.*, o.revision AS pointer FROM (${newest}) n LEFT JOIN objects o USING (key)`)
      .iterate()
  ) {
    if (!row.deleted) result.objects++;
    const revision = row.revision as number;
    const wanted = !row.deleted ? revision : tombstones ? -revision : null;
    if (revision > flushed || wanted === row.pointer) continue;
    add(result, `${row.key} points to revision ${row.pointer}, its newest change is ${row.revision}`);
  }
}

/** What a change says was there before is there, unless compaction may have taken it. */
function checkHistory(db: DatabaseSync, result: CheckResult): void {
  const wrong = db.prepare(
    "SELECT c.revision AS revision, c.key AS key, c.prev_revision AS prev FROM changes c " +
      "LEFT JOIN changes p ON p.revision = c.prev_revision " +
      "WHERE c.revision > ? AND c.prev_revision > 0 AND (p.revision IS NULL OR p.key <> c.key) " +
      `LIMIT ${MOST_PROBLEMS}`,
  ).all(meta(db, "compacted"));
  for (const { revision, key, prev } of wrong) {
    add(result, `revision ${revision} of ${key} follows revision ${prev}, which is not there`);
  }
}

/** Changes that are not in the log yet can be read, and belong to objects that are there. */
function checkPacks(db: DatabaseSync, result: CheckResult): void {
  const { rows, problems } = unloggedRows(db);
  for (const problem of problems) add(result, problem);
  result.changes += rows.length;
  const keyAt = db.prepare("SELECT key FROM changes WHERE revision = ?");
  const known = new Map<number, string>(), compacted = meta(db, "compacted");
  for (const { revision, key, prevRevision } of rows) {
    known.set(revision, key);
    if (revision <= compacted || (known.get(prevRevision) ?? keyAt.get(prevRevision)?.key) === key) continue;
    add(result, `revision ${revision} of ${key} follows revision ${prevRevision}, which is not there`);
  }
}

function add(result: CheckResult, problem: string): void {
  if (result.problems.length < MOST_PROBLEMS) result.problems.push(problem);
}
