// Disks that fail, made with the tools of the system: no mounts and no rights are needed.
import assert from "node:assert/strict";

/** Runs the rest of its arguments with writes beyond the limit of files as errors, as on a full disk, and no signal. */
export const IGNORING_LIMITS: readonly string[] = ["sh", "-c", 'trap "" XFSZ; exec "$@"', "sh"];

/** Sets the largest file that a process may write: `0:unlimited`, in bytes. */
export async function limitFiles(pid: number, limit: string): Promise<void> {
  const { success } = await new Deno.Command("prlimit", { args: ["--pid", String(pid), `--fsize=${limit}`] }).output();
  assert.ok(success, "prlimit failed");
}

/** Whether a program of the system is there. */
export function hasProgram(name: string): boolean {
  try {
    return new Deno.Command(name, { args: ["-V"], stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
