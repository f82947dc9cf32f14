// Moves what a SQLite database holds into an etcd, where a kube-apiserver or Kubelith goes on with it. What is there
// already and is the same stays, so that the command can be given again when it was cut off.
import type { EtcdEntry, Keyspace } from "../etcd3/keyspace.ts";
import { isInternalKey } from "../internal_keys.ts";
import type { Progress } from "../sqlite/backup.ts";
import { newestObjects, type StoredObject } from "../sqlite/newest_objects.ts";
import { readSnapshot } from "../sqlite/offline.ts";
import { bytesOf, sameBytes } from "../value.ts";
import type { Recoder } from "./recoder.ts";

export interface EtcdExport {
  /** What etcd holds now, each value read back and compared. */
  objects: number;
  /** How many of them were there already. */
  unchanged: number;
  /** Keys that were taken away. */
  removed: number;
}

export interface EtcdExportOptions {
  recoder: Recoder;
  progress: Progress;
  /** Take away what else there is. */
  replace: boolean;
}

/** The share of the work that writing is; the rest is reading back. */
const WRITING = 0.7;

/** Throws an Error with one line; the same command goes on where it ended. */
export async function exportEtcd(path: string, target: Keyspace, options: EtcdExportOptions): Promise<EtcdExport> {
  const { replace, progress } = options;
  return await readSnapshot(path, async (db) => {
    if (!replace && await target.count() > 0 && !await target.begun()) {
      throw new Error("etcd holds keys under this prefix already: give --replace to have them taken away");
    }
    await target.begin();
    try {
      const source = newestObjects(db, { except: isInternalKey });
      const result = await write(source, target, options);
      await verify(source, target, options);
      await target.end();
      progress(1);
      return result;
    } catch (error) {
      await target.flush().catch(() => {});
      const { message } = error as Error;
      throw new Error(`${message}; not all is in etcd yet: give the same command again`, { cause: error });
    }
  });
}

async function write(
  source: Source,
  target: Keyspace,
  { recoder, progress }: EtcdExportOptions,
): Promise<EtcdExport> {
  const result: EtcdExport = { objects: 0, unchanged: 0, removed: 0 };
  for await (const { mine, theirs } of pairs(source, target)) {
    if (mine === undefined) {
      result.removed++;
      await target.delete(theirs!.key);
      continue;
    }
    const { key, expires } = mine, ttl = expires && Math.ceil((expires - Date.now()) / 1000);
    if (ttl !== undefined && ttl <= 0) continue;
    if (await isSame(mine, theirs, recoder)) result.unchanged++;
    else await target.put(key, await recoder.seal(key, await recoder.read(key, bytesOf(mine.value))), ttl);
    progress(WRITING * ++result.objects / source.count);
  }
  await target.flush();
  return result;
}

async function verify(source: Source, target: Keyspace, { recoder, progress }: EtcdExportOptions): Promise<void> {
  let read = 0;
  for await (const { mine, theirs } of pairs(source, target)) {
    progress(WRITING + (1 - WRITING) * Math.min(read++ / source.count, 0.99));
    if (mine?.expires !== undefined && theirs === undefined) continue;
    if (mine !== undefined && await isSame(mine, theirs, recoder)) continue;
    throw new Error(`${(mine ?? theirs)!.key} in etcd is not what was written: somebody else writes there`);
  }
}

async function isSame(mine: StoredObject, theirs: EtcdEntry | undefined, recoder: Recoder): Promise<boolean> {
  if (theirs === undefined) return false;
  const wanted = await recoder.read(mine.key, bytesOf(mine.value));
  // What cannot be read is not what is wanted.
  const found = await recoder.readBack(theirs.key, theirs.value).catch(() => undefined);
  return found !== undefined && sameBytes(found, wanted);
}

type Source = ReturnType<typeof newestObjects>;

/** Both sides in the order of the keys; undefined where only the other one has it. */
async function* pairs(
  source: Source,
  target: Keyspace,
): AsyncGenerator<{ mine: StoredObject | undefined; theirs: EtcdEntry | undefined }> {
  const entries = target.entries();
  const next = async (): Promise<EtcdEntry | undefined> => {
    for (let entry = await entries.next(); !entry.done; entry = await entries.next()) {
      if (!isInternalKey(entry.value.key)) return entry.value;
    }
    return undefined;
  };
  let theirs = await next();
  for (const mine of source) {
    for (; theirs !== undefined && theirs.key < mine.key; theirs = await next()) yield { mine: undefined, theirs };
    const same = theirs?.key === mine.key;
    yield { mine, theirs: same ? theirs : undefined };
    if (same) theirs = await next();
  }
  for (; theirs !== undefined; theirs = await next()) yield { mine: undefined, theirs };
}
