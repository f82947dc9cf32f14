import assert from "node:assert/strict";
import { Engine } from "./engine.ts";
import { pragma } from "./schema.ts";
import { Writer } from "./writer.ts";
import { withDatabasePath } from "../../../tests/support/temp_dir.ts";
import type { FromWriter, WriteBatch } from "./messages.ts";

function batch(key: string, value: string): WriteBatch {
  return { keys: [key], values: [value], expected: [0], ttls: [undefined], relaxed: [false] };
}

Deno.test("a database that turned read-only refuses writes, and takes them again with the next revision", () => {
  const said: FromWriter[] = [];
  const writer = new Writer((message) => said.push(message));
  const answer = (id: number, key: string): FromWriter => {
    writer.handle({ type: "write", id, batch: batch(key, "{}") });
    return said.at(-1)!;
  };
  writer.handle({ type: "open", options: { path: ":memory:", compactionInterval: 0, checkpointPages: 100 } });
  const revisionOf = (message: FromWriter) => message.type === "written" && message.result.revisions[0];
  assert.equal(revisionOf(answer(1, "/registry/a/x")), 2);
  const { db } = writer.engine!;
  db.exec("PRAGMA query_only = 1");
  const message = "the database cannot be written, nothing was written";
  assert.deepEqual(answer(2, "/registry/a/y"), { type: "failed", id: 2, message });
  assert.deepEqual(answer(3, "/registry/a/y"), { type: "failed", id: 3, message });
  db.exec("PRAGMA query_only = 0");
  assert.equal(revisionOf(answer(4, "/registry/a/y")), 3);
  writer.handle({ type: "close", id: 5 });
  assert.deepEqual(said.at(-1), { type: "done", id: 5 });
});

Deno.test("pages that the history between two compactions takes up are used again, not given back each time", () => {
  const engine = new Engine(":memory:", 100), noise = crypto.getRandomValues(new Uint8Array(300));
  const text = `{"text":"${btoa(String.fromCharCode(...noise))}"}`;
  const put = (key: string, expected: number) =>
    engine.apply({ ...batch(key, text), expected: [expected] }).revisions[0];
  for (let i = 0; i < 1000; i++) put(`/registry/a/${i}`, 0);
  let revision = put("/registry/leases/x", 0);
  const sizes: number[] = [];
  for (let cycle = 0; cycle < 6; cycle++) {
    for (let i = 0; i < 200; i++) revision = put("/registry/leases/x", revision);
    engine.maintenance.compact(revision - 1);
    const before = pragma(engine.db, "page_count");
    while (engine.maintenance.step());
    sizes.push(before, pragma(engine.db, "page_count"));
  }
  assert.equal(new Set(sizes.slice(3)).size, 1, `pages before and after each compaction: ${sizes.join(", ")}`);
  engine.close();
});

Deno.test("a compaction that gives few pages back leaves copying the write-ahead log to the next checkpoint", () =>
  withDatabasePath(async (path) => {
    await Deno.writeFile(path, new Uint8Array());
    const engine = new Engine(path, 1_000_000), text = "{}".padEnd(60, " ");
    const copied = () => engine.db.prepare("PRAGMA wal_checkpoint(NOOP)").get()!.checkpointed as number;
    const renew = (times: number) => {
      for (let i = 0; i < times; i++) {
        const write = { ...batch("/registry/leases/x", text), expected: [revision], relaxed: [true] };
        [revision] = engine.apply(write).revisions;
      }
      engine.maintenance.compact(revision - 1);
      while (engine.maintenance.step());
    };
    let revision = 0;
    renew(3000);
    assert.equal(copied(), 0);
    renew(20_000);
    assert.ok(copied() > 0);
    assert.ok((await Deno.stat(path)).size < 200 * 1024);
    engine.close();
  }));
