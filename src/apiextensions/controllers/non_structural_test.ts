import assert from "node:assert/strict";
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import { checkStructure } from "./non_structural.ts";

Deno.test("a CRD that preserves unknown fields is told of until it does no more", async () => {
  const crd: CustomResourceDefinition = {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      preserveUnknownFields: true,
      versions: [{ name: "v1", schema: { openAPIV3Schema: { properties: { a: {} } } } }],
    },
  };
  assert.ok(await checkStructure(crd));
  const [condition] = crd.status!.conditions!;
  assert.equal(condition.reason, "Violations");
  assert.equal(
    condition.message,
    "[spec.preserveUnknownFields: Invalid value: true: must be false, " +
      "spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields, " +
      "spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root]",
  );
  assert.equal(await checkStructure(crd), false);
  crd.spec = { group: "example.com", versions: [] };
  assert.ok(await checkStructure(crd));
  assert.deepEqual(crd.status!.conditions, []);
});
