// Backups: a whole database file of one moment, and its checksum in a file beside it (as `sha256sum -c` reads it).
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { DatabaseFileError } from "./errors.ts";
import { newestRevision, readSnapshot } from "./offline.ts";

/** Told of how much of the whole is done, 0 to 1. */
export type Progress = (done: number) => void;

export interface BackupResult {
  bytes: number;
  /** Of the file, in hexadecimal. */
  sha256: string;
  /** The newest revision in it. */
  revision: number;
}

/** Pages that are copied without letting others run. */
const PAGES_AT_ONCE = 1000;

/**
 * Copies a database to a new file, also while a server writes to it: the copy is the state of one moment. The file is
 * there once it is whole. Throws DatabaseFileError.
 */
export async function backUp(path: string, file: string, progress: Progress): Promise<BackupResult> {
  if (await Deno.lstat(file).then(() => true, () => false)) {
    throw new DatabaseFileError(`${file} exists already: give a new name`);
  }
  const partial = `${file}.partial`;
  try {
    const revision = await copyDatabase(path, partial, progress);
    changeFile(partial, () => {});
    const sha256 = await sha256Of(partial);
    await Deno.writeTextFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`, { mode: 0o600 });
    sync(`${file}.sha256`);
    await putInPlace(partial, file);
    progress(1);
    return { bytes: (await Deno.stat(file)).size, sha256, revision };
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    throw error;
  }
}

/**
 * Copies a database with what is in its write-ahead log to a new file, and gives the newest revision in it. Throws
 * DatabaseFileError.
 */
export async function copyDatabase(path: string, file: string, progress: Progress): Promise<number> {
  createPrivate(file);
  return await readSnapshot(path, async (db) => {
    // The open transaction keeps the copy from starting over when somebody writes.
    await backup(db, file, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => progress(1 - remainingPages / totalPages),
    });
    return newestRevision(db);
  });
}

/** Of a file's contents, in hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  using opened = await Deno.open(file);
  for await (const chunk of opened.readable) hash.update(chunk);
  return hash.digest("hex");
}

/** Changes a database that nobody else uses, which is one file without a log from then on, and on the disk. */
export function changeFile(file: string, change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file);
  try {
    db.exec("PRAGMA journal_mode = DELETE");
    change(db);
  } finally {
    db.close();
  }
  sync(file);
}

/** Gives a file its name in place of whatever has it, for good. */
export async function putInPlace(file: string, path: string): Promise<void> {
  removeParts(path);
  await Deno.rename(file, path);
  // Not every system lets folders be opened; there the name may take a moment to reach the disk.
  const folder = await Deno.open(dirname(path)).catch(() => undefined);
  await folder?.sync().catch(() => {});
  folder?.close();
}

/** Waits until a file is on the disk. */
function sync(file: string): void {
  using opened = Deno.openSync(file, { read: true, write: true });
  opened.syncSync();
}

/** A new file that only its owner can read: there are secrets in it. Throws DatabaseFileError. */
export function createPrivate(file: string): void {
  try {
    Deno.openSync(file, { create: true, write: true, truncate: true, mode: 0o600 }).close();
    removeParts(file);
  } catch (error) {
    throw new DatabaseFileError(`cannot write ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Takes away what stands beside a file that is gone or was cut off: SQLite would take it for a part of the new one. */
function removeParts(file: string): void {
  for (const part of ["-journal", "-wal", "-shm"]) rmSync(file + part, { force: true });
}
