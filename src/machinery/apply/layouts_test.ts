import assert from "node:assert/strict";
import { builtinSchema } from "../schema/builtin.ts";
import type { JsonObject } from "../types.ts";
import { membersInOrder } from "./layouts.ts";
import { shapeOf } from "./typed.ts";

const METADATA = shapeOf(builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!);
const LABELS = METADATA.members.get("labels")!.shape;

function elements(shape: typeof METADATA, object: JsonObject): string[] {
  return membersInOrder(shape, object).map(({ element }) => element);
}

Deno.test("members come in the order of their names, however often objects have them in one order", () => {
  for (let times = 0; times < 3; times++) {
    assert.deepEqual(elements(METADATA, { uid: "u", name: "n" }), ["f:name", "f:uid"]);
    assert.deepEqual(elements(METADATA, { name: "n", uid: "u" }), ["f:name", "f:uid"]);
    assert.deepEqual(elements(METADATA, { uid: "u", name: "n", labels: {} }), ["f:labels", "f:name", "f:uid"]);
    assert.deepEqual(elements(METADATA, { uid: "u" }), ["f:uid"]);
    assert.deepEqual(elements(METADATA, { uid: "u", name: undefined }), ["f:uid"]);
    assert.deepEqual(elements(METADATA, {}), []);
  }
});

Deno.test("only so many layouts are kept, and none whose names are long together", () => {
  for (let i = 0; i < 20; i++) assert.deepEqual(elements(LABELS, { [`b${i}`]: "", a: "" }), ["f:a", `f:b${i}`]);
  const many = Array.from({ length: 50 }, (_, i) => `example.com/${i * 7 % 50}`);
  assert.deepEqual(
    elements(LABELS, Object.fromEntries(many.map((name) => [name, ""]))),
    many.toSorted().map((name) => `f:${name}`),
  );
  assert.deepEqual(LABELS.layouts.map(({ names }) => names[0]), ["b19", "b18", "b17", "b16"]);
});
