// Which database a command means, and how it shows its progress.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../flags/parse.ts";
import { defaultDataDir } from "../options/complete.ts";
import { defaultDatabase } from "../options/storage.ts";
import type { CommandContext } from "./mod.ts";

/** The file by the flags that the server takes, too. Throws a UsageError for a database that is no file. */
export function databasePath({ values }: CommandContext): string {
  const given = values.get("sqlite-path") as string | undefined;
  if (given === ":memory:") throw new UsageError("--sqlite-path=:memory: is no file");
  return given || defaultDatabase(values.get("data-dir") as string || defaultDataDir());
}

/** The same for a command that makes it: its folder is made as well. Throws what the file system has against that. */
export function newDatabasePath(context: CommandContext): string {
  const path = databasePath(context);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** The one argument of a command. Throws a UsageError when there are none or more. */
export function oneArgument(command: string, what: string, { args }: CommandContext): string {
  if (args.length === 1 && args[0] !== "") return args[0];
  throw new UsageError(`"kubelith ${command}" takes one argument, ${what}`);
}

/** Shows a share that grows: in place on a terminal, otherwise a line for each quarter. */
export function progressBar(what: string): (done: number) => void {
  const terminal = Deno.stderr.isTerminal(), encoder = new TextEncoder();
  let shown = -1;
  return (done) => {
    const percent = Math.floor(done * 100), step = terminal ? percent : percent - percent % 25;
    if (step <= shown) return;
    shown = step;
    Deno.stderr.writeSync(
      encoder.encode(`${terminal ? "\r" : ""}${what} ${step} %${terminal && step < 100 ? "" : "\n"}`),
    );
  };
}

/** `3 B`, `1.2 kB`, `4.0 MB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; bytes >= 1000 && unit < units.length - 1; unit++) bytes /= 1000;
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}
