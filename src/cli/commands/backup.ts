// `backup FILE`, `restore FILE` and `import-kine FILE`.
import { resolve } from "node:path";
import { backUp } from "../../storage/sqlite/backup.ts";
import { importKine } from "../../storage/sqlite/import_kine.ts";
import { restore } from "../../storage/sqlite/restore.ts";
import { databasePath, formatBytes, newDatabasePath, oneArgument, progressBar } from "./database.ts";
import type { CommandContext } from "./mod.ts";

export async function runBackup(context: CommandContext): Promise<number> {
  const file = oneArgument("backup", "the file to write", context);
  const { bytes, sha256, revision } = await backUp(databasePath(context), resolve(file), progressBar("copied"));
  console.log(`${file}: ${formatBytes(bytes)}, up to revision ${revision}, sha256 ${sha256}`);
  return 0;
}

export async function runRestore(context: CommandContext): Promise<number> {
  const file = oneArgument("restore", "the backup", context), path = newDatabasePath(context);
  const { objects, revision, replaced, compared } = await restore(resolve(file), path, progressBar("restored"));
  if (!compared) {
    console.log(`${file}.sha256 has no checksum of it: the values' own checksums were checked, the file's was not`);
  }
  console.log(`${path}: ${objects} objects; the server goes on behind revision ${revision}`);
  if (replaced !== undefined) console.log(`the database that was there is ${replaced} now`);
  return 0;
}

export async function runImportKine(context: CommandContext): Promise<number> {
  const file = oneArgument("import-kine", "kine's database file", context), path = newDatabasePath(context);
  const options = { progress: progressBar("imported"), replace: context.values.get("replace") === true };
  const { objects, skipped, revision, replaced } = await importKine(resolve(file), path, options);
  console.log(`${path}: ${objects} objects; the server goes on behind revision ${revision}`);
  if (skipped > 0) console.log(`${skipped} keys of the old server about itself were left out`);
  if (replaced !== undefined) console.log(`the database that was there is ${replaced} now`);
  return 0;
}
