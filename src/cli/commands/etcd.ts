// `import-etcd` and `export-etcd`: a whole database moves between SQLite and etcd.
import { resourceOfKey } from "../../registry/resource_of_key.ts";
import { createEncryption, type Encryption } from "../../storage/encryption/mod.ts";
import { Keyspace } from "../../storage/etcd3/keyspace.ts";
import { exportEtcd } from "../../storage/transfer/export_etcd.ts";
import { importEtcd } from "../../storage/transfer/import_etcd.ts";
import { Recoder } from "../../storage/transfer/recoder.ts";
import { OptionFiles } from "../flags/files.ts";
import { UsageError } from "../flags/parse.ts";
import { newOptions } from "../options/mod.ts";
import { fileTrouble } from "../options/problems.ts";
import { etcdConfig, validateEtcd } from "../options/storage_etcd.ts";
import { databasePath, newDatabasePath, progressBar } from "./database.ts";
import type { CommandContext } from "./mod.ts";

/** What keys begin with in SQLite, and in etcd unless it was told otherwise. */
const ROOT = "/registry";

export function runImportEtcd(context: CommandContext): Promise<number> {
  const path = newDatabasePath(context);
  return withEtcd("import-etcd", context, async ({ keyspace, prefix, encryption, replace }) => {
    const recoder = new Recoder({ encryption, resourceOf: resourceOfKey, from: prefix, to: ROOT });
    const progress = progressBar("imported");
    const { objects, skipped, revision, replaced } = await importEtcd(keyspace, path, { recoder, progress, replace });
    console.log(`${path}: ${objects} objects; the server goes on behind revision ${revision}`);
    if (skipped > 0) console.log(`${skipped} keys of the old servers about themselves, or at their end, were left out`);
    if (replaced !== undefined) console.log(`the database that was there is ${replaced} now`);
    return 0;
  });
}

export function runExportEtcd(context: CommandContext): Promise<number> {
  const path = databasePath(context);
  return withEtcd("export-etcd", context, async ({ keyspace, prefix, encryption, replace }) => {
    const recoder = new Recoder({ encryption, resourceOf: resourceOfKey, from: ROOT, to: prefix });
    const progress = progressBar("exported");
    const { objects, unchanged, removed } = await exportEtcd(path, keyspace, { recoder, progress, replace });
    console.log(`${objects} objects are in etcd under ${prefix}, each read back and compared`);
    if (unchanged > 0) console.log(`${unchanged} of them were there already`);
    if (removed > 0) console.log(`${removed} other keys were taken away`);
    console.log("resourceVersions are etcd's own from now on: controllers and other clients have to be started anew");
    return 0;
  });
}

interface Etcd {
  keyspace: Keyspace;
  prefix: string;
  encryption: Encryption | undefined;
  replace: boolean;
}

/** Throws a UsageError for flags that make no sense. */
async function withEtcd(
  command: string,
  { args, values }: CommandContext,
  run: (etcd: Etcd) => Promise<number>,
): Promise<number> {
  if (args.length > 0) throw new UsageError(`"kubelith ${command}" does not take any arguments`);
  const { storage } = newOptions(values), files = new OptionFiles(), given = new Set(values.keys());
  const problems = validateEtcd(storage, { files, given });
  if (problems.length > 0) throw new UsageError(problems[0]);
  const { leaseReuseSeconds, ...config } = etcdConfig(storage, { files, given });
  const encryption = await openEncryption(storage["encryption-provider-config"], files);
  const keyspace = new Keyspace({ ...config, leaseReuseSeconds });
  try {
    return await run({ keyspace, prefix: config.prefix, encryption, replace: values.get("replace") === true });
  } finally {
    keyspace.close();
    encryption?.close();
  }
}

async function openEncryption(file: string, files: OptionFiles): Promise<Encryption | undefined> {
  if (file === "") return undefined;
  try {
    return await createEncryption(files.read(file));
  } catch (e) {
    throw new UsageError(fileTrouble("encryption-provider-config", file, e));
  }
}
