import assert from "node:assert/strict";
import { StatusError } from "../errors.ts";
import { builtinSchema } from "../schema/builtin.ts";
import type { JsonObject, KubeObject } from "../types.ts";
import { applyObject, type Convert, updateManagedFields } from "./mod.ts";

const NOW = "2026-01-02T03:04:05Z";
const LATER = "2026-01-02T03:05:00Z";

const convert: Convert = () => undefined;

function typeOf(group: string, kind: string) {
  return builtinSchema().typeOfKind({ group, version: "v1", kind })!;
}

function configMap(data: Record<string, string> | undefined, metadata: JsonObject = {}): KubeObject {
  const object: KubeObject = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a", ...metadata } };
  if (data !== undefined) object.data = data;
  return object;
}

async function apply(
  live: KubeObject | undefined,
  applied: KubeObject,
  { manager = "one", force = false, now = NOW, kind = "ConfigMap", group = "" } = {},
): Promise<KubeObject> {
  const stored = live && { ...live, metadata: { uid: "u", ...live.metadata } };
  const apiVersion = group === "" ? "v1" : `${group}/v1`;
  const object = await applyObject(
    { type: typeOf(group, kind), apiVersion, live: stored, manager, subresource: "", now, force, convert },
    applied,
  );
  return { ...object, metadata: { uid: "u", ...object.metadata } };
}

function update(live: KubeObject | undefined, object: KubeObject, manager = "editor"): KubeObject {
  updateManagedFields(
    { type: typeOf("", "ConfigMap"), apiVersion: "v1", live, manager, subresource: "", now: NOW, convert },
    object,
  );
  return object;
}

function fieldsOf(object: KubeObject): Record<string, unknown> {
  return Object.fromEntries(
    (object.metadata.managedFields ?? []).map((e) => [`${e.manager} ${e.operation}`, e.fieldsV1]),
  );
}

Deno.test("a create owns everything it sets", () => {
  const object = update(undefined, configMap({ k: "v" }, { labels: { x: "y" } }));
  assert.deepEqual(object.metadata.managedFields, [{
    manager: "editor",
    operation: "Update",
    apiVersion: "v1",
    time: NOW,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { ".": {}, "f:k": {} }, "f:metadata": { "f:labels": { ".": {}, "f:x": {} } } },
  }]);
});

Deno.test("an update takes what it changes from whoever had it", () => {
  const live = { ...update(undefined, configMap({ a: "1", b: "2" })) };
  live.metadata.uid = "u";
  const changed = configMap({ a: "1", b: "3" }, { uid: "u", managedFields: live.metadata.managedFields as never });
  assert.deepEqual(fieldsOf(update(live, changed, "other")), {
    "editor Update": { "f:data": { ".": {}, "f:a": {} } },
    "other Update": { "f:data": { "f:b": {} } },
  });
});

Deno.test("a member is taken away whatever it is called", () => {
  const one = update(undefined, configMap({ constructor: "1", k: "v" }), "one");
  const two = update(one, { ...configMap({ k: "v" }), metadata: { ...one.metadata, uid: "u" } }, "two");
  assert.deepEqual(fieldsOf(two), { "one Update": { "f:data": { ".": {}, "f:k": {} } } });
});

Deno.test("fields that an applier names no more go, whoever else's stay", async () => {
  let live = await apply(undefined, configMap({ a: "1", b: "2" }, { labels: { team: "north" } }));
  live = await apply(live, configMap({ c: "3" }), { manager: "two" });
  live = await apply(live, configMap(undefined), { now: LATER });
  assert.deepEqual(live.data, { c: "3" });
  assert.equal(live.metadata.name, "a");
  assert.deepEqual(fieldsOf(live), { "two Apply": { "f:data": { "f:c": {} } } });
});

Deno.test("an applier that sets another's field differently is refused, and may force it", async () => {
  const live = await apply(undefined, configMap({ a: "1" }));
  await assert.rejects(
    apply(live, configMap({ a: "2" }), { manager: "two" }),
    (e) =>
      e instanceof StatusError && e.code === 409 &&
      e.message === 'Apply failed with 1 conflict: conflict with "one": .data.a',
  );
  const forced = await apply(live, configMap({ a: "2" }), { manager: "two", force: true });
  assert.deepEqual(forced.data, { a: "2" });
  assert.deepEqual(fieldsOf(forced), { "two Apply": { "f:data": { "f:a": {} } } });
  const shared = await apply(live, configMap({ a: "1" }), { manager: "two" });
  assert.deepEqual(Object.keys(fieldsOf(shared)), ["two Apply", "one Apply"]);
});

Deno.test("list elements are merged by their keys", async () => {
  const service = (ports: JsonObject[]): KubeObject => ({
    kind: "Service",
    apiVersion: "v1",
    metadata: { name: "s" },
    spec: { ports },
  });
  const live = await apply(undefined, service([{ port: 80, name: "http" }]), { kind: "Service" });
  const merged = await apply(live, service([{ port: 443, protocol: "TCP" }]), { kind: "Service", manager: "two" });
  assert.deepEqual(merged.spec.ports, [{ port: 80, name: "http" }, { port: 443, protocol: "TCP" }]);
  assert.deepEqual(fieldsOf(merged)["two Apply"], {
    "f:spec": { "f:ports": { 'k:{"port":443,"protocol":"TCP"}': { ".": {}, "f:port": {}, "f:protocol": {} } } },
  });
});

Deno.test("an object that nobody tracked is remembered as it was before the first apply", async () => {
  const untracked = configMap({ a: "1" }, { uid: "u" });
  assert.equal(update(untracked, configMap({ a: "2" }, { uid: "u" })).metadata.managedFields, undefined);
  const applied = await apply(untracked, configMap({ b: "2" }));
  assert.deepEqual(Object.keys(fieldsOf(applied)), ["one Apply", "before-first-apply Update"]);
});
