// Kubelith's entry, and that of each of its workers: one file can be the whole program.
import { runWorkerRole, setWorkerEntry, type WorkerRole } from "./src/worker.ts";

const WORKERS: Record<WorkerRole, () => Promise<() => void>> = {
  "kubelith-writer": async () => (await import("./src/storage/sqlite/writer.ts")).runWriter,
  "kubelith-yaml": async () => (await import("./src/endpoints/yaml_worker.ts")).runYamlReader,
};

if (Object.hasOwn(WORKERS, self.name)) {
  await runWorkerRole(WORKERS[self.name as WorkerRole]);
} else if (import.meta.main) {
  setWorkerEntry(import.meta.url);
  const { main } = await import("./src/cli/main.ts");
  await main(Deno.args);
}
