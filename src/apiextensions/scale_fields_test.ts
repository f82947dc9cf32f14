import assert from "node:assert/strict";
import { formatFieldError } from "../machinery/field_error.ts";
import type { KubeObject } from "../machinery/types.ts";
import { ScaleFields } from "./scale_fields.ts";

const fields = new ScaleFields({
  specReplicasPath: ".spec.size.count",
  statusReplicasPath: ".status.count",
  labelSelectorPath: ".status.selector",
});

function object(spec: unknown, status?: unknown): KubeObject {
  return { kind: "Widget", apiVersion: "example.com/v1", metadata: {}, spec, status };
}

Deno.test("numbers are found and set by their paths", () => {
  const widget = object({ size: { count: 3 } }, { count: 2, selector: "a=b" });
  assert.deepEqual([fields.wanted(widget), fields.present(widget), fields.selector(widget)], [3, 2, "a=b"]);
  const empty = object({});
  assert.deepEqual([fields.wanted(empty), fields.present(empty), fields.selector(empty)], [undefined, 0, ""]);
  fields.setWanted(empty, 4);
  assert.deepEqual(empty.spec, { size: { count: 4 } });
});

Deno.test("where an object says nothing there is nothing, whatever the path is called", () => {
  const inherited = new ScaleFields({ specReplicasPath: ".spec.constructor", statusReplicasPath: ".status.valueOf" });
  const widget = object({}, {});
  assert.deepEqual([inherited.wanted(widget), inherited.present(widget)], [undefined, 0]);
  new ScaleFields({ specReplicasPath: ".spec.toString.count", statusReplicasPath: "" }).setWanted(widget, 4);
  assert.deepEqual(widget.spec, { toString: { count: 4 } });
});

Deno.test("what is no number of replicas is told by its path", () => {
  const problems = (widget: KubeObject) =>
    [...fields.validateSpec(widget), ...fields.validateStatus(widget)].map(formatFieldError);
  assert.deepEqual(problems(object({ size: { count: -1 } }, { count: 2 ** 31 })), [
    ".spec.size.count: Invalid value: -1: should be a non-negative integer",
    ".status.count: Invalid value: 2147483648: should be less than or equal to 2147483647",
  ]);
  assert.deepEqual(problems(object({ size: "x" }, { count: 1.5, selector: 1 })), [
    ".spec.size.count: Invalid value: 0: .spec.size.count accessor error: x is of the type string, expected map[string]interface{}",
    ".status.count: Invalid value: 0: .status.count accessor error: 1.5 is of the type float64, expected int64",
    '.status.selector: Invalid value: "": .status.selector accessor error: 1 is of the type int64, expected string',
  ]);
  assert.throws(() => fields.setWanted(object({ size: 1 }), 1), /\.spec\.size accessor error/);
});
