// The database file: its tables, how it is opened, and what is refused.
import { DatabaseSync } from "node:sqlite";
import { DatabaseFileError, openError } from "./errors.ts";

/** Marks the file as ours (`PRAGMA application_id`, "Kubl"). */
export const APPLICATION_ID = 0x4b75626c;

/** `PRAGMA user_version` of files that this program writes. */
const SCHEMA_VERSION = 3;

/** The first version whose pointer table remembers deleted keys as long as there is history of them. */
export const TOMBSTONES_SINCE = 2;

/** The first version that packs relaxed changes. */
export const PACKS_SINCE = 3;

/** What keys and values are kept in, and the steps from one version to the next: step i leads from version i to i+1. */
const MIGRATIONS: readonly string[] = [
  `
  -- Every change in the order of revisions; value is NULL for a delete. The only thing that a commit must write.
  CREATE TABLE changes(
    revision INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    prev_revision INTEGER NOT NULL,
    expires INTEGER,
    value
  );
  -- Where the newest value of each key is. Written behind the log: changes above meta.flushed are not in here yet.
  CREATE TABLE objects(
    key TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    expires INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX objects_expiring ON objects(expires) WHERE expires IS NOT NULL;
  -- flushed:   objects holds every change up to this revision that changes holds (and may hold newer ones)
  -- compacted: history at or below this revision is gone or going
  -- swept:     superseded changes have been deleted up to this revision
  -- revision:  no revision up to this one is handed out again
  CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('flushed', 1), ('compacted', 0), ('swept', 0), ('revision', 1);
  `,
  `
  -- Who reads the past finds deleted keys in the pointer table, too: objects.revision is negative for a key whose newest
  -- change is a delete, until compaction takes that away; changes.prev_revision is negative for a create behind a delete.
  CREATE TEMP TABLE gone(key TEXT, revision INTEGER, PRIMARY KEY(key, revision)) WITHOUT ROWID;
  INSERT INTO gone SELECT key, revision FROM changes WHERE value IS NULL;
  UPDATE changes SET prev_revision =
    -coalesce((SELECT max(g.revision) FROM gone g WHERE g.key = changes.key AND g.revision < changes.revision), 0)
    WHERE prev_revision = 0 AND key IN (SELECT key FROM gone);
  INSERT OR IGNORE INTO objects(key, revision) SELECT key, -max(revision) FROM gone
    WHERE revision <= (SELECT value FROM meta WHERE name = 'flushed') GROUP BY key;
  DROP TABLE gone;
  `,
  `
  -- Relaxed changes that are not in the log yet. A pack is named by its last revision, and is good if all of its parts
  -- are there; slots are written again and again, and each fills a page.
  CREATE TABLE relaxed(
    slot INTEGER PRIMARY KEY,
    pack INTEGER NOT NULL,
    part INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  `,
];

/** Bytes of a page: small, because a commit writes whole pages. */
const PAGE_SIZE = 1024;

/** Kibibytes of pages that the writer keeps in memory. */
const CACHE_SIZE = 8000;

/** Bytes of the write-ahead log that are kept on disk for the next round. */
const LOG_SIZE_LIMIT = 8_388_608;

/** Bytes of a file up to which all of its structure is checked at every start; it takes 2 ms a megabyte. */
const CHECK_AT_OPEN = 33_554_432;

/** Opens for writing, and makes or migrates the tables. A file that is refused stays as it is. Throws DatabaseFileError. */
export function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    if (path !== ":memory:") inspect(path);
    db = new DatabaseSync(path);
    prepare(db);
    return db;
  } catch (error) {
    close(db);
    throw openError(error, path);
  }
}

/** A second connection of the same process, for reading history beside the writer. */
export function openReader(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true });
  // No memory mapping: a page that cannot be read has to be an error, not the end of the process.
  db.exec("PRAGMA query_only = 1; PRAGMA cache_size = -4000");
  return db;
}

/**
 * Looks at a file without changing anything in it or beside it: whether it is ours, of a version that we know, and
 * whole. Throws when it is not.
 */
function inspect(path: string): void {
  const { size } = Deno.statSync(path);
  if (size === 0) return;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT count(*) AS n FROM sqlite_schema").get()!.n as number;
    if (tables === 0) return;
    checkOurs(db, path);
    const found = size <= CHECK_AT_OPEN ? integrityProblems(db, 1) : [];
    if (found.length > 0) throw new Error(`database disk image is malformed: ${found[0]}`);
  } finally {
    close(db);
  }
}

/** Throws DatabaseFileError when a database is another program's, or of a version that we do not know. */
export function checkOurs(db: DatabaseSync, path: string): void {
  if (pragma(db, "application_id") !== APPLICATION_ID) {
    throw new DatabaseFileError(
      `${path} is a SQLite database of another program: give an empty or new path; nothing was changed`,
    );
  }
  const version = pragma(db, "user_version");
  if (version <= SCHEMA_VERSION) return;
  throw new DatabaseFileError(
    `${path} has schema version ${version}, this program knows up to ${SCHEMA_VERSION}: ` +
      "use the newer program that wrote it; nothing was changed",
  );
}

/** What is wrong with the structure of the file, at most `limit` things. */
function integrityProblems(db: DatabaseSync, limit: number): string[] {
  const rows = db.prepare(`PRAGMA quick_check(${limit})`).all();
  return rows.map((row) => row.quick_check as string).filter((text) => text !== "ok");
}

function prepare(db: DatabaseSync): void {
  const version = pragma(db, "user_version");
  if (version === 0) db.exec(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA auto_vacuum = INCREMENTAL`);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0");
  db.exec(`PRAGMA journal_size_limit = ${LOG_SIZE_LIMIT}`);
  db.exec(`PRAGMA cache_size = -${CACHE_SIZE}; PRAGMA foreign_keys = OFF`);
  if (version < SCHEMA_VERSION) migrate(db, version);
}

function close(db: DatabaseSync | undefined): void {
  try {
    db?.close();
  } catch {
    // Whatever went wrong before is what matters.
  }
}

function migrate(db: DatabaseSync, from: number): void {
  db.exec("BEGIN IMMEDIATE");
  for (let version = from; version < SCHEMA_VERSION; version++) db.exec(MIGRATIONS[version]);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

/** The value of a pragma that is one number. */
export function pragma(db: DatabaseSync, name: string): number {
  return Object.values(db.prepare(`PRAGMA ${name}`).get()!)[0] as number;
}

/** SQLite may have rolled back by itself already. */
export function rollback(db: DatabaseSync): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // Nothing was open.
  }
}
