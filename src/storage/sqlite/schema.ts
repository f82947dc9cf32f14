// The database file: its tables, how it is opened, and when it is refused.
import { DatabaseSync } from "node:sqlite";

/** "KubL": marks the file as one of ours in SQLite's header. */
const APPLICATION_ID = 0x4b75624c;
const SCHEMA_VERSION = 1;

/**
 * `changes` is the log: every write of the database, its revision the key. A value is written there once; `objects`
 * points from each living key to the revision that holds its value. `prev_revision` chains the log of one key backwards,
 * so that history needs no index.
 */
const TABLES = `
  CREATE TABLE changes (
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    prev_revision INTEGER NOT NULL,
    value TEXT
  );
  CREATE TABLE objects (
    key TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    expires INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX objects_expiring ON objects (expires) WHERE expires IS NOT NULL;
  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO meta VALUES ('compacted', 0);
`;

/** Pages of this size cost the fewest bytes on disk for a small update (tests/bench/storage_bench.ts). */
const PAGE_SIZE = 1024;

/** A file that cannot be used as it is; the message says what to do. */
export class DatabaseRefusedError extends Error {}

/** Opens for writing, makes the tables of a new file. Throws {@link DatabaseRefusedError}; never changes a bad file. */
export function openWriter(path: string): DatabaseSync {
  const database = open(path, false);
  try {
    const isNew = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()!.n === 0;
    if (isNew) prepareNew(database);
    else check(database, path);
    database.exec("PRAGMA synchronous = FULL; PRAGMA cache_size = -4096; PRAGMA wal_autocheckpoint = 2000");
    return database;
  } catch (e) {
    database.close();
    throw refused(path, e);
  }
}

/** Opens for reading beside the writer. */
export function openReader(path: string): DatabaseSync {
  const database = open(path, true);
  database.exec("PRAGMA cache_size = -4096; PRAGMA query_only = ON");
  return database;
}

function open(path: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly });
  } catch (e) {
    throw refused(path, e);
  }
}

function prepareNew(database: DatabaseSync): void {
  database.exec(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL`);
  database.exec(`BEGIN; ${TABLES}
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

function check(database: DatabaseSync, path: string): void {
  const number = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0];
  if (number("application_id") !== APPLICATION_ID) {
    throw new DatabaseRefusedError(`${path} is a database of another program; give --sqlite-path another file`);
  }
  const version = number("user_version");
  if (version !== SCHEMA_VERSION) {
    throw new DatabaseRefusedError(
      `${path} has schema version ${version}, this program knows ${SCHEMA_VERSION}; use the program that wrote it`,
    );
  }
  const result = number("quick_check(1)");
  if (result !== "ok") throw new DatabaseRefusedError(damaged(path, String(result)));
  database.exec("PRAGMA journal_mode = WAL");
}

function refused(path: string, e: unknown): Error {
  if (e instanceof DatabaseRefusedError) return e;
  const message = e instanceof Error ? e.message : String(e);
  if (/malformed|not a database|corrupt/.test(message)) return new DatabaseRefusedError(damaged(path, message));
  return new DatabaseRefusedError(`cannot open ${path}: ${message}`);
}

function damaged(path: string, why: string): string {
  return `${path} is damaged (${why}) and was left as it is; restore a backup, or move it away to start empty`;
}
