import assert from "node:assert/strict";
import { loadRe2 } from "../re2.ts";
import { formatFieldError, Path, path } from "../field_error.ts";
import type { Json } from "../types.ts";
import type { JSONSchema } from "../schema/structural_schema.ts";
import { compileSchema, validateEmbedded, validateListTypes, type ValidateOptions } from "./mod.ts";

await loadRe2();

function problems(schema: JSONSchema, value: Json, options?: ValidateOptions): string[] {
  return compileSchema(schema).validate(value, options).map(formatFieldError);
}

function object(properties: Record<string, JSONSchema>): JSONSchema {
  return { type: "object", properties };
}

Deno.test("types, with the words for numbers, formats and null", () => {
  const schema = object({
    a: { type: "string" },
    b: { type: "integer" },
    c: { type: "string", format: "date" },
    d: { "x-kubernetes-int-or-string": true },
    e: { type: "string", nullable: true },
    f: { type: "integer", format: "int32" },
  });
  assert.deepEqual(problems(schema, { a: 1, b: 1.5, c: 5, d: true, e: null, f: 2 ** 31 }), [
    'a: Invalid value: "integer": a in body must be of type string: "integer"',
    'b: Invalid value: "number": b in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in b',
    'c: Invalid value: "int64": c in body must be of type date: "int64"',
    'd: Invalid value: "boolean": d in body must be of type integer,string: "boolean"',
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in f',
  ]);
  assert.deepEqual(problems(schema, { a: null }), [
    'a: Invalid value: "null": a in body must be of type string: "null"',
  ]);
  assert.deepEqual(problems({ type: "object" }, [1]), [
    '<nil>: Invalid value: "array":  in body must be of type object: "array"',
  ]);
});

Deno.test("bounds of numbers, texts, lists and objects", () => {
  const schema: JSONSchema = {
    ...object({
      n: { type: "number", minimum: 0.5, exclusiveMinimum: true, maximum: 10, multipleOf: 0.1 },
      i: { type: "integer", maximum: 5, exclusiveMaximum: true },
      s: { type: "string", minLength: 2, maxLength: 3, pattern: "^[a-z]+$" },
      l: { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 3 },
      m: { type: "object", additionalProperties: { type: "string", enum: ["x", "y"] }, maxProperties: 1 },
    }),
    required: ["n", "z"],
  };
  assert.deepEqual(problems(schema, { n: 0.5, i: 5, s: "a", l: ["a"], m: { p: "q", r: "x" }, z: 1 }), [
    "n: Invalid value: 0.5: n in body should be greater than 0.5",
    "i: Invalid value: 5: i in body should be less than 5",
    's: Invalid value: "a": s in body should be at least 2 chars long',
    'l[0]: Invalid value: "string": l[0] in body must be of type integer: "string"',
    "l: Invalid value: 1: l in body should have at least 2 items",
    "m: Too many: 2: must have at most 1 item",
    'm.p: Unsupported value: "q": supported values: "x", "y"',
  ]);
  assert.deepEqual(problems(schema, { s: "ABC", l: [1, 2, 3, 4] }), [
    "s: Invalid value: \"ABC\": s in body should match '^[a-z]+$'",
    "l: Too many: 4: must have at most 3 items",
    "n: Required value",
    "z: Required value",
  ]);
  assert.deepEqual(problems(schema, { n: 0.7, z: 0, s: "äöü" }), [
    "s: Invalid value: \"äöü\": s in body should match '^[a-z]+$'",
  ]);
  assert.deepEqual(problems(schema, { n: 0.75, z: 0, s: "abcd" }), [
    "n: Invalid value: 0.75: n in body should be a multiple of 0.1",
    "s: Too long: may not be more than 3 bytes",
  ]);
});

Deno.test("numbers are shown as Go prints its integers and floats", () => {
  const schema = object({ n: { type: "number", maximum: 1000000, minimum: 0.00001 } });
  assert.deepEqual(problems(schema, { n: 1000000.5 }), [
    "n: Invalid value: 1.0000005e+06: n in body should be less than or equal to 1e+06",
  ]);
  assert.deepEqual(problems(schema, { n: 1000001 }), [
    "n: Invalid value: 1000001: n in body should be less than or equal to 1000000",
  ]);
  assert.deepEqual(problems(schema, { n: 0.000001 }), [
    "n: Invalid value: 1e-06: n in body should be greater than or equal to 1e-05",
  ]);
});

Deno.test("of alternatives that all fail the closest is told", () => {
  const schema = object({
    a: { anyOf: [{ type: "integer" }, { type: "object", required: ["x"], properties: { y: { type: "string" } } }] },
    o: { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
    l: { allOf: [{ minimum: 1 }, { minimum: 2 }] },
    n: { not: { enum: ["bad"] } },
  });
  assert.deepEqual(problems(schema, { a: { y: "1" } }), [
    '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
    "a.x: Required value",
  ]);
  assert.deepEqual(problems(schema, { o: 2, l: 1, n: "bad" }), [
    '<nil>: Invalid value: "": "o" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    "l: Invalid value: 1: l in body should be greater than or equal to 2",
    '<nil>: Invalid value: "": "l" must validate all the schemas (allOf)',
    '<nil>: Invalid value: "": "n" must not validate the schema (not)',
  ]);
});

Deno.test("what has not changed is forgiven, also in elements that are found by their keys", () => {
  const schema = object({
    spec: object({
      a: { type: "string", maxLength: 1 },
      list: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: object({ name: { type: "string" }, size: { type: "integer", maximum: 1 } }),
      },
      atomic: { type: "array", items: { type: "integer", maximum: 1 } },
    }),
  });
  const old = { spec: { a: "long", list: [{ name: "x", size: 5 }, { name: "y", size: 6 }], atomic: [7] } };
  assert.deepEqual(problems(schema, structuredClone(old), { old }), []);
  const changed = { spec: { a: "long", list: [{ name: "y", size: 6 }, { name: "x", size: 7 }], atomic: [7, 8] } };
  assert.deepEqual(problems(schema, changed, { old }), [
    "spec.list[1].size: Invalid value: 7: spec.list[1].size in body should be less than or equal to 1",
    "spec.atomic[0]: Invalid value: 7: spec.atomic[0] in body should be less than or equal to 1",
    "spec.atomic[1]: Invalid value: 8: spec.atomic[1] in body should be less than or equal to 1",
  ]);
});

