import assert from "node:assert/strict";
import { difference, EMPTY, parseFieldSet, recursiveDifference } from "./field_set.ts";

const SET = parseFieldSet({ "f:a": { ".": {}, "f:x": {}, "f:y": { "f:z": {} } }, "f:b": {} });

function json(value: unknown): string {
  return JSON.stringify(value);
}

Deno.test("a difference leaves what is below a field that goes, a recursive one takes it along", () => {
  const fields = parseFieldSet({ "f:a": {} });
  assert.equal(json(difference(SET, fields)), '{"f:a":{"f:x":{},"f:y":{"f:z":{}}},"f:b":{}}');
  assert.equal(json(recursiveDifference(SET, fields)), '{"f:b":{}}');
});

Deno.test("a field below which nothing is left stays as one, and what is no field goes with all below it", () => {
  const below = parseFieldSet({ "f:a": { "f:x": {}, "f:y": { "f:z": {} } } });
  assert.equal(json(difference(SET, below)), '{"f:a":{},"f:b":{}}');
  assert.equal(json(recursiveDifference(SET, below)), '{"f:a":{},"f:b":{}}');
  assert.equal(
    json(difference(SET, parseFieldSet({ "f:a": { "f:y": { "f:z": {} } } }))),
    '{"f:a":{".":{},"f:x":{}},"f:b":{}}',
  );
});

Deno.test("a set of which nothing goes is the same set, and one of which all goes the empty one", () => {
  const others = parseFieldSet({ "f:a": { "f:other": {}, "f:x": { "f:deep": {} } }, "f:c": {} });
  assert.equal(difference(SET, others), SET);
  assert.equal(recursiveDifference(SET, others), SET);
  assert.equal(difference(SET, SET), EMPTY);
  assert.equal(recursiveDifference(SET, SET), EMPTY);
});
