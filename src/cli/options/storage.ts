// Etcd flags: storage, whichever engine it is.
import { join } from "node:path";
import type { StorageConfig } from "../../server/config.ts";
import { flag } from "../flags/kinds.ts";
import { type OptionContext, optionGroup, type OptionsOf } from "../flags/group.ts";
import { fileTrouble, notNegative, oneOf, problem } from "./problems.ts";
import { ETCD_FLAGS, etcdConfig, etcdFlagsGiven, validateEtcd } from "./storage_etcd.ts";

const JSON_TYPE = "application/json";
const MEDIA_TYPES = [JSON_TYPE, "application/vnd.kubernetes.protobuf"] as const;

const flags = {
  "delete-collection-workers": flag.int("How many objects of a collection are deleted at a time."),
  "enable-garbage-collector": flag.bool(
    "Leave dependents to a garbage collector, as finalizers and owner references ask.",
  ),
  ...ETCD_FLAGS,
  "encryption-provider-config": flag.string(
    "EncryptionConfiguration: which resources are encrypted in the database, and how.",
  ),
  "encryption-provider-config-automatic-reload": flag.bool(
    "Take a changed --encryption-provider-config without a restart.",
  ),
  "etcd-compaction-interval": flag.duration("How often old revisions are thrown away; 0 for never."),
  "etcd-count-metric-poll-period": flag.duration(
    "0 leaves the numbers of objects out of the metrics; they are counted when asked for.",
  ),
  "etcd-db-metric-poll-interval": flag.duration("0 leaves the size of the database out of the metrics."),
  "storage-backend": flag.string("Where objects are kept: 'sqlite', or 'etcd3' as soon as --etcd-servers is given."),
  "storage-media-type": flag.string(
    `How objects are written to etcd: ${MEDIA_TYPES.join(" or ")}; SQLite holds JSON.`,
  ),
  "watch-cache": flag.bool("Answer reads and watches from memory."),
  "watch-cache-sizes": flag.strings(
    "resource[.group]#size: a size of 0 reads the resource from the database every time.",
  ),
};

export type StorageOptions = OptionsOf<typeof flags>;

export const storage = optionGroup({
  name: "Etcd",
  flags,
  async validate(o, context) {
    return [
      ...o["watch-cache-sizes"].flatMap(watchCacheSizeProblems),
      ...notNegative(o, ["etcd-compaction-interval", "etcd-count-metric-poll-period", "etcd-db-metric-poll-interval"]),
      ...o["delete-collection-workers"] < 1
        ? [problem("delete-collection-workers", o["delete-collection-workers"], "must be positive")]
        : [],
      ...validateBackend(o, context),
      ...await validateEncryption(o, context),
      ...oneOf("storage-media-type", o["storage-media-type"], MEDIA_TYPES),
    ];
  },
  applyTo(o, config, context) {
    if (storageBackend(o) === "etcd3") {
      config.generic.storage = { ...config.generic.storage, backend: "etcd3", etcd: etcdConfig(o, context) };
    }
    Object.assign(
      config.generic.storage,
      {
        encryption: encryptionConfig(o, context),
        deleteCollectionWorkers: o["delete-collection-workers"],
        garbageCollection: o["enable-garbage-collector"],
        compactionInterval: o["etcd-compaction-interval"],
        mediaType: storageBackend(o) === "etcd3" ? o["storage-media-type"] as typeof MEDIA_TYPES[number] : JSON_TYPE,
        collect: { objects: o["etcd-count-metric-poll-period"] > 0, size: o["etcd-db-metric-poll-interval"] > 0 },
        watchCache: o["watch-cache"],
        uncachedResources: o["watch-cache-sizes"].filter((entry) => entry.endsWith("#0"))
          .map((entry) => entry.slice(0, entry.indexOf("#"))),
      } satisfies Partial<StorageConfig>,
    );
  },
});

async function validateEncryption(o: StorageOptions, { files }: OptionContext): Promise<string[]> {
  const name = "encryption-provider-config", file = o[name];
  if (file === "") {
    const reload = o["encryption-provider-config-automatic-reload"];
    return reload ? [`--${name}-automatic-reload must be set with --${name}`] : [];
  }
  try {
    const { parseEncryptionConfiguration } = await import("../../storage/encryption/configuration.ts");
    await parseEncryptionConfiguration(files.read(file));
    return [];
  } catch (e) {
    return [fileTrouble(name, file, e)];
  }
}

function encryptionConfig(o: StorageOptions, { files }: OptionContext): StorageConfig["encryption"] {
  const file = o["encryption-provider-config"];
  if (file === "") return undefined;
  return { file, text: files.read(file), reload: o["encryption-provider-config-automatic-reload"] };
}

function watchCacheSizeProblems(entry: string): string[] {
  const [resource, size, ...rest] = entry.split("#");
  if (size === undefined || rest.length > 0 || resource === "") {
    return [problem("watch-cache-sizes", entry, "must be resource[.group]#size")];
  }
  return /^\d+$/.test(size) ? [] : [problem("watch-cache-sizes", entry, "the size must be a number, not below zero")];
}

function validateBackend(o: StorageOptions, context: OptionContext): string[] {
  switch (storageBackend(o)) {
    case "sqlite":
      return [
        ...etcdFlagsGiven(context),
        ...context.given.has("storage-media-type") && o["storage-media-type"] !== JSON_TYPE
          ? [problem("storage-media-type", o["storage-media-type"], "SQLite holds JSON")]
          : [],
      ];
    case "etcd3":
      return [
        ...validateEtcd(o, context),
        ...["sqlite-path", "relaxed-durability"].filter((name) => context.given.has(name))
          .map((name) => `--${name} is for SQLite, and objects are kept in etcd (--etcd-servers)`),
      ];
    case "etcd2":
      return [problem("storage-backend", "etcd2", "etcd2 is no longer a supported storage backend")];
    default:
      return [problem("storage-backend", o["storage-backend"], "must be one of sqlite, etcd3")];
  }
}

/** What was asked for, or what follows from --etcd-servers. */
export function storageBackend(o: Pick<StorageOptions, "storage-backend" | "etcd-servers">): string {
  return o["storage-backend"] || (o["etcd-servers"].length > 0 ? "etcd3" : "sqlite");
}

/** The database file unless --sqlite-path says otherwise. */
export function defaultDatabase(dataDir: string): string {
  return join(dataDir, "state.db");
}
