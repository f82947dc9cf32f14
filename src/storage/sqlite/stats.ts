// What is in a database: objects and bytes by resource, the log, free space.
import { fileBytes, meta, newestRevision, readSnapshot } from "./offline.ts";
import { unloggedRows } from "./relaxed_log.ts";
import { pragma } from "./schema.ts";
import { textBytes } from "./value_codec.ts";

export interface DatabaseStats {
  fileBytes: number;
  logFileBytes: number;
  freeBytes: number;
  schemaVersion: number;
  revision: number;
  compactRevision: number;
  /** Changes in the log: the objects, history and deletions. */
  changes: number;
  objects: number;
  /** In the order of the stored bytes, the most first. */
  resources: ResourceStats[];
}

export interface ResourceStats {
  /** What its keys start with: `/registry/pods/`. */
  prefix: string;
  objects: number;
  /** Of their newest values, as text and as they are stored. */
  bytes: number;
  storedBytes: number;
  /** Changes in the log beyond the newest ones. */
  superseded: number;
}

/** Reads the state of one moment. Throws DatabaseFileError. */
export function databaseStats(path: string): Promise<DatabaseStats> {
  return readSnapshot(path, (db) => {
    const resources = new Map<string, ResourceStats>();
    const newest = new Map<string, number>();
    let changes = 0, objects = 0;
    // The log knows more than the pointers, which follow it in the background. Headers of values are enough.
    const rows = db.prepare(
      "SELECT revision, key, length(value) AS stored, substr(value, 1, 9) AS header FROM changes ORDER BY revision DESC",
    );
    for (const row of rows.iterate()) {
      changes++;
      const key = row.key as string, entry = entryOf(resources, key);
      if (newest.has(key)) {
        entry.superseded++;
        continue;
      }
      newest.set(key, row.revision as number);
      if (row.stored === null) continue;
      objects++;
      entry.objects++;
      entry.storedBytes += row.stored as number;
      entry.bytes += textBytes(row.header as Uint8Array);
    }
    // Updates of keys that are in the table.
    for (const { key } of unloggedRows(db).rows) {
      changes++;
      entryOf(resources, key).superseded++;
    }
    const pageSize = pragma(db, "page_size");
    return {
      fileBytes: fileBytes(path),
      logFileBytes: fileBytes(`${path}-wal`),
      freeBytes: pragma(db, "freelist_count") * pageSize,
      schemaVersion: pragma(db, "user_version"),
      revision: newestRevision(db),
      compactRevision: meta(db, "compacted"),
      changes,
      objects,
      resources: [...resources.values()].sort((a, b) => b.storedBytes - a.storedBytes),
    };
  });
}

function entryOf(resources: Map<string, ResourceStats>, key: string): ResourceStats {
  const prefix = resourcePrefix(key);
  let entry = resources.get(prefix);
  if (entry === undefined) {
    resources.set(prefix, entry = { prefix, objects: 0, bytes: 0, storedBytes: 0, superseded: 0 });
  }
  return entry;
}

/**
 * `/registry/pods/`, or with its group `/registry/example.com/widgets/`. Two resources share their first segment:
 * `/registry/services/specs/` and `/registry/services/endpoints/`.
 */
function resourcePrefix(key: string): string {
  const [, root, first, second] = key.split("/");
  const two = first.includes(".") || first === "services" || first === "ranges";
  return two ? `/${root}/${first}/${second}/` : `/${root}/${first}/`;
}
