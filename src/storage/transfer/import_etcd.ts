// Takes over what an etcd holds, of one moment, into a new SQLite database: revisions and times to live are kept.
import type { EtcdEntry, Keyspace } from "../etcd3/keyspace.ts";
import { isInternalKey } from "../internal_keys.ts";
import type { Progress } from "../sqlite/backup.ts";
import { makeDatabase, type NewObject } from "../sqlite/new_database.ts";
import { valueOf } from "../value.ts";
import type { Recoder } from "./recoder.ts";

export interface EtcdImport {
  objects: number;
  /** Keys that a server keeps about itself, or whose time was over. */
  skipped: number;
  /** The newest revision: the server goes on from it. */
  revision: number;
  /** Where the database is now that was there before. */
  replaced?: string;
}

export interface EtcdImportOptions {
  recoder: Recoder;
  progress: Progress;
  /** Put a database away that is there. */
  replace: boolean;
}

/**
 * Reads one revision of etcd. Throws an Error with one line, and then nothing has changed: etcd does not answer, has
 * compacted the revision meanwhile, or a value cannot be decrypted.
 */
export async function importEtcd(source: Keyspace, path: string, options: EtcdImportOptions): Promise<EtcdImport> {
  const { replace, progress } = options;
  const result = await makeDatabase(path, { fill: (add) => copy(source, add, options), replace });
  progress(1);
  return result;
}

async function copy(
  source: Keyspace,
  add: (object: NewObject) => void,
  { recoder, progress }: EtcdImportOptions,
): Promise<EtcdImport> {
  const revision = await source.revision(), total = await source.count(revision);
  if (total === 0) throw new Error("etcd holds nothing under this prefix: see --etcd-prefix");
  const result: EtcdImport = { objects: 0, skipped: 0, revision };
  // One transaction of etcd may have written several keys; here each has a revision of its own.
  const taken = new Set<number>();
  for await (const entry of source.entries(revision)) {
    const expires = isInternalKey(entry.key) ? 0 : await expiryOf(source, entry);
    if (expires !== undefined && expires <= Date.now()) {
      result.skipped++;
      continue;
    }
    const { key, value } = entry, plain = await recoder.read(key, value);
    const own = taken.has(entry.revision) ? ++result.revision : entry.revision;
    taken.add(own);
    add({ key, revision: own, value: valueOf(await recoder.seal(key, plain)), expires });
    result.objects++;
    progress(0.99 * (result.objects + result.skipped) / total);
  }
  const found = result.objects + result.skipped;
  if (found !== total) throw new Error(`etcd gave ${found} of ${total} keys of revision ${revision}`);
  return result;
}

/** Milliseconds since 1970. */
async function expiryOf(source: Keyspace, { lease }: EtcdEntry): Promise<number | undefined> {
  return lease === "0" ? undefined : Date.now() + 1000 * await source.ttlOf(lease);
}
