import assert from "node:assert/strict";
import { indentJson } from "./pretty.ts";

Deno.test("indented JSON looks as JSON.stringify indents it", () => {
  const values = [{}, [], { a: { b: [1, 'x,{}:[\\"', null], c: {}, d: [] }, e: [[], {}, [{}]] }, "text", 5];
  for (const value of values) assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
});

Deno.test("numbers keep their digits", () => {
  assert.equal(indentJson('{"a":12345678901234567890,"b":1.50}'), '{\n  "a": 12345678901234567890,\n  "b": 1.50\n}');
});
