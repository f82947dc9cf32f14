import assert from "node:assert/strict";
import type { CustomResourceColumnDefinition } from "../facts/generated/types.ts";
import type { Json } from "../machinery/types.ts";
import { columnsOf } from "./columns.ts";

const NOW = Date.parse("2024-01-01T00:10:00Z");
const OBJECT = {
  kind: "Widget",
  apiVersion: "example.com/v1",
  metadata: { name: "a", creationTimestamp: "2024-01-01T00:00:00Z" },
  spec: { size: 5.7, color: "red", on: true, when: "2024-01-01T00:05:00Z", map: { b: 1, a: "<" }, list: [1] },
};

function cells(...columns: Partial<CustomResourceColumnDefinition>[]): Json[] {
  return columnsOf(columns.map((column) => ({ name: "X", ...column }))).map((column) => column.cell(OBJECT, NOW));
}

Deno.test("cells are of the declared type, or not there", () => {
  assert.deepEqual(
    cells(
      { type: "integer", jsonPath: ".spec.size" },
      { type: "number", jsonPath: ".spec.size" },
      { type: "string", jsonPath: ".spec.size" },
      { type: "boolean", jsonPath: ".spec.on" },
      { type: "date", jsonPath: ".spec.when" },
      { type: "string", jsonPath: ".spec.map" },
      { type: "integer", jsonPath: ".spec.color" },
      { type: "date", jsonPath: ".spec.color" },
      { type: "string", jsonPath: ".spec.nothing" },
      { type: "string", jsonPath: ".spec.list[5]" },
    ),
    ["a", 5, 5.7, "5.7", true, "5m", '{"a":"\\u003c","b":1}', null, "<invalid>", null, null],
  );
});

Deno.test("without columns there is the age; those behind one that is none are left out", () => {
  assert.deepEqual(cells(), ["a", "10m"]);
  const columns = columnsOf([
    { name: "A", type: "string", jsonPath: ".spec.color", priority: 1 },
    { name: "B", type: "string", jsonPath: ".spec[" },
    { name: "C", type: "string", jsonPath: ".spec.color" },
  ]);
  assert.deepEqual(columns.map(({ name }) => name), ["Name", "A"]);
  assert.equal(columns[1].priority, 1);
  assert.equal(columns[1].description, "Custom resource definition column (in JSONPath format): .spec.color");
});
