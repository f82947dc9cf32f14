// Makes a database file out of what another program or engine holds: all of it, or none.
import type { DatabaseSync } from "node:sqlite";
import type { Value } from "../interface.ts";
import { changeFile, createPrivate, putInPlace } from "./backup.ts";
import { DatabaseFileError } from "./errors.ts";
import { lockFile } from "./lock.ts";
import { fileBytes } from "./offline.ts";
import { moveAway } from "./restore.ts";
import { openDatabase } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";

export interface NewObject {
  key: string;
  revision: number;
  value: Value;
  /** Milliseconds since 1970; undefined: never. */
  expires?: number;
}

export interface NewDatabase<Result> {
  /** Adds objects and gives what is to be told, with the revision that the server goes on from. */
  fill(add: (object: NewObject) => void): Promise<Result & { revision: number }>;
  /** Whether a database that is there may be put away. */
  replace: boolean;
}

/**
 * Throws DatabaseFileError when there is a database at `path` already, and what `fill` throws; then everything is as it
 * was. History begins with the new file.
 * @returns what `fill` gave, and where the database is now that was there before
 */
export async function makeDatabase<Result>(
  path: string,
  { fill, replace }: NewDatabase<Result>,
): Promise<Result & { revision: number; replaced?: string }> {
  const existed = fileBytes(path) > 0;
  if (existed && !replace) {
    throw new DatabaseFileError(`${path} exists already: give another path, or --replace to put it away`);
  }
  const lock = lockFile(path), fresh = `${path}.importing`;
  try {
    createPrivate(fresh);
    const result = await write(openDatabase(fresh), fill);
    changeFile(fresh, () => {});
    const replaced = existed ? await moveAway(path) : undefined;
    await putInPlace(fresh, path);
    return { ...result, replaced };
  } catch (error) {
    await Deno.remove(fresh).catch(() => {});
    throw error;
  } finally {
    lock.close();
  }
}

async function write<Result>(
  db: DatabaseSync,
  fill: NewDatabase<Result>["fill"],
): Promise<Result & { revision: number }> {
  try {
    const codec = new ValueCodec();
    const insert = db.prepare("INSERT INTO changes VALUES (?, ?, 0, ?, ?)");
    const point = db.prepare("INSERT INTO objects VALUES (?, ?, ?)");
    db.exec("BEGIN");
    const result = await fill(({ key, revision, value, expires }) => {
      insert.run(revision, key, expires ?? null, codec.encode(value, { key, revision }));
      point.run(key, revision, expires ?? null);
    });
    db.prepare("UPDATE meta SET value = ?").run(result.revision);
    db.exec("COMMIT");
    return result;
  } finally {
    db.close();
  }
}
