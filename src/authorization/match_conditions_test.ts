import assert from "node:assert/strict";
import { collect } from "../machinery/validation/mod.ts";
import { formatFieldError } from "../machinery/field_error.ts";
import type { AccessReviewSpec } from "./access_review.ts";
import { compileMatchConditions } from "./match_conditions.ts";

const PODS: AccessReviewSpec = {
  resourceAttributes: {
    verb: "list",
    resource: "pods",
    namespace: "kube-system",
    fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n"] }] },
  },
  user: "jane",
  groups: ["dev"],
  extra: { scope: ["all"] },
};

function judge(expressions: string[], spec: AccessReviewSpec = PODS, failed?: () => void): boolean | undefined {
  let result: boolean | undefined;
  const errors = collect((root) => result = compileMatchConditions(expressions, root.child("c"))?.(spec, failed));
  assert.deepEqual(errors.map(formatFieldError), []);
  return result;
}

function problems(...expressions: string[]): string[] {
  return collect((root) => void compileMatchConditions(expressions, root.child("c"))).map(formatFieldError);
}

Deno.test("conditions see the review; text that is empty is there", () => {
  const all = [
    "request.user == 'jane' && 'dev' in request.groups && request.uid == ''",
    "has(request.resourceAttributes) && !has(request.nonResourceAttributes)",
    "request.resourceAttributes.namespace == 'kube-system' && request.resourceAttributes.name == ''",
    "request.resourceAttributes.fieldSelector.requirements.exists(r, r.key == 'spec.nodeName' && 'n' in r.values)",
    "request.extra['scope'][0] == 'all'",
  ];
  assert.equal(judge(all), true);
  assert.equal(judge([...all, "request.user != 'jane'"]), false);
  assert.equal(judge(["request.nonResourceAttributes.path == '/x'"], { nonResourceAttributes: { path: "/x" } }), true);
});

Deno.test("false decides before errors do", () => {
  assert.equal(judge(["request.extra['none'][0] == 'x'", "request.user == 'bob'"]), false);
  assert.throws(
    () => judge(["request.extra['none'][0] == 'x'"]),
    /cel evaluation error: expression 'request.extra\['none']\[0] == 'x'' resulted in error: no such key: none/,
  );
});

Deno.test("who asks hears of conditions that cannot tell, also when another one decides", () => {
  let failures = 0;
  const failed = () => void failures++;
  assert.equal(judge(["request.nonResourceAttributes.path == '/x'", "request.user == 'kim'"], PODS, failed), false);
  assert.equal(failures, 1);
  assert.equal(judge(["request.user == 'jane'"], PODS, failed), true);
  assert.equal(failures, 1);
});

Deno.test("expressions that are wrong are named", () => {
  assert.match(
    problems("request.nobody")[0],
    /^c\[0]\.expression: Invalid value: "request.nobody": compilation failed: /,
  );
  assert.match(problems("request.user")[0], /must evaluate to bool but got string$/);
  assert.deepEqual(problems(" "), ["c[0].expression: Required value"]);
  assert.deepEqual(problems("true", "true"), ['c[1].expression: Duplicate value: "true"']);
});
