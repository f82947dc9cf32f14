import assert from "node:assert/strict";
import { metadataText } from "./metadata_text.ts";

Deno.test("metadata is cut out whatever its strings hold", () => {
  for (const annotation of ["plain", '"}{"', "\\", '\\"', "}}", '\\\\"']) {
    const metadata = { name: "a", annotations: { n: annotation }, labels: {} };
    const head = '{"kind":"ConfigMap","apiVersion":"v1",';
    const text = `${head}"metadata":${JSON.stringify(metadata)},"data":{"k":"}"}}`;
    assert.deepEqual(JSON.parse(metadataText({ text, bodyStart: head.length })), metadata);
  }
});
