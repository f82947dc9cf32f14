import assert from "node:assert/strict";
import { formatFieldError } from "../../field_error.ts";
import type { JSONSchema } from "../../schema/structural_schema.ts";
import type { Json } from "../../types.ts";
import { RuleValidator } from "./rule_validator.ts";

function spec(properties: Record<string, JSONSchema>, rules: JSONSchema["x-kubernetes-validations"] = []): JSONSchema {
  const schema: JSONSchema = { type: "object", properties, "x-kubernetes-validations": rules };
  return { type: "object", properties: { spec: schema } };
}

function errorsOf(schema: JSONSchema, value: Json, old?: Json, warnings: string[] = []): string[] {
  return new RuleValidator(schema).validate(value, { old, warn: (w) => warnings.push(w) }).map(formatFieldError);
}

Deno.test("a rule that does not hold is told with its message, reason and field", () => {
  const schema = spec({ a: { type: "integer" }, b: { type: "integer" } }, [
    { rule: "self.a <= self.b", messageExpression: "'a is ' + string(self.a)", fieldPath: ".a" },
    { rule: "self.a > 0", message: " positive ", reason: "FieldValueForbidden" },
    { rule: "self.b < 9", messageExpression: "''" },
  ]);
  assert.deepEqual(errorsOf(schema, { spec: { a: -1, b: 10 } }), [
    "spec: Forbidden: positive",
    "spec: Invalid value: failed rule: self.b < 9",
  ]);
  assert.deepEqual(errorsOf(schema, { spec: { a: 5, b: 4 } }), ["spec.a: Invalid value: a is 5"]);
});

Deno.test("rules see a member only where there is one, whatever it is called", () => {
  const transition = { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
  const schema = spec({ constructor: transition }, [{ rule: "!has(self.constructor) || self.constructor == 'a'" }]);
  assert.deepEqual(errorsOf(schema, { spec: {} }), []);
  assert.deepEqual(errorsOf(schema, { spec: { constructor: "a" } }, { spec: {} }), []);
  assert.equal(errorsOf(schema, { spec: { constructor: "a" } }, { spec: { constructor: "b" } }).length, 1);
});

Deno.test("rules on the whole object see its names and have no field", () => {
  const schema: JSONSchema = {
    type: "object",
    "x-kubernetes-validations": [{ rule: "self.metadata.name.startsWith('a')" }],
  };
  assert.deepEqual(errorsOf(schema, { metadata: { name: "b" } }), [
    "<nil>: Invalid value: failed rule: self.metadata.name.startsWith('a')",
  ]);
});

Deno.test("transition rules find elements by their keys", () => {
  const schema = spec({
    l: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: {
        type: "object",
        properties: { k: { type: "string" }, v: { type: "integer" } },
        "x-kubernetes-validations": [{ rule: "self.v >= oldSelf.v" }],
      },
    },
  });
  const old = { spec: { l: [{ k: "x", v: 1 }, { k: "y", v: 1 }] } };
  assert.deepEqual(errorsOf(schema, { spec: { l: [{ k: "y", v: 0 }, { k: "x", v: 2 }, { k: "z", v: 0 }] } }, old), [
    "spec.l[0]: Invalid value: failed rule: self.v >= oldSelf.v",
  ]);
  assert.deepEqual(errorsOf(schema, { spec: { l: [{ k: "y", v: 0 }] } }), []);
});

Deno.test("an optional old value is there on create as well", () => {
  const rule = { rule: "oldSelf.hasValue() ? self >= oldSelf.value() : self <= 10", optionalOldSelf: true };
  const schema = spec({ n: { type: "integer", "x-kubernetes-validations": [rule] } });
  assert.equal(errorsOf(schema, { spec: { n: 11 } }).length, 1);
  assert.deepEqual(errorsOf(schema, { spec: { n: 30 } }, { spec: { n: 5 } }), []);
  assert.equal(errorsOf(schema, { spec: { n: 4 } }, { spec: { n: 5 } }).length, 1);
});

Deno.test("what has not changed is forgiven with a warning", () => {
  const schema = spec({ n: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 5" }] } });
  const warnings: string[] = [];
  const old = { spec: { n: 1, m: 1 } };
  assert.deepEqual(errorsOf(schema, { spec: { n: 1, m: 2 } }, old, warnings), []);
  assert.deepEqual(warnings, ["spec.n: Invalid value: 1: failed rule: self > 5"]);
  assert.equal(errorsOf(schema, { spec: { n: 2 } }, old).length, 1);
});

Deno.test("formats have types, sets have no order, dynamic values are told apart when they run", () => {
  const schema = spec({
    t: { type: "string", format: "date-time", "x-kubernetes-validations": [{ rule: "self.getFullYear() > 2020" }] },
    b: { type: "string", format: "byte", "x-kubernetes-validations": [{ rule: "self == b'hi'" }] },
    s: {
      type: "array",
      "x-kubernetes-list-type": "set",
      items: { type: "string" },
      "x-kubernetes-validations": [{ rule: "self == oldSelf" }],
    },
    p: {
      "x-kubernetes-int-or-string": true,
      "x-kubernetes-validations": [{ rule: "type(self) == int ? self > 0 : self.endsWith('%')" }],
    },
  });
  const good = { t: "2021-01-01T00:00:00Z", b: "aGk=", s: ["a", "b"], p: "5%" };
  assert.deepEqual(errorsOf(schema, { spec: { ...good, s: ["b", "a"], p: 3 } }, { spec: good }), []);
  assert.equal(errorsOf(schema, { spec: { t: "2020-01-01T00:00:00Z", b: "aGV5", p: 0 } }).length, 3);
});

Deno.test("one object has one budget", () => {
  const schema = spec({
    l: { type: "array", items: { type: "string" } },
  }, [{ rule: "self.l.all(x, self.l.all(y, self.l.all(z, x + y == y + x)))" }, { rule: "false" }]);
  const l = Array.from({ length: 65 }, () => "bbbbbbbbbb");
  assert.deepEqual(errorsOf(schema, { spec: { l } }), [
    "spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no further validation rules " +
    "will be run due to call cost exceeds limit for rule: self.l.all(x, self.l.all(y, self.l.all(z, x + y == y + x)))",
  ]);
});
