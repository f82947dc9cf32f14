import assert from "node:assert/strict";
import { builtinSchema } from "../schema/builtin.ts";
import { structuralRoot } from "../schema/structural.ts";
import type { JsonObject } from "../types.ts";
import { createdSet } from "./created_set.ts";
import { FieldPathError } from "./path_element.ts";

const POD = builtinSchema().typeOfKind({ group: "", version: "v1", kind: "Pod" })!;
const METADATA = { name: "a", namespace: "b", generation: 1, labels: { x: "y" } };

/** The set as it is written, for the order of its members counts. */
function written(object: JsonObject, resetFields?: string[][]): string {
  return JSON.stringify(createdSet(POD, { kind: "Pod", apiVersion: "v1", ...object }, resetFields));
}

Deno.test("what every object has is not in the set, and names and elements come in their order", () => {
  const container = (name: string) => ({ name, env: [{ name: "B" }, { name: "A", value: "1" }] });
  const ports = [443, 80].map((containerPort) => ({ containerPort, protocol: "TCP" }));
  const pod = {
    metadata: METADATA,
    spec: { nodeName: "n", containers: [{ ...container("z"), ports }, { name: "c" }], securityContext: {} },
    status: {},
  };
  const port = (port: number) =>
    `"k:{\\"containerPort\\":${port},\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{},"f:protocol":{}}`;
  const env = `"f:env":{".":{},"k:{\\"name\\":\\"A\\"}":{".":{},"f:name":{},"f:value":{}},"k:{\\"name\\":\\"B\\"}":` +
    `{".":{},"f:name":{}}}`;
  assert.equal(
    written(pod),
    `{"f:metadata":{"f:labels":{".":{},"f:x":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:name":{}},` +
      `"k:{\\"name\\":\\"z\\"}":{".":{},${env},"f:name":{},"f:ports":{".":{},${port(80)},${port(443)}}}},` +
      `"f:nodeName":{},"f:securityContext":{}}}`,
  );
});

Deno.test("many elements and members come in their order, too", () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${i * 7 % 40}`);
  const env = names.map((name) => ({ name }));
  const annotations = Object.fromEntries(names.map((name) => [name, ""]));
  const set = createdSet(POD, { metadata: { annotations }, spec: { containers: [{ name: "c", env }] } });
  const keys = (node: unknown) => Object.keys(node as JsonObject).slice(1);
  const spec = JSON.parse(JSON.stringify(set))["f:spec"]["f:containers"]['k:{"name":"c"}'];
  assert.deepEqual(keys(spec["f:env"]), names.toSorted().map((name) => `k:{"name":"${name}"}`));
  const metadata = set["f:metadata"] as JsonObject;
  assert.deepEqual(keys(metadata["f:annotations"]), names.toSorted().map((name) => `f:${name}`));
});

Deno.test("what a write resets is not in the set, all or a part of it", () => {
  const pod = { metadata: METADATA, spec: { nodeName: "n" }, status: { phase: "Running", hostIP: "1" } };
  assert.equal(written(pod, [["status"]]), '{"f:metadata":{"f:labels":{".":{},"f:x":{}}},"f:spec":{"f:nodeName":{}}}');
  const labels = [["metadata", "labels"], ["status", "phase"]];
  assert.equal(written(pod, labels), '{"f:spec":{"f:nodeName":{}},"f:status":{"f:hostIP":{}}}');
  assert.equal(written(pod, [["metadata"], ["spec"], ["status"]]), "{}");
});

Deno.test("of elements that are there more than once only that they are there is in the set", () => {
  const env = [{ name: "A", value: "1" }, { name: "B" }, { name: "A", value: "2" }];
  assert.equal(
    written({ spec: { containers: [{ name: "c", env }] } }),
    '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:env":{".":{},"k:{\\"name\\":\\"A\\"}":{},' +
      '"k:{\\"name\\":\\"B\\"}":{".":{},"f:name":{}}},"f:name":{}}}}}',
  );
});

Deno.test("elements that cannot be told apart are refused even where the write resets them", () => {
  const object = { status: { conditions: [null] } };
  assert.throws(() => createdSet(POD, object, [["status"]]), FieldPathError);
});

Deno.test("members of custom resources that no schema declares come in order among the others", () => {
  const type = structuralRoot({
    type: "object",
    properties: {
      spec: {
        type: "object",
        "x-kubernetes-preserve-unknown-fields": true,
        properties: {
          m: { type: "string" },
          tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        },
      },
    },
  }, "example.com/v1.Widget");
  const spec = { z: { b: [1], a: null }, tags: ["b", "a<"], m: "1", c: 2 };
  assert.equal(
    JSON.stringify(createdSet(type, { metadata: { name: "a" }, spec })),
    '{"f:spec":{".":{},"f:c":{},"f:m":{},"f:tags":{".":{},"v:\\"a\\\\u003c\\"":{},"v:\\"b\\"":{}},' +
      '"f:z":{".":{},"f:a":{},"f:b":{}}}}',
  );
});
