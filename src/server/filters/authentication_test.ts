import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ConnectionInfo, Env } from "../../endpoints/env.ts";
import { authentication } from "./authentication.ts";
import { deadline } from "./deadline.ts";
import { chainOf, type Filter } from "./filter.ts";
import { REFUSAL_PACE, RefusalQueue } from "./refusal_queue.ts";
import { requestInfo } from "./request_info.ts";

const noWarnings: Filter = (c, next) => {
  c.set("warnings", []);
  return next();
};

/** A server that answers with the user's name, and counts how often its authenticator was asked. */
function countingServer() {
  const app = new Hono<Env>(), counter = { asked: 0 };
  const filter = authentication({
    audiences: [],
    observe() {},
    refusals: new RefusalQueue(REFUSAL_PACE, new AbortController().signal),
    authenticator: {
      authenticateRequest({ headers }) {
        counter.asked++;
        return { user: { name: headers.get("authorization") ?? "nobody", uid: "", groups: [], extra: {} } };
      },
    },
  });
  app.all("*", chainOf([requestInfo(), noWarnings, filter], (c) => c.text(c.get("user").name)));
  const ask = async (connection: ConnectionInfo, authorization?: string) => {
    const headers: HeadersInit = authorization === undefined ? {} : { authorization };
    const answer = await app.fetch(new Request("https://server/api", { headers }), connection);
    return await answer.text();
  };
  return { ask, counter };
}

function connection(more: Partial<ConnectionInfo> = {}): ConnectionInfo {
  return { remoteAddress: "127.0.0.1", secure: true, ...more };
}

Deno.test("a connection's credential is looked at once for a moment, a changed one at once", async () => {
  const { ask, counter } = countingServer(), mine = connection();
  for (let i = 0; i < 3; i++) assert.equal(await ask(mine, "Bearer a"), "Bearer a");
  assert.equal(counter.asked, 1);
  assert.equal(await ask(mine, "Bearer b"), "Bearer b");
  assert.equal(await ask(mine), "nobody");
  assert.equal(counter.asked, 3);
  assert.equal(await ask(connection(), "Bearer b"), "Bearer b");
  assert.equal(counter.asked, 4);
});

Deno.test("a connection with a certificate is asked each time", async () => {
  const { ask, counter } = countingServer(), mine = connection({ peerCertificates: [new Uint8Array(1)] });
  for (let i = 0; i < 3; i++) await ask(mine, "Bearer a");
  assert.equal(counter.asked, 3);
});

Deno.test("a connection whose credential is nobody's is asked each time: it may be anonymous at some paths only", async () => {
  const { ask, counter } = countingServer(), mine = connection();
  for (let i = 0; i < 3; i++) await ask(mine, "system:anonymous");
  assert.equal(counter.asked, 3);
});

Deno.test("refusals that come too fast wait, whatever deadline the client sets; who is known does not", async () => {
  const app = new Hono<Env>(), stopped = new AbortController();
  const pace = { rate: 0, burst: 2 };
  const refusals = new RefusalQueue({ ofAddress: pace, ofAll: pace, longest: 60_000, size: 10 }, stopped.signal);
  const known = { user: { name: "known", uid: "", groups: [], extra: {} } };
  const filters = [
    requestInfo(),
    noWarnings,
    deadline({ requestTimeout: 60_000, stopped: stopped.signal }),
    authentication({
      audiences: [],
      observe() {},
      refusals,
      authenticator: { authenticateRequest: ({ headers }) => headers.has("authorization") ? known : undefined },
    }),
  ];
  app.all("*", chainOf(filters, (c) => c.text(c.get("user").name)));
  const ask = async (init?: RequestInit, query = "") =>
    (await app.fetch(new Request(`https://server/api${query}`, init), connection())).status;
  assert.deepEqual([await ask(), await ask()], [401, 401]);
  const held = [ask(), ask({}, "?timeout=1ms")];
  assert.equal(await ask({ headers: { authorization: "Bearer a" } }), 200);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(refusals.size, 2);
  stopped.abort();
  assert.deepEqual(await Promise.all(held), [401, 401]);
});
