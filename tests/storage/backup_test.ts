// Backups of a database that is written to, and what becomes of them.
import assert from "node:assert/strict";
import { DatabaseFileError } from "../../src/storage/mod.ts";
import type { SqliteBackend } from "../../src/storage/sqlite/backend.ts";
import { backUp } from "../../src/storage/sqlite/backup.ts";
import { checkDatabaseFile } from "../../src/storage/sqlite/check.ts";
import { restore } from "../../src/storage/sqlite/restore.ts";
import { databaseStats } from "../../src/storage/sqlite/stats.ts";
import { PREFIX } from "./resources.ts";
import { inTempDir } from "../support/temp_dir.ts";
import { withBackend } from "./with_backend.ts";

/** Two keys that always hold the same, because each pair of writes is one group. */
async function writePairs(backend: SqliteBackend, until: () => boolean): Promise<number> {
  const noise = "0123456789".repeat(200);
  let pair = 0, revision = 0;
  while (!until()) {
    const value = `{"pair":${pair},"noise":"${noise}"}`;
    const results = await Promise.all([
      backend.put(`${PREFIX}a`, value, { expected: pair === 0 ? 0 : revision - 1 }),
      backend.put(`${PREFIX}b`, value, { expected: revision }),
      backend.put(`${PREFIX}c${pair++}`, value, { expected: 0 }),
    ]);
    const [, b] = results;
    assert.ok(b.ok && results[0].ok);
    revision = b.revision;
  }
  return pair;
}

Deno.test("a backup of a database under load is one moment of it, and can be restored", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`, file = `${dir}/backup.db`;
    await withBackend(path, async (backend) => {
      let enough = false;
      const writing = writePairs(backend, () => enough);
      while (await backend.currentRevision() < 90) await new Promise((resolve) => setTimeout(resolve, 5));
      const shares: number[] = [];
      const { sha256, revision } = await backUp(path, file, (done) => shares.push(done));
      enough = true;
      const pairs = await writing;
      assert.ok(revision >= 90 && revision < await backend.currentRevision() + 1);
      assert.equal(shares.at(-1), 1);
      assert.equal(await Deno.readTextFile(`${file}.sha256`), `${sha256}  backup.db\n`);
      assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
      await assert.rejects(backUp(path, file, () => {}), /exists already/);
      // The server goes on as before.
      assert.ok((await backend.put(`${PREFIX}z`, `{"pair":${pairs}}`, { expected: 0 })).ok);
    });
    assert.deepEqual((await checkDatabaseFile(file, () => {})).problems, []);
    const replacedRevision = (await databaseStats(path)).revision;
    const { revision, replaced, compared, objects } = await restore(file, path, () => {});
    assert.ok(revision > replacedRevision && compared && replaced !== undefined);
    assert.deepEqual((await checkDatabaseFile(replaced, () => {})).problems, []);
    await withBackend(path, async (backend) => {
      const { items, count } = await backend.range(PREFIX, PREFIX.slice(0, -1) + "0");
      assert.equal(count, objects);
      const [a, b] = items;
      assert.equal(a.value, b.value, "a and b were written together");
      assert.equal(JSON.parse(a.value as string).pair, count - 3);
      assert.equal(await backend.compactRevision(), revision);
      const result = await backend.put(`${PREFIX}z`, "{}", { expected: 0 });
      assert.ok(result.ok && result.revision === revision + 1);
      const ended = Promise.withResolvers<Error | undefined>();
      backend.watch(PREFIX, a.revision, () => {}, ended.resolve);
      assert.match(String(await ended.promise), /compacted/);
    });
    assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
  }));

Deno.test("a database that is served, and a backup that is damaged, are not touched", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`, file = `${dir}/backup.db`;
    await withBackend(path, async (backend) => {
      for (let i = 0; i < 50; i++) await backend.put(`${PREFIX}${i}`, `{"x":"${"y".repeat(i * 10)}"}`, { expected: 0 });
      await backUp(path, file, () => {});
    });
    const good = await Deno.readFile(file), bad = good.slice();
    bad[Math.floor(good.length / 2)] ^= 4;
    await Deno.writeFile(file, bad);
    await assert.rejects(restore(file, path, () => {}), refusal(/is not what .*sha256 says/));
    await Deno.remove(`${file}.sha256`);
    await Deno.writeFile(file, good.slice(0, good.length / 2));
    await assert.rejects(
      restore(file, path, () => {}),
      refusal(/is damaged or no backup .*: take another one; nothing/),
    );
    await assert.rejects(restore(file, `${dir}/fresh.db`, () => {}), refusal(/damaged/));
    assert.deepEqual(namesIn(dir, "fresh.db"), ["fresh.db-lock"], "a refused backup left something");
    await assert.rejects(restore(dir, path, () => {}), refusal(/is no file/));
    await assert.rejects(restore(`${dir}/none`, path, () => {}), refusal(/no such file/));
    assert.equal((await databaseStats(path)).objects, 50);
    await Deno.writeFile(file, good);
    assert.equal((await restore(file, `${dir}/other.db`, () => {})).compared, false);
    assert.equal((await databaseStats(`${dir}/other.db`)).objects, 50);
  }));

