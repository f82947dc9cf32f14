import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { SqliteBackend } from "./backend.ts";
import { DatabaseFileError } from "./errors.ts";
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
      const result = await (deletes ? backend.delete(key, { expected }) : backend.put(key, `"${i}"`, { expected }));
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
