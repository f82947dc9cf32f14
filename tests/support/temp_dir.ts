// Folders of tests.

/** A new folder that is removed behind the test. */
export async function inTempDir(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await body(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The path of a database that is not there yet, in such a folder. */
export function withDatabasePath(body: (path: string) => Promise<void>): Promise<void> {
  return inTempDir((dir) => body(`${dir}/state.db`));
}
