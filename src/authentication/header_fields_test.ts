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
  headers.append("x-extra-a%c3%a9%ff", "7");
  headers.append("x-extra-a%252fb", "6");
  assert.deepEqual(Object.entries(valuesByKey(headers, ["x-extra-"])), [
    ["a/b", ["1", "2"]],
    ["constructor", ["3"]],
    ["__proto__", ["4"]],
    ["50%", ["5"]],
    ["aé\ufffd", ["7"]],
    ["a%2fb", ["6"]],
  ]);
});

Deno.test("bytes are UTF-8", () => {
  const headers = new Headers({ "x-remote-user": "jos\xc3\xa9", "x-remote-group": "a\xff" });
  assert.deepEqual(fieldValues(headers, "x-remote-user"), ["josé"]);
  assert.deepEqual(fieldValues(headers, "x-remote-group"), ["a\ufffd"]);
});
