import assert from "node:assert/strict";
import { booleanValue, firstValue, parseQuery } from "./query.ts";

Deno.test("parameters keep every value in order and lose broken parts", () => {
  const query = parseQuery("?dryRun=All&dryRun=Some&a%20b=c+d&limit&bad=%zz&semi;colon=1&&watch=1");
  assert.deepEqual(query.get("dryRun"), ["All", "Some"]);
  assert.equal(firstValue(query, "a b"), "c d");
  assert.deepEqual(query.get("limit"), [""]);
  assert.equal(query.has("bad"), false);
  assert.equal(query.size, 4);
});

Deno.test("anything but false and 0 is true", () => {
  const query = parseQuery("a=maybe&b=False&c=0&d=&e=1");
  assert.deepEqual(["a", "b", "c", "d", "e", "f"].map((n) => booleanValue(query, n)), [
    true,
    false,
    false,
    true,
    true,
    undefined,
  ]);
});
