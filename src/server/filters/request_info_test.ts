import assert from "node:assert/strict";
import { Hono } from "hono";
import type { Env } from "../../endpoints/env.ts";
import { chainOf } from "./filter.ts";
import { requestInfo } from "./request_info.ts";

/** The answer to a request as Deno.serve makes it of a Host header and a path. */
async function ask(host: string, path: string): Promise<{ status: number; text: string }> {
  const app = new Hono<Env>();
  app.all("*", chainOf([requestInfo()], (c) => c.text(c.get("requestInfo").path)));
  const request = { url: `http://${host}${path}`, method: "GET", headers: new Headers({ host }) } as Request;
  const answer = await app.fetch(request);
  return { status: answer.status, text: await answer.text() };
}

Deno.test("the host says nothing about the path, however it is written", async () => {
  for (const host of ["localhost:6443", "[::1]:6443", "x:99999999", "[::zz", ""]) {
    assert.deepEqual(await ask(host, "/healthz"), { status: 200, text: "/healthz" }, host);
  }
});

Deno.test("a host that could pass for a part of the path is refused", async () => {
  for (const host of ["x/api/v1/namespaces/default?a=", "u:p@x/version#", "a b", "x?", "x#", "x\\y"]) {
    assert.equal((await ask(host, "/healthz")).status, 400, host);
  }
});

Deno.test("a path is taken as it was sent", async () => {
  for (const path of ["/api/v1/namespaces/x/pods/..", "/api/%2e%2e/version", "/a\\b", "//api"]) {
    assert.deepEqual(await ask("localhost", `${path}?x=/../y`), { status: 200, text: path });
  }
  assert.equal((await ask("localhost", "/a%zz")).status, 400);
});
