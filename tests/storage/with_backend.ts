// A database of its own for a test.
import { SqliteBackend } from "../../src/storage/sqlite/backend.ts";

const workerUrl = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);

/** Opens a database file, or makes it, and closes it behind the body. */
export async function withBackend(path: string, body: (backend: SqliteBackend) => Promise<void>): Promise<void> {
  const backend = new SqliteBackend({ path, workerUrl });
  await backend.start();
  try {
    await body(backend);
  } finally {
    await backend.close();
  }
}
