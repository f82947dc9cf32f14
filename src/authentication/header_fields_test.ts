import assert from "node:assert/strict";
import { fieldValues, valuesByKey } from "./header_fields.ts";

Deno.test("fields that come several times stay apart, commas stay in their value", () => {
  const headers = new Headers();
  headers.append("Impersonate-Group", "a");
  headers.append("impersonate-group", "b, c");
  assert.deepEqual(fieldValues(headers, "impersonate-group"), ["a", "b, c"]);
  assert.deepEqual(fieldValues(headers, "impersonate-uid"), []);
});

Deno.test("keys are unescaped once, and may be called like members of every object", () => {
  const headers = new Headers();
  for (const [name, value] of [["A%2Fb", "1"], ["a%2fb", "2"], ["constructor", "3"], ["__proto__", "4"]]) {
    headers.append(`X-Extra-${name}`, value);
  }
  headers.append("x-extra-50%", "5");
  headers.append("x-extra-a%252fb", "6");
  assert.deepEqual(Object.entries(valuesByKey(headers, ["x-extra-"])), [
    ["a/b", ["1", "2"]],
    ["constructor", ["3"]],
    ["__proto__", ["4"]],
    ["50%", ["5"]],
    ["a%2fb", ["6"]],
  ]);
});
