import assert from "node:assert/strict";
import { NamespaceGate } from "./namespace_gate.ts";

Deno.test("a namespace closes once everybody has left, and lets the next in when it opens", async () => {
  const gate = new NamespaceGate(), order: string[] = [];
  assert.equal(gate.enter("a"), undefined);
  assert.equal(gate.enter("a"), undefined);
  const closing = gate.close("a").then((open) => {
    order.push("closed");
    return open;
  });
  const late = Promise.resolve(gate.enter("a")).then(() => order.push("entered"));
  gate.leave("a");
  await Promise.resolve();
  assert.deepEqual(order, []);
  gate.leave("a");
  (await closing)();
  await late;
  assert.deepEqual(order, ["closed", "entered"]);
});

Deno.test("other namespaces do not wait, and two deletions of one follow each other", async () => {
  const gate = new NamespaceGate();
  const open = await gate.close("a");
  assert.equal(gate.enter("b"), undefined);
  let second = false;
  const again = gate.close("a").then((reopen) => {
    second = true;
    return reopen;
  });
  await Promise.resolve();
  assert.equal(second, false);
  open();
  (await again)();
  assert.equal(second, true);
});
