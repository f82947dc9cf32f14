import assert from "node:assert/strict";
import { Demand } from "./demand.ts";

Deno.test("reads of single objects make a resource worth being loaded, again after it failed", () => {
  const demand = new Demand();
  for (let i = 0; i < 10; i++) assert.ok(!demand.noteSingleRead());
  assert.ok(demand.noteSingleRead());
  demand.noteFailure();
  for (let i = 0; i < 10; i++) assert.ok(!demand.noteSingleRead());
  assert.ok(demand.noteSingleRead());
});

Deno.test("creates load what is not more than twice as much, and look for it less and less often", () => {
  const demand = new Demand(), looks: number[] = [];
  for (let i = 1; i <= 100; i++) if (demand.noteCreate()) looks.push(i);
  assert.deepEqual(looks, [11, 22, 44, 88]);
  assert.ok(demand.isWorth(0));
  assert.ok(demand.isWorth(200));
  assert.ok(!demand.isWorth(201));
});

Deno.test("what nobody reads is neither loaded nor kept in memory when it is much, and not counted again", () => {
  for (const isMuch of [(demand: Demand) => !demand.isWorth(5001), (demand: Demand) => demand.isTooMuch(16_000_001)]) {
    const demand = new Demand();
    for (let i = 0; i < 10_000; i++) demand.noteCreate();
    assert.ok(demand.isWorth(5000) && !demand.isTooMuch(16_000_000));
    assert.ok(isMuch(demand));
    for (let i = 0; i < 100_000; i++) assert.ok(!demand.noteCreate(), "it is counted again");
    demand.noteRead();
    assert.ok(!isMuch(demand));
  }
});
