// `db check` and `db stats`.
import { checkDatabaseFile } from "../../storage/sqlite/check.ts";
import { databaseStats } from "../../storage/sqlite/stats.ts";
import { UsageError } from "../flags/parse.ts";
import { databasePath, formatBytes, progressBar } from "./database.ts";
import type { CommandContext } from "./mod.ts";
import { lookUp } from "../../machinery/look_up.ts";

const ACTIONS: Readonly<Record<string, (path: string) => Promise<number>>> = { check, stats };

export async function runDb(context: CommandContext): Promise<number> {
  const [action = "", ...more] = context.args, run = lookUp(ACTIONS, action);
  if (run === undefined || more.length > 0) {
    throw new UsageError(`"kubelith db" takes one argument, ${Object.keys(ACTIONS).join(" or ")}`);
  }
  return await run(databasePath(context));
}

/** 1 when something is wrong. */
async function check(path: string): Promise<number> {
  const { problems, changes, objects } = await checkDatabaseFile(path, progressBar("checked"));
  if (problems.length === 0) {
    console.log(`${path} is whole: ${objects} objects, ${changes} changes`);
    return 0;
  }
  for (const problem of problems) console.log(problem);
  console.log(`${path} is damaged: stop the server and restore a backup`);
  return 1;
}

async function stats(path: string): Promise<number> {
  const s = await databaseStats(path);
  const rows = s.resources.map((r) => [
    r.prefix,
    String(r.objects),
    formatBytes(r.bytes),
    formatBytes(r.storedBytes),
    String(r.superseded),
  ]);
  console.log(table([["RESOURCE", "OBJECTS", "BYTES", "STORED", "SUPERSEDED"], ...rows]));
  console.log(table([
    ["file", formatBytes(s.fileBytes)],
    ["free in it", formatBytes(s.freeBytes)],
    ["write-ahead log", formatBytes(s.logFileBytes)],
    ["schema version", String(s.schemaVersion)],
    ["objects", String(s.objects)],
    ["changes", String(s.changes)],
    ["revision", String(s.revision)],
    ["compacted up to", String(s.compactRevision)],
  ]));
  return 0;
}

/** Columns, the first one left-aligned. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const cell = (text: string, column: number) => column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]);
  return rows.map((row) => row.map(cell).join("  ")).join("\n") + "\n";
}
