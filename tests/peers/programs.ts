// Programs of Kubernetes for what is compared or tried here: out of $PEERS_BIN, ~/.cache/peers/bin or the PATH.
import { join } from "node:path";

/** The path of a program; undefined: it is not on this machine. */
export function findProgram(name: string): string | undefined {
  const { PEERS_BIN, HOME = "", PATH = "" } = Deno.env.toObject();
  const folders = [PEERS_BIN ?? join(HOME, ".cache", "peers", "bin"), ...PATH.split(":")];
  return folders.map((folder) => join(folder, name)).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** Why programs cannot be run; undefined: all are there. */
export function missingPrograms(...names: string[]): string | undefined {
  const missing = names.filter((name) => findProgram(name) === undefined);
  return missing.length === 0 ? undefined : `there is no ${missing.join(", no ")} in $PEERS_BIN or on the PATH`;
}

export interface Running {
  pid: number;
  /** The file that has what it wrote. */
  logFile: string;
  /** Resolves with its exit code. */
  exited: Promise<number>;
  /** Ends it, the hard way after some seconds: servers wait for their clients. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 5_000;

/** Starts a program whose output goes to a file: the shell's redirection needs nobody who copies. */
export function startProgram(program: string, args: string[], logFile: string): Running {
  const child = new Deno.Command("sh", {
    args: ["-c", 'exec "$@" > "$0" 2>&1', logFile, program, ...args],
    stdin: "null",
  }).spawn();
  const exited = child.status.then(({ code }) => code);
  return {
    pid: child.pid,
    logFile,
    exited,
    stop: async () => {
      signal(child, "SIGTERM");
      const patience = setTimeout(() => signal(child, "SIGKILL"), PATIENCE_MS);
      await exited;
      clearTimeout(patience);
    },
  };
}

function signal(child: Deno.ChildProcess, name: Deno.Signal): void {
  try {
    child.kill(name);
  } catch {
    // It has ended already.
  }
}
