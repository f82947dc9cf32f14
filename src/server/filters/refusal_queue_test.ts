import assert from "node:assert/strict";
import { type RefusalPace, RefusalQueue } from "./refusal_queue.ts";

const NEVER = new AbortController().signal;

function queue(pace: Partial<RefusalPace>, stopped: AbortSignal = NEVER): RefusalQueue {
  const plenty = { rate: 1e6, burst: 1e6 };
  return new RefusalQueue({ ofAddress: plenty, ofAll: plenty, longest: 60_000, size: 100, ...pace }, stopped);
}

/** Waits of so many refusals; those that need none are left out. */
function waits(of: RefusalQueue, count: number, address: string, signal: AbortSignal = NEVER): Promise<void>[] {
  return Array.from({ length: count }, () => of.wait(address, signal)).filter((wait) => wait !== undefined);
}

Deno.test("what an address has no allowance for is let go later, oldest first", async () => {
  const refusals = queue({ ofAddress: { rate: 200, burst: 3 } });
  assert.equal(waits(refusals, 3, "192.0.2.1").length, 0);
  const order: number[] = [];
  const held = waits(refusals, 4, "192.0.2.1").map((wait, i) => wait.then(() => order.push(i)));
  assert.equal(held.length, 4);
  assert.equal(waits(refusals, 1, "192.0.2.2").length, 0);
  await Promise.all(held);
  assert.deepEqual(order, [0, 1, 2, 3]);
  assert.equal(refusals.size, 0);
});

Deno.test("addresses that wait for one allowance take turns", async () => {
  const refusals = queue({ ofAll: { rate: 100, burst: 1 } });
  assert.equal(refusals.wait("192.0.2.1", NEVER), undefined);
  const order: string[] = [];
  const many = waits(refusals, 50, "192.0.2.1").map((wait) => wait.then(() => order.push("many")));
  const [one] = waits(refusals, 1, "192.0.2.2");
  await one;
  assert.ok(order.length < 50);
  assert.equal(many.length, 50);
  await Promise.all(many);
});

Deno.test("a network of IPv6 is one address", () => {
  const refusals = queue({ ofAddress: { rate: 0, burst: 1 } });
  assert.equal(refusals.wait("2001:db8:1:2::1", NEVER), undefined);
  assert.ok(refusals.wait("2001:db8:1:2:ffff::9", NEVER));
  assert.equal(refusals.wait("2001:db8:1:3::1", NEVER), undefined);
  assert.equal(refusals.wait("::ffff:192.0.2.1", NEVER), undefined);
  assert.ok(refusals.wait("192.0.2.1", NEVER));
});

Deno.test("no more are held than there is room for, none longer than the longest time, none whose client has gone", async () => {
  const refusals = queue({ ofAddress: { rate: 0, burst: 0 }, size: 3, longest: 50 });
  const gone = new AbortController();
  const held = [...waits(refusals, 1, "192.0.2.1", gone.signal), ...waits(refusals, 5, "192.0.2.1")];
  assert.equal(held.length, 3);
  gone.abort();
  await held[0];
  await Promise.all(held);
  assert.equal(refusals.size, 0);
});

Deno.test("nobody waits for a server that ends", async () => {
  const stopped = new AbortController(), refusals = queue({ ofAddress: { rate: 0, burst: 0 } }, stopped.signal);
  const held = waits(refusals, 5, "192.0.2.1");
  stopped.abort();
  await Promise.all(held);
  assert.deepEqual(waits(refusals, 5, "192.0.2.1"), []);
});
