import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createStorage, DatabaseFileError } from "../../src/storage/mod.ts";
import { checkDatabaseFile } from "../../src/storage/sqlite/check.ts";
import { importKine } from "../../src/storage/sqlite/import_kine.ts";
import { PREFIX, WIDGETS } from "./resources.ts";
import { inTempDir } from "../support/temp_dir.ts";

const workerUrl = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);

/** Nothing is there before. */
const NEW = { progress: () => {}, replace: false };

/** A file as kine 0.17 writes it. */
function writeKine(file: string, rows: [name: string, value: string | Uint8Array | null, lease?: number][]): void {
  const db = new DatabaseSync(file);
  db.exec(
    "CREATE TABLE kine(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, created INTEGER, deleted INTEGER, " +
      "create_revision INTEGER, prev_revision INTEGER, lease INTEGER, value BLOB, old_value BLOB)",
  );
  const insert = db.prepare("INSERT INTO kine(name, deleted, lease, value) VALUES (?, ?, ?, ?)");
  for (const [name, value, lease = 0] of rows) {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    insert.run(name, value === null ? 1 : 0, lease, bytes);
  }
  db.close();
}

function widget(name: string, n: number): string {
  return `{"kind":"Widget","apiVersion":"v1","metadata":{"name":"${name}","uid":"${name}"},"spec":{"n":${n}}}`;
}

Deno.test("the newest value of every key of kine is there at its revision, and revisions go on", () =>
  inTempDir(async (dir) => {
    writeKine(`${dir}/kine.db`, [
      ["compact_rev_key", ""],
      ["/registry/health", "{}"],
      [`${PREFIX}a`, widget("a", 1)],
      [`${PREFIX}b`, widget("b", 1)],
      [`${PREFIX}a`, widget("a", 2)],
      [`${PREFIX}gone`, widget("gone", 1)],
      [`${PREFIX}gone`, null],
      ["/registry/masterleases/10.0.0.1", "{}"],
      ["/registry/events/ns/e", Uint8Array.of(0x6b, 0x38, 0x73, 0, 1), 3600],
    ]);
    const path = `${dir}/state.db`;
    const result = { objects: 3, skipped: 3, revision: 9 };
    assert.deepEqual(await importKine(`${dir}/kine.db`, path, NEW), { ...result, replaced: undefined });
    assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
    const factory = await createStorage({ engine: { backend: "sqlite", path, workerUrl } });
    try {
      const { storage } = factory.forResource(WIDGETS);
      const { items, revision } = await storage.list(PREFIX);
      assert.deepEqual(items.map((item) => [item.key, item.revision, item.object().spec.n]), [
        [`${PREFIX}a`, 5, 2],
        [`${PREFIX}b`, 4, 1],
      ]);
      assert.equal(revision, 9);
      assert.deepEqual(
        (await factory.backend.get("/registry/events/ns/e"))!.value,
        Uint8Array.of(0x6b, 0x38, 0x73, 0, 1),
      );
      const object = { kind: "Widget", apiVersion: "v1", metadata: { name: "c", uid: "c" } };
      assert.equal((await storage.create(`${PREFIX}c`, object)).revision, 10);
    } finally {
      await factory.close();
    }
    await assert.rejects(importKine(`${dir}/kine.db`, path, NEW), /exists already/);
    const { replaced, ...again } = await importKine(`${dir}/kine.db`, path, { ...NEW, replace: true });
    assert.deepEqual(again, result);
    assert.equal((await checkDatabaseFile(replaced!, () => {})).objects, 4, "what was there is kept");
    assert.equal((await checkDatabaseFile(path, () => {})).objects, 3);
  }));

Deno.test("what is no database of kine is refused, and nothing is left behind", () =>
  inTempDir(async (dir) => {
    const refused = (text: RegExp) => (e: unknown) => e instanceof DatabaseFileError && text.test(e.message);
    new DatabaseSync(`${dir}/other.db`).exec("CREATE TABLE t(x)");
    await assert.rejects(importKine(`${dir}/other.db`, `${dir}/new.db`, NEW), refused(/no database of kine/));
    await assert.rejects(importKine(`${dir}/none.db`, `${dir}/new.db`, NEW), refused(/no such file/));
    assert.deepEqual([...Deno.readDirSync(dir)].map(({ name }) => name), ["other.db"]);
  }));
