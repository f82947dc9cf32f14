// The kubelith command: reads the command line, and runs the server or whatever else was asked for.
import { configureLogging, type LoggingFormat } from "../logging/mod.ts";
import { warmUpWorker } from "../worker.ts";
import { KUBELITH_VERSION, KUBERNETES_VERSION } from "../version.ts";
import { type Command, COMMANDS, flagsOf } from "./commands/mod.ts";
import { readConfigFile } from "./config_file.ts";
import { OptionFiles } from "./flags/files.ts";
import { type FlagSet, parseFlags, UsageError } from "./flags/parse.ts";
import { type CompletedOptions, completeOptions } from "./options/complete.ts";
import { ALL_FLAGS, newOptions, validateOptions } from "./options/mod.ts";
import { storageBackend } from "./options/storage.ts";
import { lookUp } from "../machinery/look_up.ts";

/** A command line that was read and completed; what is left is to run it. */
export interface ServerCommand {
  options: CompletedOptions;
  /** Names of flags that were given, by whichever way. */
  given: ReadonlySet<string>;
  files: OptionFiles;
  /** `up`: a local cluster. */
  local: boolean;
}

/** Runs the command line and ends the process. */
export async function main(argv: readonly string[]): Promise<never> {
  Deno.exit(await execute(argv));
}

/** Gives the exit code. */
async function execute(argv: readonly string[]): Promise<number> {
  try {
    const { values, args } = parseFlags(argv, flagsFor(argv[0]));
    if (values.get("help") === true) return print((await import("./help.ts")).helpText(args[0]));
    const version = values.get("version") as string | undefined;
    if (version !== undefined && version !== "false") return print(versionText(version));
    const other = lookUp(COMMANDS, args[0] ?? "");
    if (other?.run !== undefined) return await runCommand(other, values, args);
    const command = await readCommand(values, args);
    warmUpWriter(command);
    await (await import("./run.ts")).run(command, stopSignal());
    return 0;
  } catch (e) {
    return fail(e as Error);
  }
}

/** The flags of the server, and those of a command that is named first. */
function flagsFor(name = ""): FlagSet {
  const own = lookUp(COMMANDS, name)?.ownFlags;
  if (own === undefined) return ALL_FLAGS;
  return { ...ALL_FLAGS, lookup: (flag) => lookUp(own, flag) ?? ALL_FLAGS.lookup(flag) };
}

/** Runs a command that is not the server. */
async function runCommand(command: Command, values: Map<string, unknown>, args: readonly string[]): Promise<number> {
  const known = new Set(flagsOf(command).map(([name]) => name));
  for (const name of values.keys()) {
    if (!known.has(name)) throw new UsageError(`"kubelith ${args[0]}" does not take --${name}`);
  }
  await addConfigFile(values);
  return await command.run!({ args: args.slice(1), values });
}

/** Values out of the --config file go to those of the command line. */
async function addConfigFile(values: Map<string, unknown>): Promise<void> {
  const file = values.get("config");
  if (typeof file === "string" && file !== "") await readConfigFile(file, ALL_FLAGS, values);
}

function print(text: string): number {
  console.log(text.trimEnd());
  return 0;
}

/** Errors of the program itself rather than of what it was given. */
const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** One line for each thing that is wrong; a bug also shows where it is. */
function fail(error: Error): number {
  for (const line of error instanceof OptionsError ? error.problems : [error.message]) console.error(`Error: ${line}`);
  if (BUGS.some((type) => error instanceof type)) console.error(error.stack);
  return 1;
}

function versionText(asked: string): string {
  const text = `Kubelith ${KUBELITH_VERSION} (Kubernetes ${KUBERNETES_VERSION})`;
  if (asked !== "raw") return text;
  const { os, arch } = Deno.build;
  return `${text} deno/${Deno.version.deno} v8/${Deno.version.v8} ${os}/${arch}`;
}

/** Everything that is wrong with the options. */
class OptionsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

async function readCommand(values: Map<string, unknown>, args: readonly string[]): Promise<ServerCommand> {
  const local = args[0] === "up";
  const extra = local ? args.slice(1) : args;
  if (extra.length > 0) {
    if (!local && !args[0].startsWith("-") && args.length === 1) {
      throw new UsageError(`unknown command "${args[0]}": "kubelith --help" lists the commands`);
    }
    const shown = extra.map((arg) => JSON.stringify(arg)).join(" ");
    throw new UsageError(`"kubelith${local ? " up" : ""}" does not take any arguments, got [${shown}]`);
  }
  await addConfigFile(values);
  const given = new Set(values.keys());
  if (local) (await import("./up.ts")).applyUpDefaults(ALL_FLAGS, values);
  const raw = newOptions(values);
  configureLogging({ verbosity: raw.logs.v, format: raw.logs["logging-format"] as LoggingFormat });
  const options = completeOptions(raw);
  const files = new OptionFiles();
  const problems = await validateOptions(options, { files, given });
  if (problems.length > 0) throw new OptionsError(problems);
  return { options, given, files, local };
}

/** The writer starts while this thread loads the server. */
function warmUpWriter({ options }: ServerCommand): void {
  const inFile = options.kubelith["sqlite-path"] !== ":memory:" && storageBackend(options.storage) === "sqlite";
  if (inFile) warmUpWorker("kubelith-writer");
}

/** A key pressed once reaches a process twice when it was started by another one that passes it on; milliseconds. */
const SAME_SIGNAL = 500;

/** Aborts when the process is asked to end; asked once more it ends at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  let askedAt = 0;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, () => {
      const now = performance.now();
      if (!stop.signal.aborted) {
        askedAt = now;
        stop.abort();
      } else if (now - askedAt > SAME_SIGNAL) {
        Deno.exit(1);
      }
    });
  }
  return stop.signal;
}
