// Puts a backup in the place of a database. Whoever remembers revisions from before reads everything anew.
import { basename } from "node:path";
import { changeFile, type Progress, sha256Of } from "./backup.ts";
import { checkDatabaseFile } from "./check.ts";
import { DatabaseFileError } from "./errors.ts";
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
  const existed = fileBytes(path) > 0;
  const lock = lockFile(path);
  try {
    const compared = await compareChecksum(file);
    const checked = await checkDatabaseFile(file, (done) => progress(done / 2));
    if (checked.problems.length > 0) {
      throw new DatabaseFileError(
        `${file} is damaged (${checked.problems[0]}): take another backup; nothing was changed`,
      );
    }
    const known = Math.max(await newest(file), existed ? await newest(path).catch(() => 0) : 0);
    const fresh = `${path}.restoring`;
    await copy(file, fresh, (done) => progress(0.5 + done / 2));
    const revision = known + SKIPPED;
    // Every revision up to this one is compacted, and none of them is handed out any more.
    changeFile(fresh, (db) => {
      db.prepare("UPDATE meta SET value = ? WHERE name IN ('revision', 'compacted')").run(revision);
    });
    const replaced = existed ? await moveAway(path) : undefined;
    await Deno.rename(fresh, path);
    progress(1);
    return { objects: checked.objects, revision, replaced, compared };
  } finally {
    lock.close();
  }
}

function newest(file: string): Promise<number> {
  return readSnapshot(file, newestRevision);
}

/** Whether the file is what its checksum says; false when there is none. Throws DatabaseFileError when it is not. */
async function compareChecksum(file: string): Promise<boolean> {
  const text = await Deno.readTextFile(`${file}.sha256`).catch(() => undefined);
  if (text === undefined) return false;
  const [wanted, name] = text.trim().split(/\s+\*?/);
  if (name !== undefined && name !== basename(file)) return false;
  if (wanted === await sha256Of(file)) return true;
  throw new DatabaseFileError(`${file} is not what ${file}.sha256 says: it is damaged or cut off; nothing was changed`);
}

async function copy(from: string, to: string, progress: Progress): Promise<void> {
  using source = await Deno.open(from);
  using target = await Deno.open(to, { create: true, write: true, truncate: true, mode: 0o600 });
  const { size } = await source.stat();
  const writer = target.writable.getWriter();
  let copied = 0;
  for await (const chunk of source.readable) {
    await writer.write(chunk);
    progress((copied += chunk.length) / size);
  }
  await writer.close();
}

/** Renames a database with its write-ahead log, and says to what. */
export async function moveAway(path: string): Promise<string> {
  const stamp = new Date().toISOString().replace(/\.\d+Z$/, "Z").replaceAll(/[-:]/g, "");
  const replaced = `${path}.replaced-${stamp}`;
  await Deno.rename(path, replaced);
  await Deno.rename(`${path}-wal`, `${replaced}-wal`).catch(() => {});
  await Deno.remove(`${path}-shm`).catch(() => {});
  return replaced;
}
