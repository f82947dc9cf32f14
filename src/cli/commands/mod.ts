// The commands beside the server itself. Each is loaded when it is asked for.
import { type Flag, flag } from "../flags/kinds.ts";
import { ALL_FLAGS } from "../options/mod.ts";

export interface CommandContext {
  args: readonly string[];
  /** Flags that were given, by name. */
  values: ReadonlyMap<string, unknown>;
}

export interface Command {
  /** As the help shows it. */
  usage: string;
  description: string;
  /** The flags of the server that it takes, --help aside; others are refused. */
  flags: readonly string[];
  /** Flags that the server does not have. */
  ownFlags?: Readonly<Record<string, Flag>>;
  /** What its argument may be, where that is not a file. */
  choices?: readonly string[];
  /** Gives the exit code. Throws an Error with one line for the operator. undefined: the server runs. */
  run?(context: CommandContext): Promise<number>;
}

/** The flags that say which database is meant. */
const DATABASE = ["sqlite-path", "data-dir", "config"] as const;

/** Of imports. A backup takes the place of the database in any case: that is what restoring it is for. */
const REPLACE = { replace: flag.bool("Put a database that is there away under another name.") };

/** The flags that say which etcd is meant, and how values are encrypted. */
const ETCD = [
  "etcd-servers",
  "etcd-cafile",
  "etcd-certfile",
  "etcd-keyfile",
  "etcd-prefix",
  "lease-reuse-duration-seconds",
  "encryption-provider-config",
] as const;

export const COMMANDS: Readonly<Record<string, Command>> = {
  up: {
    usage: "up",
    description: "Run a local cluster's API server; makes what is not passed.",
    flags: [],
  },
  backup: {
    usage: "backup <file>",
    description: "Copy the database to a new file, also while the server runs; its checksum goes to <file>.sha256.",
    flags: DATABASE,
    run: async (context) => (await import("./backup.ts")).runBackup(context),
  },
  restore: {
    usage: "restore <file>",
    description: "Check a backup and make it the database; the one that was there is kept under another name.",
    flags: DATABASE,
    run: async (context) => (await import("./backup.ts")).runRestore(context),
  },
  "import-kine": {
    usage: "import-kine <file> [--replace]",
    description: "Make a new database out of the SQLite file that kine kept for a kube-apiserver.",
    flags: DATABASE,
    ownFlags: REPLACE,
    run: async (context) => (await import("./backup.ts")).runImportKine(context),
  },
  "import-etcd": {
    usage: "import-etcd --etcd-servers=<url> [--replace]",
    description: "Make a new database out of what a kube-apiserver or Kubelith keeps in etcd.",
    flags: [...DATABASE, ...ETCD],
    ownFlags: REPLACE,
    run: async (context) => (await import("./etcd.ts")).runImportEtcd(context),
  },
  "export-etcd": {
    usage: "export-etcd --etcd-servers=<url> [--replace]",
    description: "Copy the database to etcd, where a kube-apiserver or Kubelith goes on with it.",
    flags: [...DATABASE, ...ETCD],
    ownFlags: { replace: flag.bool("Take away what else is in etcd under --etcd-prefix.") },
    run: async (context) => (await import("./etcd.ts")).runExportEtcd(context),
  },
  db: {
    usage: "db <check|stats>",
    choices: ["check", "stats"],
    description: "Check every byte of the database, or show what is in it; also while the server runs.",
    flags: DATABASE,
    run: async (context) => (await import("./db.ts")).runDb(context),
  },
  completion: {
    usage: "completion <bash|zsh|fish>",
    choices: ["bash", "zsh", "fish"],
    description: "Print the completion script of a shell.",
    flags: [],
    run: async ({ args }) => {
      console.log((await import("../completion.ts")).completionScript(args).trimEnd());
      return 0;
    },
  },
};

/** Every flag of a command that is not the server. */
export function flagsOf({ flags, ownFlags = {} }: Command): [name: string, flag: Flag][] {
  const shared = [...flags, "help"].map((name): [string, Flag] => [name, ALL_FLAGS.lookup(name)!]);
  return [...Object.entries(ownFlags), ...shared];
}
