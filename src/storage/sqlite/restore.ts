// Puts a backup in the place of a database. Whoever remembers revisions from before reads everything anew.
import { basename } from "node:path";
import { changeFile, copyDatabase, type Progress, putInPlace, sha256Of } from "./backup.ts";
import { checkDatabaseFile, type CheckResult } from "./check.ts";
import { DatabaseFileError, messageOf } from "./errors.ts";
import { lockFile } from "./lock.ts";
import { fileBytes, newestRevision, readSnapshot } from "./offline.ts";

export interface RestoreResult {
  objects: number;
  /** The revision that the server goes on from. */
  revision: number;
  /** Where the database is now that was there before; undefined: there was none. */
  replaced?: string;
  /** Whether there was a checksum to compare with. */
  compared: boolean;
}

/**
 * Revisions that are left out behind the newest known one: what was handed out after the backup was taken, and never
 * reached the database that is replaced, is not handed out again.
 */
const SKIPPED = 1_000_000_000;

/**
 * Checks a backup and makes it the database at `path`, on which no server may run. What was there is kept under
 * another name. History is gone: watches from before are told to start over. Throws DatabaseFileError.
 */
export async function restore(file: string, path: string, progress: Progress): Promise<RestoreResult> {
  const existed = fileBytes(path) > 0, fresh = `${path}.restoring`;
  const lock = lockFile(path);
  try {
    const compared = await compareChecksum(file);
    const { objects } = await check(file, (done) => progress(done / 2));
    const copied = await copyDatabase(file, fresh, (done) => progress(0.5 + done / 2));
    const known = Math.max(copied, existed ? await newest(path).catch(() => 0) : 0), revision = known + SKIPPED;
    // Every revision up to this one is compacted, and none of them is handed out any more.
    changeFile(fresh, (db) => {
      db.prepare("UPDATE meta SET value = ? WHERE name IN ('revision', 'compacted')").run(revision);
    });
    const replaced = existed ? await moveAway(path) : undefined;
    await putInPlace(fresh, path);
    progress(1);
    return { objects, revision, replaced, compared };
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw error;
  } finally {
    lock.close();
  }
}

/** Throws DatabaseFileError, in the words of a backup, when it is not whole. */
async function check(file: string, progress: Progress): Promise<CheckResult> {
  const checked = await checkDatabaseFile(file, progress).catch((error: Error) => {
    throw error.cause === undefined ? error : damaged(file, messageOf(error.cause));
  });
  if (checked.problems.length > 0) throw damaged(file, checked.problems[0]);
  return checked;
}

function damaged(file: string, why: string): DatabaseFileError {
  return new DatabaseFileError(`${file} is damaged or no backup (${why}): take another one; nothing was changed`);
}

function newest(file: string): Promise<number> {
  return readSnapshot(file, newestRevision);
}

/** Whether the file is what its checksum says; false when there is none. Throws DatabaseFileError when it is not. */
async function compareChecksum(file: string): Promise<boolean> {
  const text = await Deno.readTextFile(`${file}.sha256`).catch(() => undefined);
  if (text === undefined) return false;
  const [wanted, name] = text.trim().split(/\s+\*?/);
  if (name !== undefined && basename(name) !== basename(file)) return false;
  if (wanted.toLowerCase() === await sha256Of(file)) return true;
  throw new DatabaseFileError(`${file} is not what ${file}.sha256 says: it is damaged or cut off; nothing was changed`);
}

/** Renames a database with its write-ahead log, and says to what. */
export async function moveAway(path: string): Promise<string> {
  const stamp = new Date().toISOString().replace(/\.\d+Z$/, "Z").replaceAll(/[-:]/g, "");
  let replaced = `${path}.replaced-${stamp}`;
  // Two in one second must not cost the first one.
  for (let i = 2; fileBytes(replaced) > 0; i++) replaced = `${path}.replaced-${stamp}-${i}`;
  await Deno.rename(path, replaced);
  await Deno.rename(`${path}-wal`, `${replaced}-wal`).catch(() => {});
  await Deno.remove(`${path}-shm`).catch(() => {});
  return replaced;
}
