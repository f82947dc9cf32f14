// Etcd flags: storage, whichever engine it is.
import { join } from "node:path";
import { flag } from "../flags/kinds.ts";
import { optionGroup, type OptionsOf } from "../flags/group.ts";
import { notNegative, oneOf, problem } from "./problems.ts";

const flags = {
  "delete-collection-workers": flag.int("How many objects of a collection are deleted at a time."),
  "enable-garbage-collector": flag.bool(
    "Leave dependents to a garbage collector, as finalizers and owner references ask.",
  ),
  "etcd-compaction-interval": flag.duration("How often old revisions are thrown away; 0 for never."),
  "storage-backend": flag.string("Where objects are kept: 'sqlite'.", { default: "sqlite" }),
  "storage-media-type": flag.string("How etcd objects are written; SQLite holds JSON."),
  "watch-cache": flag.bool("Answer reads and watches from memory."),
  "watch-cache-sizes": flag.strings(
    "resource[.group]#size: a size of 0 reads the resource from the database every time.",
  ),
};

export type StorageOptions = OptionsOf<typeof flags>;

const MEDIA_TYPES = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"] as const;

export const storage = optionGroup({
  name: "Etcd",
  flags,
  unenforced: { "storage-media-type": "SQLite holds JSON" },
  validate(o) {
    return [
      ...o["watch-cache-sizes"].flatMap(watchCacheSizeProblems),
      ...notNegative(o, ["etcd-compaction-interval"]),
      ...o["delete-collection-workers"] < 1
        ? [problem("delete-collection-workers", o["delete-collection-workers"], "must be positive")]
        : [],
      ...validateBackend(o["storage-backend"]),
      ...oneOf("storage-media-type", o["storage-media-type"], MEDIA_TYPES),
    ];
  },
  applyTo(o, config) {
    config.generic.storage = {
      ...config.generic.storage,
      deleteCollectionWorkers: o["delete-collection-workers"],
      garbageCollection: o["enable-garbage-collector"],
      compactionInterval: o["etcd-compaction-interval"],
      mediaType: o["storage-media-type"] as typeof MEDIA_TYPES[number],
      watchCache: o["watch-cache"],
      uncachedResources: o["watch-cache-sizes"].filter((entry) => entry.endsWith("#0"))
        .map((entry) => entry.slice(0, entry.indexOf("#"))),
    };
  },
});

function watchCacheSizeProblems(entry: string): string[] {
  const [resource, size, ...rest] = entry.split("#");
  if (size === undefined || rest.length > 0 || resource === "") {
    return [problem("watch-cache-sizes", entry, "must be resource[.group]#size")];
  }
  return /^\d+$/.test(size) ? [] : [problem("watch-cache-sizes", entry, "the size must be a number, not below zero")];
}

function validateBackend(backend: string): string[] {
  switch (backend) {
    case "sqlite":
      return [];
    case "etcd3":
      return ["not supported yet: --storage-backend=etcd3"];
    case "etcd2":
      return [problem("storage-backend", backend, "etcd2 is no longer a supported storage backend")];
    default:
      return [problem("storage-backend", backend, "must be one of sqlite, etcd3")];
  }
}

/** The database file unless --sqlite-path says otherwise. */
export function defaultDatabase(dataDir: string): string {
  return join(dataDir, "state.db");
}
