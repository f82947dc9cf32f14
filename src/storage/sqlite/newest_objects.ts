// The objects that a database holds, read beside a server that may be writing.
import type { DatabaseSync } from "node:sqlite";
import type { Value } from "../interface.ts";
import { unloggedRows } from "./relaxed_log.ts";
import { ValueCodec } from "./value_codec.ts";

export interface StoredObject {
  key: string;
  revision: number;
  value: Value;
  /** Milliseconds since 1970; undefined: never. */
  expires: number | undefined;
}

/** In the order of the keys; may be gone through more than once. Values are read as they are asked for. */
export function newestObjects(
  db: DatabaseSync,
  { except }: { except(key: string): boolean },
): Iterable<StoredObject> & { readonly count: number } {
  const codec = new ValueCodec();
  const valueOf = db.prepare("SELECT value FROM changes WHERE revision = ?");
  // The log knows more than the pointers, which follow it in the background. The row that max() finds gives the others.
  const newest = db.prepare(
    "SELECT key, max(revision) AS revision, value IS NULL AS deleted, expires FROM changes GROUP BY key ORDER BY key",
  ).all().filter(({ key, deleted }) => !deleted && !except(key as string));
  // All of these are updates of keys that are in the table.
  const unlogged = new Map(unloggedRows(db).rows.map((row) => [row.key, row]));
  return {
    count: newest.length,
    *[Symbol.iterator]() {
      for (const row of newest) {
        const renewed = unlogged.get(row.key as string);
        if (renewed !== undefined) {
          yield renewed;
          continue;
        }
        const owner = { key: row.key as string, revision: row.revision as number };
        const value = codec.decode(valueOf.get(owner.revision)!.value as Uint8Array, owner);
        yield { ...owner, value, expires: row.expires as number | null ?? undefined };
      }
    },
  };
}
