// Takes over what kine (the etcd shim on SQL) kept for a kube-apiserver: the newest value of every key, at its revision.
// Values are copied as they are; the server reads the forms that kube-apiserver writes, encrypted ones included.
import { DatabaseSync } from "node:sqlite";
import { isInternalKey } from "../internal_keys.ts";
import { valueOf } from "../value.ts";
import type { Progress } from "./backup.ts";
import { DatabaseFileError, openError } from "./errors.ts";
import { makeDatabase, type NewObject } from "./new_database.ts";
import { fileBytes } from "./offline.ts";

export interface ImportResult {
  objects: number;
  /** Keys that only a running kube-apiserver has a use for. */
  skipped: number;
  /** The newest revision: the server goes on from it. */
  revision: number;
  /** Where the database is now that was there before. */
  replaced?: string;
}

export interface KineImportOptions {
  progress: Progress;
  /** Put a database away that is there. */
  replace: boolean;
}

const ROWS_AT_ONCE = 1000;

interface Row {
  id: number;
  name: string;
  lease: number;
  value: Uint8Array;
}

/**
 * Makes a new database at `path` out of kine's file, which is only read. Throws DatabaseFileError when the file is no
 * such one, or when there is a database already that is not to be replaced.
 */
export async function importKine(
  file: string,
  path: string,
  { progress, replace }: KineImportOptions,
): Promise<ImportResult> {
  const source = openKine(file);
  try {
    const result = await makeDatabase(path, { fill: (add) => copy(source, add, progress), replace });
    progress(1);
    return result;
  } catch (error) {
    throw openError(error, file);
  } finally {
    source.close();
  }
}

function openKine(file: string): DatabaseSync {
  if (fileBytes(file) === 0) throw new DatabaseFileError(`${file}: no such file, or an empty one`);
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.prepare("SELECT id, name, deleted, lease, value FROM kine LIMIT 1").get();
    return db;
  } catch (error) {
    db.close();
    throw new DatabaseFileError(`${file} is no database of kine: ${(error as Error).message}`);
  }
}

async function copy(
  source: DatabaseSync,
  add: (object: NewObject) => void,
  progress: Progress,
): Promise<ImportResult> {
  source.exec("BEGIN");
  const revision = source.prepare("SELECT max(id) AS last FROM kine").get()!.last as number | null ?? 1;
  const newest = source.prepare(
    "SELECT id, name, lease, value FROM kine WHERE deleted = 0 AND id IN (SELECT max(id) FROM kine GROUP BY name) " +
      "ORDER BY id",
  );
  const result: ImportResult = { objects: 0, skipped: 0, revision };
  for (const row of newest.iterate()) {
    const { id, name, lease, value } = row as unknown as Row;
    if (!name.startsWith("/registry/") || isInternalKey(name)) {
      result.skipped++;
      continue;
    }
    // When it was written is not known: it gets its whole time to live again.
    const expires = lease > 0 ? Date.now() + lease * 1000 : undefined;
    add({ key: name, revision: id, value: valueOf(value), expires });
    if (++result.objects % ROWS_AT_ONCE > 0) continue;
    progress(id / revision);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return result;
}
