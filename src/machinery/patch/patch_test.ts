import assert from "node:assert/strict";
import { builtinSchema } from "../schema/builtin.ts";
import type { Json, JsonObject } from "../types.ts";
import { applyJsonPatch, mergePatch, PatchError, strategicMergePatch } from "./mod.ts";

const clone = <T>(value: T): T => structuredClone(value);

function json(document: Json, ...operations: JsonObject[]): Json {
  return applyJsonPatch(clone(document), operations);
}

Deno.test("JSON patch operations", () => {
  const document = { a: { b: 1 }, list: [1, 2, 3], "x/y~z": 0 };
  assert.deepEqual(json(document, { op: "add", path: "/a/c", value: 2 }), { ...document, a: { b: 1, c: 2 } });
  assert.deepEqual(json(document, { op: "add", path: "/list/1", value: 9 }), { ...document, list: [1, 9, 2, 3] });
  assert.deepEqual(json(document, { op: "add", path: "/list/-", value: 9 }), { ...document, list: [1, 2, 3, 9] });
  assert.deepEqual(json(document, { op: "add", path: "/list/-1", value: 9 }), { ...document, list: [1, 2, 3, 9] });
  assert.deepEqual(json(document, { op: "remove", path: "/list/-1" }), { ...document, list: [1, 2] });
  assert.deepEqual(json(document, { op: "replace", path: "/x~1y~0z", value: 1 }), { ...document, "x/y~z": 1 });
  assert.deepEqual(json(document, { op: "replace", path: "/new", value: 1 }), { ...document, new: 1 });
  assert.deepEqual(json(document, { op: "move", from: "/a/b", path: "/c" }), { ...document, a: {}, c: 1 });
  assert.deepEqual(json(document, { op: "copy", from: "/gone", path: "/c" }), { ...document, c: null });
  assert.deepEqual(json(document, { op: "replace", path: "", value: [] }), []);
});

Deno.test("JSON patch operations that do not fit", () => {
  const document = { a: { b: 1 }, list: [1] };
  for (
    const operation of [
      { op: "add", path: "/none/x", value: 1 },
      { op: "add", path: "/list/7", value: 1 },
      { op: "remove", path: "/none" },
      { op: "remove", path: "" },
      { op: "replace", path: "/list/1", value: 1 },
      { op: "test", path: "/a", value: { b: 2 } },
      { op: "test", path: "/none", value: 1 },
      { op: "jump", path: "/a" },
      {},
    ]
  ) assert.throws(() => json(document, operation), PatchError, JSON.stringify(operation));
});

Deno.test("a member named __proto__ is a member", () => {
  const patched = json({}, { op: "add", path: "/__proto__", value: { x: 1 } }) as JsonObject;
  assert.deepEqual(Object.keys(patched), ["__proto__"]);
});

Deno.test("merge patches replace lists, remove by null and keep nulls out of what is new", () => {
  const target = { a: { b: 1, c: 2 }, l: [1], s: "x" };
  assert.deepEqual(mergePatch(clone(target), { a: { b: null }, l: [2, null], s: { t: null, u: 1 }, n: null }), {
    a: { c: 2 },
    l: [2, null],
    s: { u: 1 },
  });
});

const PODS = builtinSchema().typeOfKind({ group: "", version: "v1", kind: "Pod" })!;

function pod(spec: JsonObject, patch: JsonObject): Json {
  return (strategicMergePatch(PODS, clone({ spec }), clone({ spec: patch })) as JsonObject).spec!;
}

const TWO = { containers: [{ name: "a", image: "a:1" }, { name: "b", image: "b:1" }] };

Deno.test("lists with a merge key merge by it, the patch's elements first", () => {
  assert.deepEqual(pod(TWO, { containers: [{ name: "b", image: "b:2" }, { name: "c", image: "c:1" }] }), {
    containers: [{ name: "a", image: "a:1" }, { name: "b", image: "b:2" }, { name: "c", image: "c:1" }],
  });
  assert.deepEqual(pod(TWO, { containers: [{ name: "c" }] }), {
    containers: [{ name: "c" }, { name: "a", image: "a:1" }, { name: "b", image: "b:1" }],
  });
});

Deno.test("$patch deletes and replaces", () => {
  assert.deepEqual(pod(TWO, { containers: [{ name: "a", $patch: "delete" }] }), { containers: [TWO.containers[1]] });
  assert.deepEqual(pod(TWO, { containers: [{ $patch: "replace" }, { name: "z" }] }), { containers: [{ name: "z" }] });
  assert.deepEqual(pod({ ...TWO, nodeSelector: { x: "y" } }, { nodeSelector: { $patch: "replace", z: "1" } }), {
    ...TWO,
    nodeSelector: { z: "1" },
  });
  assert.throws(() => pod(TWO, { containers: [{ name: "a", $patch: "erase" }] }), {
    message: "unknown patch type: erase in map: map[$patch:erase name:a]",
  });
  assert.throws(() => pod(TWO, { containers: [{ image: "x" }] }), /does not contain declared merge key: name/);
});

Deno.test("$setElementOrder puts lists into the order of the patch", () => {
  const order = { "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] };
  assert.deepEqual(pod(TWO, order), { containers: [TWO.containers[1], TWO.containers[0]] });
  assert.throws(() => pod(TWO, { "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "b" }] }), {
    message:
      /^The order in patch list:\n\[map\[name:b\]\]\n doesn't match \$setElementOrder list:\n\[map\[name:a\]\]\n$/,
  });
  const late = { ...order, containers: [{ name: "a" }, { name: "b", $patch: "replace" }] };
  assert.throws(() => pod(TWO, late), /The order in patch list:/);
  const unnamed = { "$setElementOrder/containers": [{ image: "a" }], containers: [{ name: "a", $patch: "delete" }] };
  assert.throws(() => pod(TWO, unnamed), { message: "map: map[image:a] does not contain declared merge key: name" });
});

Deno.test("$retainKeys drops what it does not name", () => {
  const spec = { volumes: [{ name: "v", emptyDir: {} }] };
  assert.deepEqual(
    pod(spec, { volumes: [{ name: "v", $retainKeys: ["name", "secret"], secret: { secretName: "s" } }] }),
    {
      volumes: [{ name: "v", secret: { secretName: "s" } }],
    },
  );
  assert.throws(() => pod(spec, { volumes: [{ name: "v", $retainKeys: ["name"], secret: {} }] }), {
    kind: "malformed",
  });
});

Deno.test("primitive lists with the strategy merge are sets", () => {
  const merge = (finalizers: Json, patch: JsonObject) =>
    (strategicMergePatch(PODS, { metadata: { finalizers } }, { metadata: patch }) as JsonObject).metadata;
  assert.deepEqual(merge(["a", "b"], { finalizers: ["c", "a"] }), {
    finalizers: ["c", "a", "b"],
  });
  assert.deepEqual(merge(["a", "b"], { "$deleteFromPrimitiveList/finalizers": ["a"] }), { finalizers: ["b"] });
});
