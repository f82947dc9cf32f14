import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { SqliteBackend } from "./backend.ts";
import { databaseStats } from "./stats.ts";
import { withDatabasePath } from "../../../tests/support/temp_dir.ts";

const workerUrl = new URL("./writer_entry.ts", import.meta.url);
const LEASES = 20;

async function open(path: string, onTrouble?: (message: string) => void): Promise<SqliteBackend> {
  const backend = new SqliteBackend({ path, workerUrl, onTrouble });
  await backend.start();
  return backend;
}

/** 500 objects that stay as they are, and leases that are renewed again and again. */
async function renewLeases(backend: SqliteBackend, rounds: number): Promise<void> {
  const noise = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(300))));
  const objects = Array.from({ length: 500 }, (_, i) => backend.put(`/registry/a/${i}`, noise(), { expected: 0 }));
  await Promise.all(objects);
  const revisions: number[] = Array(LEASES).fill(0);
  for (let round = 0; round < rounds; round++) {
    const value = `{"renewed":${round},"by":"${"node ".repeat(40)}"}`;
    const renewed = revisions.map((expected, i) => backend.put(`/registry/leases/${i}`, value, { expected }));
    for (const [i, result] of (await Promise.all(renewed)).entries()) {
      assert.ok(result.ok);
      revisions[i] = result.revision;
    }
  }
}

/** Waits until compaction has done everything up to a revision and the file is as short as it gets. */
async function compacted(backend: SqliteBackend, revision: number): Promise<void> {
  while (true) {
    const { sweptRevision = 0, freeBytes = 0 } = await backend.stats();
    if (sweptRevision >= revision && freeBytes < 100_000) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("thousands of superseded revisions of a few leases go, and the file gets short again", () =>
  withDatabasePath(async (path) => {
    let backend = await open(path);
    await renewLeases(backend, 1);
    await backend.close();
    const live = (await Deno.stat(path)).size;
    await Deno.remove(path);
    backend = await open(path);
    await renewLeases(backend, 300);
    const revision = await backend.currentRevision();
    await backend.compact(revision);
    await compacted(backend, revision);
    const [renewed] = (await backend.range("/registry/leases/", "/registry/leases0")).items;
    assert.equal(JSON.parse(renewed.value as string).renewed, 299);
    await backend.close();
    const { changes, objects } = await databaseStats(path);
    assert.equal(changes, objects);
    assert.equal(objects, 500 + LEASES);
    const { size } = await Deno.stat(path);
    assert.ok(size < 1.6 * live, `${size} bytes, ${live} live`);
  }));

Deno.test("steps that fail are tried again until they succeed", () =>
  withDatabasePath(async (path) => {
    const troubles: string[] = [];
    const backend = await open(path, (message) => troubles.push(message));
    await renewLeases(backend, 20);
    const revision = await backend.currentRevision();
    // Somebody else holds the file, so that no step and no write can be done.
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    await backend.compact(revision);
    while (troubles.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.match(troubles[0], /locked/);
    await assert.rejects(backend.put("/registry/a/x", "{}", { expected: 0 }), /could not be written/);
    assert.equal((await backend.range("/registry/leases/", "/registry/leases0")).count, LEASES);
    other.exec("ROLLBACK");
    other.close();
    await compacted(backend, revision);
    assert.ok((await backend.put("/registry/a/x", "{}", { expected: 0 })).ok);
    await backend.close();
    assert.equal((await databaseStats(path)).changes, 500 + LEASES + 1);
  }));

Deno.test("a compaction that was cut off goes on at the next start", () =>
  withDatabasePath(async (path) => {
    let backend = await open(path);
    await renewLeases(backend, 20);
    const revision = await backend.currentRevision();
    await backend.close();
    const db = new DatabaseSync(path);
    // As a process leaves it that dies behind its first step.
    db.prepare("UPDATE meta SET value = ? WHERE name = 'compacted'").run(revision);
    db.prepare("UPDATE meta SET value = ? WHERE name = 'swept'").run(revision >> 1);
    db.prepare("DELETE FROM changes WHERE revision IN (SELECT prev_revision FROM changes WHERE revision <= ?)")
      .run(revision >> 1);
    db.close();
    backend = await open(path);
    await compacted(backend, revision);
    await backend.close();
    assert.equal((await databaseStats(path)).changes, 500 + LEASES);
  }));
