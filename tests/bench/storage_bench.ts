// Storage alone: commits against plain SQLite on the same disk, lists, watches, and the start of a large database.
// KUBELITH_BENCH_OBJECTS says how many objects are large (20,000 unless set).
import { DatabaseSync } from "node:sqlite";
import { createStorage, type Interface, type StorageFactory } from "../../src/storage/mod.ts";
import type { KubeObject } from "../../src/machinery/types.ts";

const MANY = Number(Deno.env.get("KUBELITH_BENCH_OBJECTS") ?? 20_000);
/** Writes of one group: what hundreds of clients ask for while the disk syncs. */
const GROUP = 512;
const PREFIX = "/registry/configmaps/";
const WORKER = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);

const dir = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => Deno.removeSync(dir, { recursive: true }));

function configMap(name: string, n = 0): KubeObject {
  return {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name, namespace: "default", uid: crypto.randomUUID(), labels: { app: `app-${n % 100}` } },
    data: { text: `${crypto.randomUUID()} ${n} `.repeat(8) },
  };
}

function open(file: string): Promise<StorageFactory> {
  return createStorage({ engine: { backend: "sqlite", path: `${dir}/${file}`, workerUrl: WORKER } });
}

function configMaps(factory: StorageFactory): Interface {
  return factory.forResource({
    prefix: PREFIX,
    resource: { group: "", resource: "configmaps" },
    attributesOf: ({ metadata: { name = "", labels = {} } }) => ({ labels, fields: { "metadata.name": name } }),
  }).storage;
}

async function fill(storage: Interface, count: number): Promise<void> {
  for (let i = 0; i < count; i += 500) {
    const names = Array.from({ length: Math.min(500, count - i) }, (_, k) => `cm-${i + k}`);
    await Promise.all(names.map((name, k) => storage.create(PREFIX + name, configMap(name, i + k))));
  }
}

/** A log of changes in plain SQLite, as durable, with checkpoints as often. */
function plainSqlite(): { insert(key: string, value: string): void; transaction(body: () => void): void } {
  const db = new DatabaseSync(`${dir}/plain.db`);
  db.exec("PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec("PRAGMA wal_autocheckpoint = 4000");
  db.exec("CREATE TABLE changes(revision INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT)");
  const insert = db.prepare("INSERT INTO changes(key, value) VALUES (?, ?)");
  return {
    insert: (key, value) => void insert.run(key, value),
    transaction(body) {
      db.exec("BEGIN IMMEDIATE");
      body();
      db.exec("COMMIT");
    },
  };
}

const plain = plainSqlite();
const writing = await open("writing.db");
const written = configMaps(writing);
const values = Array.from({ length: GROUP }, (_, i) => configMap(`one-${i}`));
await Promise.all(values.map((object) => written.create(PREFIX + object.metadata.name, object)));

/** Changes an object, whatever it holds. */
function update(name: string): Promise<unknown> {
  return written.guaranteedUpdate(PREFIX + name, () => ({ object: configMap(name) }));
}

Deno.bench({
  name: "plain SQLite: one insert, durable",
  group: "commit",
  baseline: true,
  fn: () => plain.insert(`${PREFIX}one`, JSON.stringify(configMap("one"))),
});
Deno.bench("one update, durable", { group: "commit" }, async () => {
  await update("one-0");
});

const texts = values.map((object) => JSON.stringify(object));
/** The engine alone: no resource is served from it. */
const { backend } = await open("groups.db");
let revisions: number[] = texts.map(() => 0);

function writePlainGroup(): void {
  plain.transaction(() => texts.forEach((text, i) => plain.insert(`${PREFIX}one-${i}`, text)));
}

async function writeGroup(): Promise<void> {
  const results = await Promise.all(texts.map((text, i) => {
    return backend.put(`${PREFIX}one-${i}`, text, { expected: revisions[i] });
  }));
  revisions = results.map((result) => result.ok ? result.revision : result.current!.revision);
}

/** Both in turn, because a disk that others use is not the same from one second to the next. */
async function compareGroups(rounds: number): Promise<void> {
  const plainTimes: number[] = [], times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    writePlainGroup();
    const between = performance.now();
    await writeGroup();
    plainTimes.push(between - start);
    times.push(performance.now() - between);
  }
  const perSecond = (of: number[]) => Math.round(GROUP * 1000 / of.sort((a, b) => a - b)[rounds >> 1]);
  const plainRate = perSecond(plainTimes), rate = perSecond(times);
  console.log(
    `groups of ${GROUP}: ${rate} writes/s, plain SQLite in turn ${plainRate}: ${Math.round(100 * rate / plainRate)} %`,
  );
}

await compareGroups(100);
Deno.bench({
  name: `plain SQLite: a transaction of ${GROUP}`,
  group: `${GROUP} commits`,
  baseline: true,
  fn: writePlainGroup,
});
Deno.bench(`${GROUP} writes of the backend at once`, { group: `${GROUP} commits` }, writeGroup);
Deno.bench(`${GROUP} updates of objects at once`, { group: `${GROUP} commits` }, async () => {
  await Promise.all(values.map(({ metadata }) => update(metadata.name!)));
});

const large = await open("large.db");
const listed = configMaps(large);
await fill(listed, MANY);
await listed.list(PREFIX);

Deno.bench(`list of ${Math.min(MANY, 10_000)} out of ${MANY}`, { group: "list" }, async () => {
  await listed.list(PREFIX, { limit: 10_000 });
});
Deno.bench(`page of 500 by label out of ${MANY}`, { group: "list" }, async () => {
  const predicate = {
    everything: false,
    matches: ({ labels }: { labels: Readonly<Record<string, string>> }) => labels.app === "app-7",
    requiresField: () => undefined,
  };
  await listed.list(PREFIX, { limit: 500, predicate });
});

const WATCHERS = 100;
const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => {
  return written.watch(PREFIX, { sendInitialEvents: false, signal: new AbortController().signal });
}));
Deno.bench(`a change to ${WATCHERS} watches`, { group: "watch" }, async () => {
  const seen = watchers.map((watcher) => watcher[Symbol.asyncIterator]().next());
  await update("one-0");
  await Promise.all(seen);
});

await Deno.writeFile(`${dir}/empty.db`, new Uint8Array());
const filled = await open("filled.db");
await fill(configMaps(filled), MANY);
await filled.close();
for (const file of ["empty.db", "filled.db"]) {
  Deno.bench(`open and close ${file}`, { group: "start", baseline: file === "empty.db", n: 5 }, async () => {
    await (await open(file)).close();
  });
}
Deno.bench(`open and read ${MANY} objects`, { group: "start", n: 3 }, async () => {
  const factory = await open("filled.db");
  await configMaps(factory).list(PREFIX);
  await factory.close();
});
