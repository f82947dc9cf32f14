import assert from "node:assert/strict";
import { Hono } from "hono";
import type { Env } from "../../endpoints/env.ts";
import { createMetrics } from "../../metrics/mod.ts";
import { chainOf, type Filter } from "./filter.ts";
import { maxInFlight } from "./max_in_flight.ts";
import { requestInfo } from "./request_info.ts";

Deno.test("beyond the limit requests are told to come again, and the most at once are measured", async () => {
  const metrics = createMetrics(), gate = Promise.withResolvers<void>();
  const app = new Hono<Env>(),
    user: Filter = (c, next) => {
      c.set("user", { name: "a", uid: "", groups: c.req.header("x-groups")?.split(",") ?? [], extra: {} });
      return next();
    };
  const limits = maxInFlight({ maxRequestsInFlight: 2, maxMutatingRequestsInFlight: 0, metrics });
  app.all(
    "*",
    chainOf([requestInfo(), user, limits], async (c) => {
      await gate.promise;
      return c.text("ok");
    }),
  );
  const pods = "http://x/api/v1/pods";
  const waiting = [app.request(pods), app.request(pods), app.request(`${pods}?watch=1`)];
  const refused = await app.request(pods);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
  waiting.push(app.request(pods, { headers: { "x-groups": "system:masters" } }));
  for (let i = 0; i < 3; i++) waiting.push(app.request(pods, { method: "POST" }));
  assert.deepEqual(await inFlight(), ['{request_kind="readOnly"} 2', '{request_kind="mutating"} 3']);
  gate.resolve();
  for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200);
  await inFlight();
  assert.deepEqual(await inFlight(), ['{request_kind="readOnly"} 0', '{request_kind="mutating"} 0']);

  async function inFlight(): Promise<string[]> {
    const name = "apiserver_current_inflight_requests", lines = (await metrics.text()).split("\n");
    return lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length));
  }
});
