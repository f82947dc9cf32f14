import assert from "node:assert/strict";
import { layoutOf, withoutVersion, withVersion } from "./text.ts";

const TEXTS: [string, unknown][] = [
  ["with everything", { name: "a", generateName: "a-", namespace: "b", uid: "u-1", generation: 1 }],
  ["name alone", { name: "a" }],
  ["nothing", {}],
  ["nothing that comes before", { labels: { name: "x", uid: "y" } }],
  ["quotes, backslashes and braces in a name", { name: 'a"}\\\\"b\\', uid: "u", labels: { a: "b" } }],
  ["owner with a uid", { name: "a", ownerReferences: [{ uid: "other" }] }],
];

for (const [title, metadata] of TEXTS) {
  Deno.test(`the resourceVersion goes in and out again: ${title}`, () => {
    const stored = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata, data: { k: "v" } });
    const layout = layoutOf(stored)!;
    const text = withVersion(stored, layout.versionStart, 1234);
    const object = JSON.parse(text);
    assert.equal(object.metadata.resourceVersion, "1234");
    const { resourceVersion: _, ...rest } = object.metadata;
    assert.deepEqual(rest, metadata);
    assert.equal(withoutVersion(text, layout.versionStart, 1234), stored);
    assert.equal("{" + text.slice(layout.bodyStart), JSON.stringify({ metadata: object.metadata, data: object.data }));
  });
}

Deno.test("the resourceVersion stands behind the uid", () => {
  const stored = '{"kind":"A","apiVersion":"b/v1","metadata":{"name":"n","uid":"u","labels":{}}}';
  assert.equal(
    withVersion(stored, layoutOf(stored)!.versionStart, 7),
    '{"kind":"A","apiVersion":"b/v1","metadata":{"name":"n","uid":"u","resourceVersion":"7","labels":{}}}',
  );
});

Deno.test("a text in another order has no layout", () => {
  assert.equal(layoutOf('{"apiVersion":"v1","kind":"A","metadata":{}}'), undefined);
  assert.equal(layoutOf('{"kind":"A","apiVersion":"v1","spec":{},"metadata":{}}'), undefined);
  assert.equal(layoutOf("[]"), undefined);
});
