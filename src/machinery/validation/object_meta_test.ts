import assert from "node:assert/strict";
import { aggregate, formatFieldError, path } from "../field_error.ts";
import { nameIsDNSSubdomain } from "./names.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "./object_meta.ts";

const options = {
  namespaced: true,
  validateName: nameIsDNSSubdomain,
  path: path("metadata"),
  standardFinalizers: true,
};

Deno.test("good metadata has no errors", () => {
  const meta = {
    name: "a",
    namespace: "default",
    labels: { "app.kubernetes.io/name": "x", empty: "" },
    annotations: { "Example.com/Any": "whatever" },
    finalizers: ["example.com/hold", "foregroundDeletion"],
    ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "u", controller: true }],
  };
  assert.deepEqual(validateObjectMeta(meta, options), []);
});

Deno.test("causes come in the order of the fields", () => {
  const errors = validateObjectMeta({
    namespace: "a.b",
    labels: { "bad key": "ok" },
    finalizers: ["plain"],
    ownerReferences: [
      { apiVersion: "v1", kind: "Pod", name: "one", uid: "1", controller: true },
      { apiVersion: "a/b/c", kind: "Pod", name: "two", uid: "", controller: true },
    ],
  }, options).map((e) => formatFieldError(e).replace(/ part must consist.*/, ""));
  assert.deepEqual(errors, [
    "metadata.name: Required value: name or generateName is required",
    'metadata.namespace: Invalid value: "a.b": must not contain dots',
    'metadata.labels: Invalid value: "bad key": name',
    'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"one","uid":"1","controller":true},' +
    '{"apiVersion":"a/b/c","kind":"Pod","name":"two","uid":"","controller":true}]: Only one reference can have ' +
    'Controller set to true. Found "true" in references for Pod/one and Pod/two',
    'metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

Deno.test("an update may not change what names an object", () => {
  const old = { name: "a", namespace: "n", uid: "1", resourceVersion: "5", deletionTimestamp: "2024-01-01T00:00:00Z" };
  const errors = validateObjectMetaUpdate(
    { ...old, uid: "2", resourceVersion: undefined, finalizers: ["b.example/x", "a.example/x"] },
    old,
    { path: path("metadata") },
  );
  assert.equal(
    aggregate(errors),
    "[metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new " +
      'finalizers []string{"a.example/x", "b.example/x"}, metadata.resourceVersion: Invalid value: "": must be ' +
      'specified for an update, metadata.uid: Invalid value: "2": field is immutable]',
  );
});
