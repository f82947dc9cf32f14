import assert from "node:assert/strict";
import { Writer } from "./writer.ts";
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
