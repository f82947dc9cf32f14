// One process per database file: a lock that the operating system drops when the process ends, however it ends.
import { DatabaseRefusedError } from "./schema.ts";

/** Returns what gives the lock back. Throws {@link DatabaseRefusedError} when another process has it. */
export function lockFile(path: string): () => void {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(`${path}.lock`, { create: true, write: true, mode: 0o600 });
  } catch (e) {
    throw new DatabaseRefusedError(`cannot open ${path}.lock: ${(e as Error).message}`);
  }
  if (!file.tryLockSync(true)) {
    file.close();
    throw new DatabaseRefusedError(`${path} is in use by another process`);
  }
  return () => file.close();
}
