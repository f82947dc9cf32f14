import assert from "node:assert/strict";
import type { Json } from "../../machinery/types.ts";
import { findAll, JsonPathError, parseJsonPath, printed } from "./mod.ts";

const VALUE: Json = {
  metadata: { annotations: { "a.b/c": "x" } },
  status: {
    conditions: [
      { type: "Ready", status: "True", count: 3 },
      { type: "Synced", status: "False", count: 1.5 },
    ],
    list: [1, 2, 3, 4, 5],
    empty: {},
  },
};

function find(path: string): readonly Json[] {
  return findAll(parseJsonPath(path), VALUE);
}

Deno.test("fields, indexes, slices, unions and wildcards", () => {
  assert.deepEqual(find(".status.conditions[0].type"), ["Ready"]);
  assert.deepEqual(find("$.status.list[-1]"), [5]);
  assert.deepEqual(find(".status.list[1:4:2]"), [2, 4]);
  assert.deepEqual(find(".status.list[-2:]"), [4, 5]);
  assert.deepEqual(find(".status.list[0,2]"), [1, 3]);
  assert.deepEqual(find(".status.conditions[*].status"), ["True", "False"]);
  assert.deepEqual(find(".status.conditions.*.status"), ["True", "False"]);
  assert.deepEqual(find(".metadata.annotations.a\\.b/c"), ["x"]);
  assert.deepEqual(find(".metadata.annotations['a\\.b/c']"), ["x"]);
  assert.deepEqual(find(".no.such"), []);
  assert.deepEqual(find(".status..count"), [3, 1.5]);
});

Deno.test("filters compare values of one kind", () => {
  assert.deepEqual(find('.status.conditions[?(@.type=="Ready")].status'), ["True"]);
  assert.deepEqual(find(".status.conditions[?(@.type!='Ready')].status"), ["False"]);
  assert.deepEqual(find(".status.list[?(@>=4)]"), [4, 5]);
  assert.deepEqual(find(".status.conditions[?(@.count)].type"), ["Ready", "Synced"]);
  assert.throws(() => find(".status.conditions[?(@.count>2)]"), JsonPathError);
});

Deno.test("what cannot be looked up or parsed is an error", () => {
  for (const path of [".status.list[7]", ".metadata[0]", ".metadata[?(@.a)]", ".status.list[3:2]"]) {
    assert.throws(() => find(path), JsonPathError, path);
  }
  for (const path of [".a[", ".a[x]", "range .a", ".a[?(@.b==1]", "....a", "{.a}", "'x"]) {
    assert.throws(() => parseJsonPath(path), JsonPathError, path);
  }
});

Deno.test("results are printed as Go prints them", () => {
  assert.deepEqual(
    [1, 1e21, "x", true, null, { b: [1], a: "<" }].map(printed),
    ["1", "1e+21", "x", "true", "<no value>", '{"a":"\\u003c","b":[1]}'],
  );
});
