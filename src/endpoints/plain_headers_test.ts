import assert from "node:assert/strict";
import { fieldValues, valuesByKey } from "../authentication/header_fields.ts";
import { PlainHeaders } from "./plain_headers.ts";

function headersOf(...fields: [name: string, value: string][]): PlainHeaders {
  const headers = new PlainHeaders();
  for (const [name, value] of fields) headers.append(name, value);
  return headers;
}

Deno.test("fields that come several times are joined for Fetch, and apart for who is somebody's group", () => {
  const headers = headersOf(["impersonate-group", "a"], ["cookie", "x"], ["impersonate-group", "b, c"], [
    "cookie",
    "y",
  ]);
  assert.equal(headers.get("Impersonate-Group"), "a, b, c");
  assert.equal(headers.get("cookie"), "x; y");
  assert.deepEqual([...headers], [["impersonate-group", "a, b, c"], ["cookie", "x; y"]]);
  assert.deepEqual(fieldValues(headers, "impersonate-group"), ["a", "b, c"]);
  assert.deepEqual(fieldValues(headers, "impersonate-uid"), []);
});

Deno.test("values by key, and bytes as UTF-8", () => {
  const headers = headersOf(["x-extra-a%2fb", "1"], ["x-user", "jos\xc3\xa9"], ["x-extra-a%2fb", "2"], ["accept", "x"]);
  assert.deepEqual(valuesByKey(headers, ["x-extra-"]), { "a/b": ["1", "2"] });
  assert.deepEqual(fieldValues(headers, "x-user"), ["josé"]);
});
