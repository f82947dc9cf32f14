import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { CompactedError } from "../interface.ts";
import { SqliteBackend } from "./backend.ts";
import { checkDatabaseFile } from "./check.ts";
import { DatabaseFileError } from "./errors.ts";
import { APPLICATION_ID } from "./schema.ts";
import { ValueCodec } from "./value_codec.ts";
import { withDatabasePath } from "../../../tests/support/temp_dir.ts";

const workerUrl = new URL("./writer_entry.ts", import.meta.url);

async function open(path: string): Promise<SqliteBackend> {
  const backend = new SqliteBackend({ path, workerUrl });
  await backend.start();
  return backend;
}

function refusal(text: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof DatabaseFileError && text.test(error.message);
}

Deno.test("writes of one moment are one commit, and so are those that come while it is made", () =>
  withDatabasePath(async (path) => {
    const commits: number[] = [];
    const backend = new SqliteBackend({ path, workerUrl, onCommit: (writes) => commits.push(writes) });
    await backend.start();
    const put = (name: string) => backend.put(`/registry/a/${name}`, "value", { expected: 0 });
    const first = [put("a"), Promise.resolve().then(() => put("b"))];
    await new Promise((resolve) => setImmediate(resolve));
    const results = await Promise.all([...first, put("c"), put("d"), put("e")]);
    assert.deepEqual(results.map((result) => result.ok && result.revision), [2, 3, 4, 5, 6]);
    assert.deepEqual(commits, [2, 3]);
    await backend.close();
  }));

Deno.test("everything is there after a restart, and revisions go on", () =>
  withDatabasePath(async (path) => {
    let backend = await open(path);
    for (let i = 0; i < 20; i++) await backend.put(`/registry/a/${i}`, `value ${i}`, { expected: 0 });
    await backend.delete("/registry/a/3", { expected: 5 });
    const revision = await backend.currentRevision();
    await backend.close();
    backend = await open(path);
    assert.equal(await backend.currentRevision(), revision);
    const { items, count } = await backend.range("/registry/a/", "/registry/a0");
    assert.equal(count, 19);
    assert.ok(!items.some((item) => item.key.endsWith("/3")));
    assert.deepEqual(await backend.put("/registry/a/3", "again", { expected: 0 }), {
      ok: true,
      revision: revision + 1,
    });
    await backend.close();
  }));

Deno.test("a compacted database keeps the newest of everything and hands out no revision twice", () =>
  withDatabasePath(async (path) => {
    let backend = await open(path);
    let revision = 0;
    for (let i = 0; i < 50; i++) {
      const result = await backend.put("/registry/a/x", `value ${i}`, { expected: revision });
      assert.ok(result.ok);
      revision = result.revision;
    }
    await backend.delete("/registry/a/x", { expected: revision });
    const last = await backend.currentRevision();
    await backend.compact(last);
    while (await backend.compactRevision() < last) await new Promise((resolve) => setTimeout(resolve, 2));
    await backend.close();
    backend = await open(path);
    assert.equal(await backend.currentRevision(), last);
    assert.equal(await backend.get("/registry/a/x"), undefined);
    assert.deepEqual(await backend.put("/registry/a/x", "new", { expected: 0 }), { ok: true, revision: last + 1 });
    await backend.close();
  }));

Deno.test("pages at any revision are what was there, however the table lags behind", () =>
  withDatabasePath(async (path) => {
    const backend = await open(path);
    /** The state at each revision. */
    const states: Map<string, number>[] = [new Map(), new Map()];
    let revisions = new Map<string, number>();
    for (let i = 0; i < 400; i++) {
      const key = `/registry/a/${Math.floor(Math.random() * 60)}`, expected = revisions.get(key) ?? 0;
      const deletes = expected > 0 && Math.random() < 0.4;
      // What is relaxed is not in the file yet for a while.
      const options = { expected, relaxed: Math.random() < 0.5 };
      const result = await (deletes ? backend.delete(key, options) : backend.put(key, `"${i}"`, options));
      assert.ok(result.ok);
      revisions = new Map(revisions);
      if (deletes) revisions.delete(key);
      else revisions.set(key, result.revision);
      states[result.revision] = revisions;
      // Brings pointers into the table, and takes away history that no revision asked for below needs.
      if (i === 150) await backend.compact(100);
    }
    for (let round = 0; round < 60; round++) {
      const revision = 150 + Math.floor(Math.random() * 251), limit = 1 + Math.floor(Math.random() * 20);
      const wanted = [...states[revision]].sort(([a], [b]) => a < b ? -1 : 1), found: [string, number][] = [];
      for (let start = "/registry/a/", more = true; more;) {
        const page = await backend.range(start, "/registry/a0", { revision, limit });
        assert.equal(page.count, wanted.length - found.length);
        found.push(...page.items.map((item): [string, number] => [item.key, item.revision]));
        more = page.more;
        start = page.items.at(-1)?.key + "\0";
      }
      assert.deepEqual(found, wanted);
    }
    assert.equal(await backend.count("/registry/a/"), revisions.size);
    await backend.close();
    assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
    await assertPast(path, states, 150);
  }));

/** Every state since a revision is read right, in one go and in pages, also by a process that did not see the writes. */
async function assertPast(path: string, states: readonly ReadonlyMap<string, number>[], since: number): Promise<void> {
  const backend = await open(path);
  for (let revision = since; revision < states.length; revision += 7) {
    const wanted = [...states[revision]].sort(([a], [b]) => a < b ? -1 : 1);
    const { items } = await backend.range("/registry/a/", "/registry/a0", { revision });
    assert.deepEqual(items.map((item) => [item.key, item.revision]), wanted);
  }
  await backend.close();
}

