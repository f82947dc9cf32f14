// One process for one database file.
import { existsSync } from "node:fs";
import { DatabaseFileError } from "./errors.ts";
import { fileBytes } from "./offline.ts";

/**
 * Holds `<path>-lock` until the file that it returns is closed; the system closes it when the process dies.
 * Throws DatabaseFileError.
 */
export function lockFile(path: string): Deno.FsFile {
  const lock = open(`${path}-lock`, path);
  if (lock.tryLockSync(true)) return lock;
  lock.close();
  throw new DatabaseFileError(`${path} is in use by another process: one database serves one server`);
}

/**
 * Makes the database file when there is none, readable by its owner only, because secrets are kept in it; to be called
 * before SQLite opens it: closing a file lets go of every lock that SQLite holds on it. An empty file is a new database,
 * as it is for SQLite: who calls mktemp, or was killed at his first start, has one. Throws DatabaseFileError, also where
 * the write-ahead log beside an empty file says that it held something: SQLite would throw that away.
 */
export function ensureFile(path: string): void {
  if (fileBytes(`${path}-wal`) > 0 && isEmptyFile(path)) {
    throw new DatabaseFileError(
      `${path} is empty, and its write-ahead log is not: restore a backup, or remove ${path}-wal to start empty`,
    );
  }
  open(path, path).close();
}

function isEmptyFile(path: string): boolean {
  return existsSync(path) && fileBytes(path) === 0;
}

function open(file: string, path: string): Deno.FsFile {
  try {
    return Deno.openSync(file, { create: true, write: true, mode: 0o600 });
  } catch (error) {
    throw new DatabaseFileError(`cannot open ${path}: ${whyNot(error, file)}`, { cause: error });
  }
}

function whyNot(error: unknown, file: string): string {
  if (error instanceof Deno.errors.NotFound) return "its folder does not exist";
  // Of the database itself, or of the lock beside it.
  return `${file} cannot be written: ${(error as Error).message.replace(/ \(os error .*$/, "")}`;
}
