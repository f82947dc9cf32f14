// The writer: the only one to change the database. It lives in a worker, so that a slow disk blocks nobody else, and
// commits all that has queued up as one transaction.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { openWriter } from "./schema.ts";

/** One compare-and-set write. `value` undefined deletes. `expires`: milliseconds since 1970, null for never. */
export interface Write {
  key: string;
  value?: string;
  expected: number;
  expires: number | null;
}

/** Done at a revision with the one before, or refused with what is there now. */
export type Written =
  | { revision: number; prevRevision: number }
  | { current?: { revision: number; value: string } };

export type WriterRequest =
  | { id: number; writes: Write[] }
  | { id: number; compact: { from: number; to: number } }
  | { id: number; close: true };

export type WriterReply =
  | { id: number; written: Written[] }
  | { id: number; done: true }
  | { id: number; error: string };

export class Writer {
  readonly #database: DatabaseSync;
  readonly #pointer: StatementSync;
  readonly #value: StatementSync;
  readonly #append: StatementSync;
  readonly #point: StatementSync;
  readonly #unpoint: StatementSync;
  #revision: number;

  constructor(path: string) {
    const database = this.#database = openWriter(path);
    this.#pointer = database.prepare("SELECT revision FROM objects WHERE key = ?");
    this.#value = database.prepare("SELECT value FROM changes WHERE revision = ?");
    this.#append = database.prepare("INSERT INTO changes VALUES (?, ?, ?, ?, ?)");
    this.#point = database.prepare(
      "INSERT INTO objects VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, expires = excluded.expires",
    );
    this.#unpoint = database.prepare("DELETE FROM objects WHERE key = ?");
    this.#revision = database.prepare("SELECT coalesce(max(revision), 0) AS r FROM changes").get()!.r as number;
  }

  /** All or nothing; in the order given, so that a later write sees the earlier ones. */
  commit(writes: readonly Write[]): Written[] {
    const before = this.#revision;
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const written = writes.map((write) => this.#apply(write));
      this.#database.exec("COMMIT");
      return written;
    } catch (e) {
      this.#revision = before;
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw e;
    }
  }

  #apply({ key, value, expected, expires }: Write): Written {
    const row = this.#pointer.get(key);
    const present = row === undefined ? 0 : row.revision as number;
    if (present !== expected) {
      if (present === 0) return {};
      return { current: { revision: present, value: this.#value.get(present)!.value as string } };
    }
    const revision = ++this.#revision;
    const deletes = value === undefined;
    this.#append.run(revision, key, deletes ? 1 : 0, present, deletes ? null : value);
    if (deletes) this.#unpoint.run(key);
    else this.#point.run(key, revision, expires);
    return { revision, prevRevision: present };
  }

  /**
   * Forgets what changes in (from, to] superseded, and deletions among them; the newest revision is always kept, so
   * that revisions never repeat. Gives freed pages back to the file system.
   */
  compact(from: number, to: number): void {
    const database = this.#database;
    database.exec("BEGIN IMMEDIATE");
    try {
      database.prepare(
        "DELETE FROM changes WHERE revision IN (SELECT prev_revision FROM changes WHERE revision > ? AND revision <= ? AND prev_revision > 0)",
      ).run(from, to);
      database.prepare("DELETE FROM changes WHERE revision > ? AND revision <= ? AND deleted = 1").run(from, to);
      database.prepare("UPDATE meta SET value = ? WHERE name = 'compacted'").run(to);
      database.exec("COMMIT");
    } catch (e) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw e;
    }
    database.exec("PRAGMA incremental_vacuum(200)");
  }

  close(): void {
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#database.close();
  }

  /** The connection itself, where reader and writer are one (`:memory:`). */
  get database(): DatabaseSync {
    return this.#database;
  }
}

interface WorkerScope {
  onmessage: ((event: MessageEvent<WriterRequest | { open: string }>) => void) | null;
  postMessage(message: WriterReply): void;
  close(): void;
}

/** The worker's main: the first message says which file to open, the others are {@link WriterRequest}s. */
export function runWriter(): void {
  const scope = self as unknown as WorkerScope;
  let writer: Writer | undefined;
  scope.onmessage = ({ data }) => {
    if ("open" in data) {
      try {
        writer = new Writer(data.open);
        scope.postMessage({ id: 0, done: true });
      } catch (e) {
        scope.postMessage({ id: 0, error: (e as Error).message });
      }
      return;
    }
    scope.postMessage(serve(writer!, data));
    if ("close" in data) scope.close();
  };
}

function serve(writer: Writer, request: WriterRequest): WriterReply {
  try {
    if ("writes" in request) return { id: request.id, written: writer.commit(request.writes) };
    if ("compact" in request) writer.compact(request.compact.from, request.compact.to);
    else writer.close();
    return { id: request.id, done: true };
  } catch (e) {
    return { id: request.id, error: (e as Error).message };
  }
}
