import assert from "node:assert/strict";
import { Hono } from "hono";
import { ReadyResponse } from "./ready_response.ts";

const answer = () => new ReadyResponse('{"a":1}', { status: 201, headers: { "content-type": "application/json" } });

Deno.test("a ready answer is a Response for who wants one, with the headers that it got on its way", async () => {
  const response = answer();
  response.headers.set("audit-id", "x");
  const whole = response.toResponse();
  assert.deepEqual([whole.status, ...whole.headers], [201, ["audit-id", "x"], ["content-type", "application/json"]]);
  assert.equal(response.ok, true);
  assert.equal(response.bodyUsed, false);
  assert.deepEqual(await response.json(), { a: 1 });
  assert.equal(response.bodyUsed, true);
  assert.equal(await new Response(answer().body).text(), '{"a":1}');
  assert.equal(new ReadyResponse("", { status: 404 }).ok, false);
});

Deno.test("Hono answers HEAD with the status and headers of a ready answer", async () => {
  const app = new Hono().get("/", () => answer());
  const head = await app.request("/", { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.get("content-type"), head.body], [201, "application/json", null]);
});
