// The programs of this folder that are written in Go: built where there is a Go, into the project's .cache folder.
import { join } from "node:path";
import { run } from "../support/server.ts";

const cache = join(import.meta.dirname!, "..", "..", ".cache");

/** Why there can be none of them here; undefined where Go is on the PATH. */
export async function missingGo(): Promise<string | undefined> {
  const version = await run("go", ["version"]).catch(() => undefined);
  return version?.code === 0 ? undefined : "there is no go on the PATH";
}

/** Builds the program in a folder beside this file and gives its path; throws what the compiler says. */
export async function buildGoProgram(folder: string): Promise<string> {
  const program = join(cache, folder);
  await Deno.mkdir(cache, { recursive: true });
  const built = await run("go", ["-C", import.meta.dirname!, "build", "-o", program, `./${folder}`]);
  if (built.code !== 0) throw new Error(`go cannot build ${folder}: ${built.stderr}`);
  return program;
}