Deno.test("a wrong value and a pointer to nothing are found", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`;
    await withBackend(path, async (backend) => {
      for (let i = 0; i < 20; i++) {
        await backend.put(`${PREFIX}${i}`, `{"x":"${"y".repeat(300)}${i}"}`, { expected: 0 });
      }
    });
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(path);
    db.exec("UPDATE changes SET value = (SELECT value FROM changes WHERE revision = 3) WHERE revision = 5");
    db.exec("UPDATE objects SET revision = 9999 WHERE revision = 7");
    db.close();
    const { problems } = await checkDatabaseFile(path, () => {});
    assert.equal(problems.length, 3);
    assert.match(problems[0], /wrong checksum at revision 5 of \/registry\/widgets\/3/);
    assert.match(problems[1], /points to revision 9999, which is not a value of it/);
    assert.match(problems[2], /points to revision 9999, its newest change is 7/);
  }));

Deno.test("statistics count objects, their bytes and what is superseded, by resource", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`;
    await withBackend(path, async (backend) => {
      await backend.put("/registry/pods/ns/a", `{"a":"${"x".repeat(500)}"}`, { expected: 0 });
      await backend.put("/registry/services/specs/ns/a", "{}", { expected: 0 });
      await backend.put("/registry/services/specs/ns/a", "{ }", { expected: 3 });
      await backend.put("/registry/example.com/widgets/w", "{}", { expected: 0 });
      await backend.delete("/registry/example.com/widgets/w", { expected: 5 });
      const { resources, ...rest } = await databaseStats(path);
      assert.deepEqual(
        resources.map(({ prefix, objects, bytes, superseded }) => [prefix, objects, bytes, superseded]),
        [
          ["/registry/pods/", 1, 508, 0],
          ["/registry/services/specs/", 1, 3, 1],
          ["/registry/example.com/widgets/", 0, 0, 1],
        ],
      );
      assert.equal(rest.changes, 5);
      assert.equal(rest.objects, 2);
      assert.equal(rest.revision, 6);
    });
  }));

function namesIn(dir: string, start: string): string[] {
  return [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) => name.startsWith(start)).sort();
}

Deno.test("the files of a server that died are a backup, too, with what is in the write-ahead log only", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`, file = `${dir}/copy.db`;
    await withBackend(path, async (backend) => {
      for (let i = 0; i < 50; i++) await backend.put(`${PREFIX}${i}`, "{}", { expected: 0 });
      for (const part of ["", "-wal"]) await Deno.copyFile(path + part, file + part);
    });
    assert.ok((await Deno.stat(`${file}-wal`)).size > 10_000);
    await Deno.writeFile(`${dir}/restored.db.restoring-journal`, new Uint8Array(5000));
    const { objects } = await restore(file, `${dir}/restored.db`, () => {});
    assert.equal(objects, 50);
    assert.equal((await databaseStats(`${dir}/restored.db`)).objects, 50);
    assert.deepEqual((await checkDatabaseFile(`${dir}/restored.db`, () => {})).problems, []);
  }));

Deno.test("the write-ahead log of a database that was taken away is no part of what is restored in its place", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`, file = `${dir}/backup.db`;
    await withBackend(path, async (backend) => {
      await backend.put(`${PREFIX}kept`, "{}", { expected: 0 });
      await backUp(path, file, () => {});
      for (let i = 0; i < 50; i++) await backend.put(`${PREFIX}${i}`, "{}", { expected: 0 });
      await Deno.copyFile(`${path}-wal`, `${dir}/log`);
    });
    await Deno.remove(path);
    await Deno.rename(`${dir}/log`, `${path}-wal`);
    await restore(file, path, () => {});
    assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
    assert.equal((await databaseStats(path)).objects, 1);
  }));

Deno.test("an empty file is a new database, but not where a write-ahead log says that there was one", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`;
    await Deno.writeFile(path, new Uint8Array());
    await withBackend(path, async (backend) => {
      await backend.put(`${PREFIX}a`, "{}", { expected: 0 });
      await Deno.copyFile(`${path}-wal`, `${dir}/log`);
    });
    await Deno.truncate(path, 0);
    await Deno.rename(`${dir}/log`, `${path}-wal`);
    const log = await Deno.readFile(`${path}-wal`);
    await assert.rejects(withBackend(path, () => Promise.resolve()), refusal(/is empty, .* restore a backup/));
    assert.deepEqual(await Deno.readFile(`${path}-wal`), log);
    await Deno.remove(`${path}-wal`);
    await withBackend(path, async (backend) => assert.equal(await backend.get(`${PREFIX}a`), undefined));
  }));

Deno.test("a checksum is compared however it was written, and one of another file is none", () =>
  inTempDir(async (dir) => {
    const path = `${dir}/state.db`, file = `${dir}/backup.db`;
    await withBackend(path, async (backend) => {
      await backend.put(`${PREFIX}a`, "{}", { expected: 0 });
    });
    const { sha256 } = await backUp(path, file, () => {});
    const compared = async (text: string) => {
      await Deno.writeTextFile(`${file}.sha256`, text);
      return (await restore(file, path, () => {})).compared;
    };
    assert.equal(await compared(`${sha256.toUpperCase()} *./backup.db\n`), true);
    assert.equal(await compared(sha256), true);
    assert.equal(await compared(`${sha256}  other.db\n`), false);
    const replaced = namesIn(dir, "state.db.replaced-").filter((name) => !name.endsWith("-wal"));
    assert.equal(replaced.length, 3, `each one that was there is kept: ${replaced.join(", ")}`);
    await assert.rejects(compared(`${sha256.replace(/./, "x")}  backup.db\n`), refusal(/is not what .*sha256 says/));
  }));

function refusal(text: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof DatabaseFileError && text.test(error.message);
}
