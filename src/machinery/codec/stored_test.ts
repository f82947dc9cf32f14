import assert from "node:assert/strict";
import { builtinSchema } from "../schema/builtin.ts";
import type { KubeObject } from "../types.ts";
import { encode, encodeStored } from "./encode.ts";

Deno.test("lists that are always written are null in storage when they are empty", () => {
  const type = builtinSchema().typeOfKind({ group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole" })!;
  const head = { kind: "ClusterRole", apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "a" } };
  const empty: KubeObject = { ...head, rules: [] };
  assert.match(encode(type, empty), /"rules":\[\]/);
  assert.match(encodeStored(type, empty), /"rules":null/);
  const nested: KubeObject = { ...head, rules: [{ verbs: [], apiGroups: [] }] };
  assert.match(encodeStored(type, nested), /"rules":\[\{"verbs":null\}\]/);
});
