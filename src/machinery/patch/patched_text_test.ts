import assert from "node:assert/strict";
import { mergedText, operatedText, OperationTrail } from "./patched_text.ts";

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

Deno.test("what is copied is sorted as far as the patch went through it before, and stays so", () => {
  const copied = (path: string) => {
    const trail = new OperationTrail(), copy = { op: "copy", from: "/metadata", path };
    trail.enter(copy);
    return trail.textAt(document.metadata, copy.from);
  };
  const copy = { op: "copy", from: "/metadata", path: "/metadata/labels" };
  assert.equal(copied("/metadata/labels"), '{"labels":{"b":"1","a":"\\u003c"},"name":"n"}');
  assert.equal(copied("/data/x"), '{"name":"n","labels":{"b":"1","a":"\\u003c"}}');
  const value = { metadata: { name: "n", labels: { z: 1, b: 2 } } };
  const operations = [{ op: "add", path: "/metadata/labels/z", value: 1 }, { ...copy, op: "replace", value: {} }];
  assert.equal(operatedText(value, operations), '{"metadata":{"labels":{"z":1,"b":2},"name":"n"}}');
});
