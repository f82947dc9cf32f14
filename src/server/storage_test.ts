import assert from "node:assert/strict";
import { storageReadinessHook } from "./storage.ts";

function storageThatFails(times: number) {
  const storage = {
    asked: 0,
    healthy(timeout: number) {
      assert.ok(timeout > 0 && timeout <= 1000, String(timeout));
      return storage.asked++ < times ? Promise.reject(new Error("not yet")) : Promise.resolve();
    },
  };
  return storage;
}

Deno.test("the server waits for its storage, asking again, but no longer than it was told", async () => {
  const { signal } = new AbortController();
  const ready = storageThatFails(0);
  await storageReadinessHook(ready, { initializationTimeout: 60_000 }).run(signal);
  assert.equal(ready.asked, 1);
  const later = storageThatFails(2);
  await storageReadinessHook(later, { initializationTimeout: 60_000 }).run(signal);
  assert.equal(later.asked, 3);
  const never = storageThatFails(Infinity);
  await storageReadinessHook(never, { initializationTimeout: 150 }).run(signal);
  assert.ok(never.asked >= 1);
  const unasked = storageThatFails(Infinity);
  await storageReadinessHook(unasked, { initializationTimeout: 0 }).run(signal);
  assert.equal(unasked.asked, 0);
});

Deno.test("a server that stops waits no more", async () => {
  const never = storageThatFails(Infinity);
  await storageReadinessHook(never, { initializationTimeout: 60_000 }).run(AbortSignal.abort());
  assert.equal(never.asked, 0);
});
