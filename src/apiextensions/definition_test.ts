import assert from "node:assert/strict";
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import type { CustomResourceDefinitionVersion } from "../facts/generated/types.ts";
import { digest } from "./definition.ts";

function crd(versions: CustomResourceDefinitionVersion[], generation = 1): CustomResourceDefinition {
  return {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: "widgets.example.com", uid: "u", generation },
    spec: { group: "example.com", scope: "Namespaced", names: { plural: "widgets", kind: "Widget" }, versions },
    status: {
      acceptedNames: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      conditions: [{ type: "Established", status: "True" }],
    },
  } as CustomResourceDefinition;
}

const V1 = { name: "v1", served: true, storage: true }, V2 = { name: "v2", served: true, storage: false };

Deno.test("names that are not settled cannot be served", () => {
  const unnamed = crd([V1]);
  unnamed.status = {};
  assert.equal(digest(unnamed), undefined);
  const { isServed, isEstablished, isTerminating, storageVersion } = digest(crd([V1]))!;
  assert.deepEqual([isServed, isEstablished, isTerminating, storageVersion], [true, true, false, "v1"]);
});

Deno.test("a version's fingerprint changes with itself and the stored version, not with others", () => {
  const prints = (...versions: CustomResourceDefinitionVersion[]) =>
    digest(crd(versions))!.versions.map(({ fingerprint }) => fingerprint);
  const [v1, v2] = prints(V1, V2);
  const changedV2 = { ...V2, schema: { openAPIV3Schema: { type: "object" } } };
  assert.equal(prints(V1, changedV2)[0], v1);
  assert.notEqual(prints(V1, changedV2)[1], v2);
  assert.notEqual(prints({ ...V1, schema: changedV2.schema }, V2)[1], v2);
});

Deno.test("the spec is looked at again when its generation changes, the state always", () => {
  const before = digest(crd([V1, V2]))!, terminating = crd([V1]);
  terminating.status!.conditions!.push({ type: "Terminating", status: "True" });
  const after = digest(terminating, before)!;
  assert.equal(after.isTerminating, true);
  assert.equal(after.versions, before.versions);
  assert.equal(digest(crd([V1], 2), before)!.versions.length, 1);
});

Deno.test("a deprecated version warns, with the best of those that are not", () => {
  const old = { name: "v1beta1", served: true, storage: false, deprecated: true };
  const warnings = digest(crd([old, V1, V2, { ...old, name: "v1alpha1", deprecationWarning: "gone soon" }]))!.versions
    .map(({ deprecationWarning }) => deprecationWarning);
  assert.deepEqual(warnings, [
    "example.com/v1beta1 Widget is deprecated; use example.com/v2 Widget",
    undefined,
    undefined,
    "gone soon",
  ]);
});
