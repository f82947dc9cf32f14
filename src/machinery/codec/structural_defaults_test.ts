import assert from "node:assert/strict";
import type { JSONSchema } from "../schema/structural_schema.ts";
import type { JsonObject } from "../types.ts";
import { applyDefaults } from "./structural_defaults.ts";

function object(properties: Record<string, JSONSchema>, more: Partial<JSONSchema> = {}): JSONSchema {
  return { type: "object", properties, ...more };
}

Deno.test("defaults are filled in where values are missing, also below other defaults", () => {
  const schema = object({
    spec: object({
      a: { type: "integer", default: 1 },
      n: { type: "string", nullable: true, default: "x" },
      nested: object({ b: { type: "string", default: "y" } }, { default: {} }),
      pruned: object({ c: { type: "string" } }, { default: { c: "z", unknown: 1 } }),
      list: { type: "array", items: object({ d: { type: "boolean", default: true } }) },
      map: { type: "object", additionalProperties: { type: "string", default: "m" } },
      absent: object({ e: { type: "string", default: "e" } }),
    }),
  });
  const value: JsonObject = { spec: { a: null, n: null, list: [{}, { d: false }], map: { k: null } } };
  applyDefaults(value, schema);
  assert.deepEqual(value, {
    spec: {
      a: 1,
      n: null,
      list: [{ d: true }, { d: false }],
      map: { k: "m" },
      nested: { b: "y" },
      pruned: { c: "z" },
    },
  });
});
