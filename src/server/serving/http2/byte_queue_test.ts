import assert from "node:assert/strict";
import { ByteQueue } from "./byte_queue.ts";

Deno.test("bytes come out as they went in, whatever the pieces", () => {
  const queue = new ByteQueue(), sizes = [3, 1, 1, 20_000, 0, 5, 16_383, 1, 1];
  const all = Uint8Array.from({ length: sizes.reduce((a, b) => a + b) }, (_, i) => i % 251);
  let at = 0;
  for (const size of sizes) queue.push(all.subarray(at, at += size));
  assert.equal(queue.length, all.length);
  assert.deepEqual(queue.take(), all);
  assert.equal(queue.take(), undefined);
  queue.push(all.subarray(0, 2));
  queue.clear();
  queue.push(all.subarray(2, 3));
  assert.deepEqual([...queue.take()!], [2]);
});

Deno.test("a piece that was taken does not change when more comes", () => {
  const queue = new ByteQueue();
  queue.push(Uint8Array.of(1));
  queue.push(Uint8Array.of(2));
  const taken = queue.take()!;
  queue.push(Uint8Array.of(3));
  assert.deepEqual([...taken], [1, 2]);
});
