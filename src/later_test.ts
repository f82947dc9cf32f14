import assert from "node:assert/strict";
import { later, LaterModule } from "./later.ts";

Deno.test("a function is read at its first call and then called straight", async () => {
  let reads = 0;
  const double = later((): Promise<(n: number) => number> => {
    reads++;
    return Promise.resolve((n) => 2 * n);
  });
  const first = double(1);
  assert(first instanceof Promise);
  assert.equal(await first, 2);
  assert.equal(double(2), 4);
  assert.equal(reads, 1);
});

Deno.test("a function that could not be read is read again", async () => {
  let reads = 0;
  const one = later((): Promise<() => number> => {
    if (++reads === 1) return Promise.reject(new Error("no such module"));
    return Promise.resolve(() => 1);
  });
  await assert.rejects(async () => await one(), /no such module/);
  assert.equal(await one(), 1);
});

Deno.test("a module is there once it was loaded", async () => {
  const module = new LaterModule(() => Promise.resolve({ name: "rules" }));
  assert.throws(() => module.module, /nobody has loaded/);
  await module.load();
  assert.equal(module.module.name, "rules");
  assert.equal(module.load(), undefined);
});

Deno.test("what is read at the first use is read once for all who call meanwhile", async () => {
  let reads = 0;
  const call = later(async () => {
    reads++;
    await Promise.resolve();
    return (n: number) => n + reads;
  });
  assert.deepEqual(await Promise.all([call(1), call(2), call(3)]), [2, 3, 4]);
});