Deno.test("a part of an object is told of by its own field and by its place", () => {
  const status = object({ phase: { type: "string" } });
  assert.deepEqual(problems(status, { phase: 1 }, { at: path("status") }), [
    'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
  ]);
});

Deno.test("enums compare numbers after conversion and show every value", () => {
  assert.deepEqual(problems({ enum: [1, "b", { x: 1 }] }, { x: 1 }), []);
  assert.deepEqual(problems({ enum: [1, "b", { x: 1 }] }, 2), [
    '<nil>: Unsupported value: 2: supported values: "1", "b", "{\\"x\\":1}"',
  ]);
  assert.deepEqual(problems(object({ a: { nullable: true, type: "string", enum: ["x"] } }), { a: null }), [
    'a: Unsupported value: null: supported values: "x"',
  ]);
});

Deno.test("formats", () => {
  const cases: Record<string, [good: string[], bad: string[]]> = {
    "uri": [["http://a/b?c d", "/path", "mailto:x", "http://[::1]:80/"], [
      "",
      "a/b",
      "http://a b/",
      ":x",
      "http://a:b/",
    ]],
    "email": [["a@b.c", "A B <a@b>", '"x y"@z'], ["a", "a@", "@b", "a b@c", "<a@b"]],
    "hostname": [["a-b.example.com", "x", "münchen.de"], ["-a", "a_b", "a..b", `${"a".repeat(64)}.com`]],
    "ipv4": [["1.2.3.4"], ["1.2.3", "::1"]],
    "ipv6": [["::1"], ["1.2.3.4", ":::"]],
    "cidr": [["10.0.0.0/8", "::/0"], ["10.0.0.0", "10.0.0.0/33"]],
    "mac": [["01:23:45:67:89:ab", "0123.4567.89ab"], ["01:23:45", "01:23-45:67:89:ab"]],
    "uuid4": [["9c5b94b1-35ad-49bb-b118-8e8fc24abf80"], ["9c5b94b1-35ad-19bb-b118-8e8fc24abf80"]],
    "isbn": [["0321751043", "978-0321751041"], ["0321751044"]],
    "creditcard": [["4111 1111 1111 1111"], ["4111111111111112"]],
    "ssn": [["111-11-1111"], ["111111111"]],
    "hexcolor": [["#FFF", "a1b2c3"], ["#12345"]],
    "rgbcolor": [["rgb(0, 255,1)"], ["rgb(0,256,1)"]],
    "byte": [["aGk="], ["aGk", ""]],
    "date": [["2024-02-29"], ["2023-02-29", "2023-2-1"]],
    "date-time": [["2014-12-15T19:30:20.000Z", "2014-12-15t19:30:20+01:00"], [
      "2014-12-15 19:30:20Z",
      "2014-12-15T24:00:00Z",
    ]],
    "duration": [["1h30m", "22 ns", "3 days"], ["x", "5", "3 moons"]],
    "k8s-short-name": [["a-b"], ["A", "a."]],
    "k8s-long-name": [["a.b-c"], ["a..b"]],
    "bsonobjectid": [["507f1f77bcf86cd799439011"], ["507f"]],
  };
  for (const [format, [good, bad]] of Object.entries(cases)) {
    for (const text of good) assert.deepEqual(problems({ type: "string", format }, text), [], `${format} ${text}`);
    for (const text of bad) {
      assert.equal(problems({ type: "string", format }, text).length, 1, `${format} ${JSON.stringify(text)}`);
    }
  }
  assert.deepEqual(problems({ type: "string", format: "no-such" }, "x"), []);
  assert.deepEqual(problems(object({ d: { type: "string", format: "date-time" } }), { d: "x" }), [
    'd: Invalid value: "x": d in body must be of type date-time: "x"',
  ]);
});

Deno.test("duplicates in sets and maps are told once each", () => {
  const schema = object({
    set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    map: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a", "b"],
      items: object({ a: { type: "string" }, b: { type: "string" } }),
    },
  });
  const value = { set: ["x", "y", "x", "x"], map: [{ a: "1", c: 1 }, { a: "1", c: 2 }, { a: "1", b: "2" }] };
  assert.deepEqual(validateListTypes(value, schema, new Path("")).map(formatFieldError), [
    'set[2]: Duplicate value: "x"',
    'map[1]: Duplicate value: {"a":"1"}',
  ]);
});

Deno.test("embedded objects need a kind, an apiVersion and good metadata", () => {
  const schema = object({ template: { type: "object", "x-kubernetes-embedded-resource": true } });
  const check = (template: Json) => validateEmbedded({ template }, schema, { at: new Path("") }).map(formatFieldError);
  assert.deepEqual(check({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" } }), []);
  assert.deepEqual(check({}), ["template.apiVersion: Required value", "template.kind: Required value"]);
  assert.deepEqual(check({ apiVersion: "a/b/c", kind: "po_d", metadata: { name: "a/b" } }), [
    'template.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    "template.kind: Invalid value: \"po_d\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    "template.metadata.name: Invalid value: \"a/b\": may not contain '/'",
  ]);
});
