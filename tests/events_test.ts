// Events are kept for as long as --event-ttl says, and are one object in both of their groups.
import assert from "node:assert/strict";
import { startServer } from "./support/server.ts";

const CORE = "/api/v1/namespaces/default/events";
const NEW = "/apis/events.k8s.io/v1/namespaces/default/events";
const LIFE_MS = 2000;
const PATIENCE_MS = 30_000;

Deno.test("an event is seen in both groups and goes away by itself", async () => {
  const server = await startServer({ args: [`--event-ttl=${LIFE_MS / 1000}s`] });
  await server.json("POST", CORE, {
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", namespace: "default", name: "p" },
    message: "it is so",
    count: 3,
  });
  const created = Date.now();
  const seen = await server.json<Record<string, unknown>>("GET", `${NEW}/e`);
  assert.equal(seen.note, "it is so");
  assert.equal(seen.deprecatedCount, 3);
  assert.deepEqual(seen.regarding, { kind: "Pod", namespace: "default", name: "p" });
  for (;;) {
    const response = await server.fetch(`${CORE}/e`);
    await response.body?.cancel();
    if (response.status === 404) break;
    assert.equal(response.status, 200);
    assert.ok(Date.now() - created < PATIENCE_MS, "the event is still there");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.ok(Date.now() - created > LIFE_MS / 2, "it went away too soon");
  await server.stop();
});
