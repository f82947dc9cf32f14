import assert from "node:assert/strict";
import { clone } from "./clone.ts";

Deno.test("a clone is equal and shares nothing", () => {
  const value = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"c":"d"},"e":{}}');
  const copy = clone(value);
  assert.deepEqual(copy, value);
  assert.deepEqual(Object.keys(copy), Object.keys(value));
  copy.a[1].b = 5;
  assert.equal(value.a[1].b, null);
});
