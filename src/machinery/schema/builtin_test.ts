import assert from "node:assert/strict";
import { builtinSchema } from "./builtin.ts";
import type { ListType, StructType } from "./model.ts";

Deno.test("a pod's type has its fields in order, with lists keyed as published", () => {
  const pod = builtinSchema().typeOfKind({ group: "", version: "v1", kind: "Pod" })!;
  assert.deepEqual([...pod.fields.keys()], ["kind", "apiVersion", "metadata", "spec", "status"]);
  assert.equal(pod.goName, "v1.Pod");
  const spec = pod.fields.get("spec")!;
  assert.equal(spec.omit, "never");
  const containers = (spec.type as StructType).fields.get("containers")!;
  assert.equal(containers.omit, "never");
  assert.equal(containers.number, 2);
  assert.equal(containers.patchMergeKey, "name");
  const list = containers.type as ListType;
  assert.deepEqual([list.listType, list.mapKeys], ["map", ["name"]]);
  const ports = (list.element as StructType).fields.get("ports")!.type as ListType;
  assert.deepEqual(ports.mapKeys, ["containerPort", "protocol"]);
  assert.equal((ports.element as StructType).fields.get("protocol")!.default, "TCP");
});

Deno.test("types are built once, and recursive ones end", () => {
  const schema = builtinSchema();
  const name = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
  const props = schema.typeByName(name)!;
  assert.equal(props.fields.get("not")!.type as StructType, props);
  assert.equal(schema.typeByName(name), props);
  assert.equal(schema.typeByName("nothing"), undefined);
});

Deno.test("where a type is used it may be merged another way than elsewhere", () => {
  const schema = builtinSchema();
  const spec = schema.typeByName("io.k8s.api.core.v1.PersistentVolumeSpec")!;
  assert.equal(schema.typeByName("io.k8s.api.core.v1.ObjectReference")!.atomic, true);
  assert.equal((spec.fields.get("claimRef")!.type as StructType).atomic, false);
});
