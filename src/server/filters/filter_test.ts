import assert from "node:assert/strict";
import { Hono } from "hono";
import type { Env } from "../../endpoints/env.ts";
import { afterwards, type ChainHandler, chainOf, type Filter } from "./filter.ts";

function traced(name: string): Filter {
  return (c, next) => afterwards(next(), () => c.res.headers.append("trace", name));
}

/** Goes on in another turn. */
const later: Filter = async (_c, next) => {
  await Promise.resolve();
  await next();
};

function appOf(filters: Filter[], handler: ChainHandler) {
  return new Hono<Env>().all("*", chainOf(filters, handler));
}

Deno.test("filters see the answer on its way out, the first one last, however it is made", async () => {
  const handlers: ChainHandler[] = [(c) => c.text("a"), (c) => Promise.resolve(c.text("a"))];
  for (const handler of handlers) {
    for (const between of [[], [later]]) {
      const answer = await appOf([traced("1"), ...between, traced("2")], handler).request("/");
      assert.deepEqual([answer.headers.get("trace"), await answer.text()], ["2, 1", "a"]);
    }
  }
});

Deno.test("what is there at once is not waited for", () => {
  const answer = appOf([traced("1"), traced("2")], (c) => c.text("a")).request("/");
  assert.equal(answer instanceof Response, true);
});

Deno.test("a filter may answer itself, at once or later, and those before it see that", async () => {
  const refusals: Filter[] = [(c) => c.text("no", 403), (c) => Promise.resolve(c.text("no", 403))];
  for (const refuse of refusals) {
    const answer = await appOf([traced("1"), refuse, traced("2")], () => assert.fail("not asked")).request("/");
    assert.deepEqual([answer.status, answer.headers.get("trace")], [403, "1"]);
  }
});

Deno.test("the first of two answers counts", async () => {
  const impatient: Filter = async (c, next) => {
    const pending = next();
    return c.text("late", 504) ?? await pending;
  };
  const answer = await appOf([traced("1"), impatient], async (c) => {
    await Promise.resolve();
    return c.text("a");
  }).request("/");
  assert.deepEqual([answer.status, await answer.text()], [504, "late"]);
});

Deno.test("filters are Hono middleware", async () => {
  const app = new Hono<Env>().all("*", traced("1"), later, traced("2"), (c) => c.text("a"));
  assert.equal((await app.request("/")).headers.get("trace"), "2, 1");
});
