import assert from "node:assert/strict";
import { decode } from "../codec/decode.ts";
import type { Json, JsonObject } from "../types.ts";
import type { ListType, StructType } from "./model.ts";
import { structuralRoot } from "./structural.ts";
import type { JSONSchema } from "./structural_schema.ts";

function object(properties: Record<string, JSONSchema>, more: Partial<JSONSchema> = {}): JSONSchema {
  return { type: "object", properties, ...more };
}

/** A whole object with this spec, read by a schema of the spec. */
function read(spec: JSONSchema, value: Json): { spec: Json; unknown: string[] } {
  const type = structuralRoot(object({ spec }), "example.com/v1.Widget");
  const whole = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" }, spec: value };
  const { object: read, strictErrors } = decode(type, whole);
  return { spec: read.spec, unknown: strictErrors.map((error) => /"(.*)"/.exec(error)![1]) };
}

const PRESERVE = { "x-kubernetes-preserve-unknown-fields": true };

Deno.test("what a schema does not know is dropped, at every level and with its path", () => {
  const schema = object({
    a: { type: "string" },
    list: { type: "array", items: object({ b: { type: "integer" } }) },
    map: { type: "object", additionalProperties: object({ c: { type: "string" } }) },
    scalar: { type: "string" },
    empty: { type: "object" },
  });
  const value = {
    a: "x",
    z: 1,
    list: [{ b: 1, y: 2 }],
    map: { k: { c: "d", x: 3 } },
    scalar: { w: 4 },
    empty: { v: 5 },
  };
  const { spec, unknown } = read(schema, value);
  assert.deepEqual(spec, { a: "x", empty: {}, list: [{ b: 1 }], map: { k: { c: "d" } }, scalar: {} });
  assert.deepEqual(unknown, ["spec.empty.v", "spec.list[0].y", "spec.map.k.x", "spec.scalar.w", "spec.z"]);
});

Deno.test("preserved unknown fields stay, what is described below them is still pruned", () => {
  const schema = object({ known: object({ a: { type: "string" } }), any: PRESERVE }, PRESERVE);
  const value = { other: { b: [1, null] }, known: { a: "x", c: 1 }, any: { d: { e: null } } };
  const { spec, unknown } = read(schema, value);
  assert.deepEqual(spec, { any: { d: { e: null } }, known: { a: "x" }, other: { b: [1, null] } });
  assert.deepEqual(unknown, ["spec.known.c"]);
});

Deno.test("embedded objects have a header of their own", () => {
  const schema = object({
    open: { type: "object", "x-kubernetes-embedded-resource": true, ...PRESERVE },
    closed: object({ spec: object({ a: { type: "string" } }) }, { "x-kubernetes-embedded-resource": true }),
  });
  const embedded = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", nope: 1 }, spec: { a: "x", b: 1 } };
  const { spec, unknown } = read(schema, { open: embedded, closed: embedded });
  const header = { kind: "Pod", apiVersion: "v1", metadata: { name: "p" } };
  assert.deepEqual(spec, { open: { ...header, spec: { a: "x", b: 1 } }, closed: { ...header, spec: { a: "x" } } });
  assert.deepEqual(unknown, ["spec.closed.spec.b", "spec.closed.metadata.nope", "spec.open.metadata.nope"]);
});

Deno.test("null is dropped unless a field or value is nullable", () => {
  const schema = object({
    a: { type: "string" },
    b: { type: "string", nullable: true },
    c: { type: "object", additionalProperties: { type: "string" } },
    d: { type: "object", additionalProperties: { type: "string", nullable: true } },
  });
  const { spec } = read(schema, { a: null, b: null, c: { k: null }, d: { k: null } });
  assert.deepEqual(spec, { b: null, c: {}, d: { k: null } });
});

Deno.test("an object that is stored already loses of its metadata only what cannot be read", () => {
  const type = structuralRoot(
    object({ whole: { type: "object", "x-kubernetes-embedded-resource": true, ...PRESERVE } }),
    "example.com/v1.Widget",
  );
  const value = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a" },
    whole: { apiVersion: 1, kind: "Pod", metadata: { name: "p", labels: ["x"] } },
  };
  assert.throws(() => decode(type, value));
  const stored: JsonObject = decode(type, value, { lenient: true }).object as never;
  assert.deepEqual(stored.whole, { kind: "Pod", metadata: { name: "p" } });
});

Deno.test("lists and maps merge as the schema says", () => {
  const type = structuralRoot(
    object({
      spec: object({
        keyed: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: object({ name: { type: "string", default: "d" } }),
        },
        plain: { type: "array", items: { type: "string" } },
        whole: object({ a: { type: "string" } }, { "x-kubernetes-map-type": "atomic" }),
      }),
    }),
    "example.com/v1.Widget",
  );
  assert.deepEqual([...type.fields.keys()], ["kind", "apiVersion", "metadata", "spec"]);
  const { fields } = type.fields.get("spec")!.type as StructType;
  const keyed = fields.get("keyed")!.type as ListType;
  assert.deepEqual([keyed.listType, keyed.mapKeys], ["map", ["name"]]);
  assert.equal((keyed.element as StructType).fields.get("name")!.default, "d");
  assert.equal((fields.get("plain")!.type as ListType).listType, "atomic");
  assert.equal((fields.get("whole")!.type as StructType).atomic, true);
});
