// A database file as backup, restore, check and stats see it: opened for reading only, whether a server runs on it or not.
import { DatabaseSync } from "node:sqlite";
import { DatabaseFileError, faultOf, openError } from "./errors.ts";
import { checkOurs, pragma } from "./schema.ts";

/**
 * Runs `read` in one read transaction: it sees one state, whatever a server writes meanwhile. Throws DatabaseFileError
 * when the file is not there, not ours or damaged.
 */
export async function readSnapshot<T>(path: string, read: (db: DatabaseSync) => T | Promise<T>): Promise<T> {
  let db: DatabaseSync | undefined;
  try {
    const { size, isFile } = Deno.statSync(path);
    if (!isFile) throw new DatabaseFileError(`${path} is no file`);
    if (size === 0) throw new DatabaseFileError(`${path} is empty`);
    db = new DatabaseSync(path, { readOnly: true });
    checkOurs(db, path);
    db.exec("BEGIN");
    // The transaction begins with the first read.
    pragma(db, "schema_version");
    return await read(db);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new DatabaseFileError(`${path}: no such file`);
    // What is not the file's fault is left to whoever reads.
    throw db !== undefined && faultOf(error) === "other" ? error : openError(error, path);
  } finally {
    try {
      db?.close();
    } catch {
      // What went wrong before is what matters.
    }
  }
}

/** One of the numbers that the database keeps about itself. */
export function meta(db: DatabaseSync, name: "flushed" | "compacted" | "swept" | "revision"): number {
  return db.prepare("SELECT value FROM meta WHERE name = ?").get(name)!.value as number;
}

/** The newest revision that may have been handed out. */
export function newestRevision(db: DatabaseSync): number {
  const last = db.prepare("SELECT max(revision) AS last FROM changes").get()!.last as number | null ?? 0;
  return Math.max(last, meta(db, "revision"));
}

/** 0 when there is no such file. */
export function fileBytes(file: string): number {
  try {
    return Deno.statSync(file).size;
  } catch {
    return 0;
  }
}
