// Takes over what kine (the etcd shim on SQL) kept for a kube-apiserver: the newest value of every key, at its revision.
// Values are copied as they are; the server reads the forms that kube-apiserver writes, encrypted ones included.
import { DatabaseSync } from "node:sqlite";
import { valueOf } from "../value.ts";
import { changeFile, createPrivate, type Progress } from "./backup.ts";
import { DatabaseFileError, openError } from "./errors.ts";
import { lockFile } from "./lock.ts";
import { fileBytes } from "./offline.ts";
import { openDatabase } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

export interface ImportResult {
  objects: number;
  /** Keys that only a running kube-apiserver has a use for. */
  skipped: number;
  /** The newest revision: the server goes on from it. */
  revision: number;
}

/** What a server keeps about itself: it writes its own. */
const INTERNAL = /^\/registry\/(health$|masterleases\/|peerserverleases\/|ranges\/)/;
const ROWS_AT_ONCE = 1000;

interface Row {
  id: number;
  name: string;
  lease: number;
  value: Uint8Array;
}

/**
 * Makes a new database at `path` out of kine's file, which is only read. Throws DatabaseFileError when the file is no
 * such one, or when there is a database already.
 */
export async function importKine(file: string, path: string, progress: Progress): Promise<ImportResult> {
  if (fileBytes(path) > 0) throw new DatabaseFileError(`${path} exists already: give a new path, or move it away`);
  const source = openKine(file), lock = lockFile(path), fresh = `${path}.importing`;
  try {
    createPrivate(fresh);
    const result = await copy(source, fresh, progress);
    changeFile(fresh, () => {});
    await Deno.rename(fresh, path);
    progress(1);
    return result;
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw openError(error, file);
  } finally {
    source.close();
    lock.close();
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

async function copy(source: DatabaseSync, fresh: string, progress: Progress): Promise<ImportResult> {
  const db = openDatabase(fresh), codec = new ValueCodec();
  const insert = db.prepare("INSERT INTO changes VALUES (?, ?, 0, ?, ?)");
  const point = db.prepare("INSERT INTO objects VALUES (?, ?, ?)");
  source.exec("BEGIN");
  const revision = source.prepare("SELECT max(id) AS last FROM kine").get()!.last as number | null ?? 1;
  const newest = source.prepare(
    "SELECT id, name, lease, value FROM kine WHERE deleted = 0 AND id IN (SELECT max(id) FROM kine GROUP BY name) " +
      "ORDER BY id",
  );
  const result: ImportResult = { objects: 0, skipped: 0, revision };
  db.exec("BEGIN");
  try {
    for (const row of newest.iterate()) {
      const { id, name, lease, value } = row as unknown as Row;
      if (!name.startsWith("/registry/") || INTERNAL.test(name)) {
        result.skipped++;
        continue;
      }
      // When it was written is not known: it gets its whole time to live again.
      const expires = lease > 0 ? Date.now() + lease * 1000 : null;
      insert.run(id, name, expires, codec.encode(valueOf(value), { key: name, revision: id }));
      point.run(name, id, expires);
      if (++result.objects % ROWS_AT_ONCE > 0) continue;
      progress(id / revision);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    db.prepare("UPDATE meta SET value = ?").run(revision);
    db.exec("COMMIT");
    return result;
  } finally {
    db.close();
  }
}