Deno.test("the past outlives the deletion of keys only as long as it is not compacted", () =>
  withDatabasePath(async (path) => {
    const backend = await open(path), keys = Array.from({ length: 5000 }, (_, i) => `/registry/a/${i}`);
    const created = await Promise.all(keys.map((key) => backend.put(key, "{}", { expected: 0 })));
    const before = await backend.currentRevision();
    await Promise.all(keys.map((key, i) => {
      const result = created[i];
      assert.ok(result.ok);
      return backend.delete(key, { expected: result.revision });
    }));
    const page = await backend.range("/registry/a/", "/registry/a0", { revision: before, limit: 10 });
    assert.deepEqual([page.items.length, page.count, page.more], [10, 5000, true]);
    assert.equal((await backend.range("/registry/a/", "/registry/a0")).count, 0);
    assert.equal(await backend.count("/registry/a/"), 0);
    await backend.compact(await backend.currentRevision());
    while ((await backend.stats()).sweptRevision! < 10_001) await new Promise((resolve) => setTimeout(resolve, 2));
    const past = backend.range("/registry/a/", "/registry/a0", { revision: before });
    await assert.rejects(past, CompactedError);
    await backend.close();
    assert.deepEqual(rowsOf(path, "SELECT count(*) AS n FROM objects"), [{ n: 0 }]);
    assert.deepEqual(rowsOf(path, "SELECT count(*) AS n FROM changes"), [{ n: 0 }]);
  }));

function rowsOf(path: string, sql: string): object[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(sql).all().map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}

/** A file as the first version of the schema had it: deleted keys leave nothing in the table of pointers. */
function writeFirstVersion(path: string): void {
  const db = new DatabaseSync(path), codec = new ValueCodec();
  db.exec(`
    PRAGMA page_size = 1024;
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    CREATE TABLE changes(
      revision INTEGER PRIMARY KEY, key TEXT NOT NULL, prev_revision INTEGER NOT NULL, expires INTEGER, value
    );
    CREATE TABLE objects(key TEXT PRIMARY KEY, revision INTEGER NOT NULL, expires INTEGER) WITHOUT ROWID;
    CREATE INDEX objects_expiring ON objects(expires) WHERE expires IS NOT NULL;
    CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO meta VALUES ('flushed', 6), ('compacted', 0), ('swept', 0), ('revision', 1);
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = 1;
  `);
  const insert = db.prepare("INSERT INTO changes VALUES (?, ?, ?, NULL, ?)");
  // [revision, key, revision before, deleted]
  const changes: [number, string, number, boolean?][] = [
    [2, "a", 0],
    [3, "b", 0],
    [4, "a", 2, true],
    [5, "b", 3, true],
    [6, "a", 0],
    [7, "b", 0],
    [8, "a", 6, true],
  ];
  for (const [revision, name, previous, deleted] of changes) {
    const key = `/registry/a/${name}`;
    insert.run(revision, key, previous, deleted ? null : codec.encode("{}", { key, revision }));
  }
  db.exec("INSERT INTO objects VALUES ('/registry/a/a', 6, NULL)");
  db.close();
}

Deno.test("a file of the first version is migrated, with its history", () =>
  withDatabasePath(async (path) => {
    writeFirstVersion(path);
    assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
    const states: Record<string, number>[] = [
      {},
      {},
      { a: 2 },
      { a: 2, b: 3 },
      { b: 3 },
      {},
      { a: 6 },
      { a: 6, b: 7 },
      { b: 7 },
    ];
    const backend = await open(path);
    for (let revision = 2; revision < states.length; revision++) {
      const { items } = await backend.range("/registry/a/", "/registry/a0", { revision });
      const found = Object.fromEntries(items.map(({ key, revision }) => [key.slice("/registry/a/".length), revision]));
      assert.deepEqual(found, states[revision], `at ${revision}`);
    }
    await backend.close();
    assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
    assert.deepEqual(rowsOf(path, "PRAGMA user_version"), [{ user_version: 3 }]);
  }));

Deno.test("a second process is refused", () =>
  withDatabasePath(async (path) => {
    const backend = await open(path);
    const code = `
      const { SqliteBackend } = await import(${JSON.stringify(new URL("./backend.ts", import.meta.url).href)});
      const backend = new SqliteBackend({ path: ${JSON.stringify(path)}, workerUrl: new URL(${
      JSON.stringify(workerUrl.href)
    }) });
      await backend.start();`;
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args: ["eval", code] }).output();
    assert.equal(success, false);
    assert.match(new TextDecoder().decode(stderr), /is in use by another process: one database serves one server/);
    await backend.close();
  }));

Deno.test("a file that is no database is refused and left alone", () =>
  withDatabasePath(async (path) => {
    const text = "this is not a database\n".repeat(100);
    await Deno.writeTextFile(path, text);
    await assert.rejects(open(path), refusal(/is damaged or not a database .*restore a backup/));
    assert.equal(await Deno.readTextFile(path), text);
  }));

Deno.test("another program's database and a newer version are refused", () =>
  withDatabasePath(async (path) => {
    let db = new DatabaseSync(path);
    db.exec("CREATE TABLE t(x)");
    db.close();
    await assert.rejects(open(path), refusal(/is a SQLite database of another program/));
    await Deno.remove(path);
    await (await open(path)).close();
    db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 99");
    db.close();
    await assert.rejects(open(path), refusal(/has schema version 99, this program knows up to/));
  }));

Deno.test("a folder that is not there is named", async () => {
  await assert.rejects(
    open("/nowhere/at/all/state.db"),
    refusal(/^cannot open \/nowhere\/at\/all\/state.db: its folder does not exist$/),
  );
});
