import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ConnectionInfo, Env } from "../../endpoints/env.ts";
import { authentication } from "./authentication.ts";
import { requestInfo } from "./request_info.ts";

/** A server that answers with the user's name, and counts how often its authenticator was asked. */
function countingServer() {
  const app = new Hono<Env>(), counter = { asked: 0 };
  app.use(requestInfo(), (c, next) => {
    c.set("warnings", []);
    return next();
  });
  app.use(authentication({
    audiences: [],
    observe() {},
    authenticator: {
      authenticateRequest({ headers }) {
        counter.asked++;
        return { user: { name: headers.get("authorization") ?? "nobody", uid: "", groups: [], extra: {} } };
      },
    },
  }));
  app.all("*", (c) => c.text(c.get("user").name));
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
