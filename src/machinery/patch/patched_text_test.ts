import assert from "node:assert/strict";
import { mergedText, operatedText } from "./patched_text.ts";

const document = {
  kind: "K",
  apiVersion: "v1",
  metadata: { name: "n", labels: { b: "1", a: "<" } },
  data: { z: "1", y: "2" },
};

Deno.test("members that a merge patch went through are sorted, others stay as they are", () => {
  assert.equal(
    mergedText({ ...document, metadata: { ...document.metadata, labels: 5 } }, { metadata: { labels: 5 } }),
    '{"apiVersion":"v1","data":{"z":"1","y":"2"},"kind":"K","metadata":{"labels":5,"name":"n"}}',
  );
});

Deno.test("members on the way to the target of an operation are sorted", () => {
  assert.equal(
    operatedText(document, [{ op: "replace", path: "/metadata/name", value: "n" }]),
    '{"apiVersion":"v1","data":{"z":"1","y":"2"},"kind":"K","metadata":{"labels":{"b":"1","a":"\\u003c"},"name":"n"}}',
  );
});
