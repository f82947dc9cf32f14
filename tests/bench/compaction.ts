// What compaction does to a writer and to the file: most revisions are of 20 leases that were renewed again and again.
//
//   deno run -A tests/bench/compaction.ts [--revisions 100000] [--rounds 6]
//
// Each round renews, measures a writer alone, then the same writer while all older history goes. The file is compared
// with a copy of it that holds no free page.
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { SqliteBackend } from "../../src/storage/sqlite/backend.ts";
import { withDatabasePath } from "../support/temp_dir.ts";

const LEASES = 20, OBJECTS = 2000;
/** Milliseconds that a writer is measured alone. */
const ALONE = 3_000;
/** Free bytes that count as given back. */
const GIVEN_BACK = 1_000_000;

/** The newest revisions of keys that are written here alone. */
class Client {
  readonly #revisions = new Map<string, number>();

  constructor(readonly backend: SqliteBackend) {}

  async put(key: string, value: string): Promise<void> {
    const result = await this.backend.put(key, value, { expected: this.#revisions.get(key) ?? 0 });
    if (!result.ok) throw new Error(`${key} was written by somebody else`);
    this.#revisions.set(key, result.revision);
  }

  putObject(i: number): Promise<void> {
    const noise = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(300))));
    return this.put(`/registry/configmaps/default/${i}`, JSON.stringify({ kind: "ConfigMap", data: { noise } }));
  }

  async renew(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const spec = { holderIdentity: crypto.randomUUID(), renewTime: new Date().toISOString() };
      const value = JSON.stringify({ kind: "Lease", apiVersion: "coordination.k8s.io/v1", spec });
      await Promise.all(Array.from({ length: LEASES }, (_, i) => this.put(`/registry/leases/nodes/${i}`, value)));
    }
  }

  /** Milliseconds of single writes, one behind the other. */
  async write(goOn: () => Promise<boolean>): Promise<number[]> {
    const times: number[] = [];
    while (await goOn()) {
      const start = performance.now();
      await this.putObject(times.length % OBJECTS);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  }
}

function quantile(sorted: number[], q: number): number {
  return sorted[Math.floor(q * (sorted.length - 1))];
}

function spread(times: number[]): string {
  const [half, most, longest] = [0.5, 0.99, 1].map((q) => quantile(times, q).toFixed(2));
  return `p50 ${half}, p99 ${most}, max ${longest} ms (${times.length} writes)`;
}

async function round(client: Client, revisions: number): Promise<number> {
  const { backend } = client;
  await client.renew(revisions / LEASES);
  const end = performance.now() + ALONE;
  const alone = await client.write(() => Promise.resolve(performance.now() < end));
  const revision = await backend.currentRevision(), start = performance.now();
  await backend.compact(revision);
  const meanwhile = await client.write(async () => {
    const { sweptRevision = 0, freeBytes = 0 } = await backend.stats();
    return sweptRevision < revision || freeBytes > GIVEN_BACK;
  });
  const ratio = quantile(meanwhile, 0.99) / quantile(alone, 0.99);
  console.log(`alone ${spread(alone)}\ncompacting ${spread(meanwhile)}, ${Math.round(performance.now() - start)} ms`);
  console.log(`p99 × ${ratio.toFixed(2)}`);
  return ratio;
}

function tellSize(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true });
  db.exec(`VACUUM INTO '${path}.live'`);
  db.close();
  const [file, live] = [path, `${path}.live`].map((name) => Deno.statSync(name).size);
  console.log(`file ${file} bytes, live ${live}: ${(file / live).toFixed(2)}`);
}

await withDatabasePath(async (path) => {
  const { values } = parseArgs({ options: { revisions: { type: "string" }, rounds: { type: "string" } } });
  const workerUrl = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);
  const backend = new SqliteBackend({ path, workerUrl }), client = new Client(backend);
  await backend.start();
  for (let i = 0; i < OBJECTS; i++) await client.putObject(i);
  const ratios: number[] = [];
  for (let i = 0; i < Number(values.rounds ?? 6); i++) {
    ratios.push(await round(client, Number(values.revisions ?? 100_000)));
  }
  console.log(`median of p99: × ${quantile(ratios.sort((a, b) => a - b), 0.5).toFixed(2)}`);
  await backend.compact(await backend.currentRevision());
  await client.putObject(0);
  await new Promise((resolve) => setTimeout(resolve, ALONE));
  await backend.close();
  tellSize(path);
});
