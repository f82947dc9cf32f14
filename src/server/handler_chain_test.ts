import assert from "node:assert/strict";
import { createMetrics } from "../metrics/mod.ts";
import type { ChainHandler } from "./filters/filter.ts";
import { buildHandlerChain } from "./handler_chain.ts";

const somebody = { user: { name: "a", uid: "", groups: [], extra: {} } };

Deno.test("a handler that fails, at once or later, is answered as a panic, with the headers of every answer", async () => {
  const failing: ChainHandler[] = [
    () => {
      throw new Error("a defect");
    },
    () => Promise.reject(new Error("a defect")),
  ];
  for (const handler of failing) {
    const app = buildHandlerChain({
      authenticator: { authenticateRequest: () => somebody },
      audiences: [],
      authorizer: { authorize: () => ({ decision: "allow", reason: "" }) },
      metrics: createMetrics(),
      corsAllowedOrigins: [],
      hstsDirectives: [],
      requestTimeout: 60_000,
      maxRequestsInFlight: 1,
      maxMutatingRequestsInFlight: 1,
      stopped: new AbortController().signal,
    }, handler);
    for (let i = 0; i < 2; i++) {
      const answer = await app.fetch(new Request("https://server/api/v1/pods"), {
        remoteAddress: "127.0.0.1",
        secure: true,
      });
      assert.equal(answer.status, 500);
      assert.match(await answer.text(), /^This request caused apiserver to panic/);
      assert.equal(answer.headers.get("cache-control"), "no-cache, private");
      assert.match(answer.headers.get("audit-id") ?? "", /^[0-9a-f-]{36}$/);
    }
  }
});
