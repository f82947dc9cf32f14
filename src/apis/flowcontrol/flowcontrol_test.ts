import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";
import { bootstrapObjects } from "../../server/bootstrap/defaults.ts";

const GROUP = "flowcontrol.apiserver.k8s.io/v1";

Deno.test("the mandatory objects of a new cluster are those that the rules allow", async () => {
  await withTrial(async (trial) => {
    const kinds = { flowschemas: "FlowSchema", prioritylevelconfigurations: "PriorityLevelConfiguration" };
    for (const resource of ["flowschemas", "prioritylevelconfigurations"] as const) {
      for (const object of bootstrapObjects(`/apis/${GROUP}/${resource}`)) {
        const sent = { ...object, apiVersion: GROUP, kind: kinds[resource] };
        assert.deepEqual(await trial.refusals(sent), [], object.metadata.name);
      }
    }
    const spec = { priorityLevelConfiguration: { name: "exempt" }, matchingPrecedence: 2, rules: [] };
    const changed = { apiVersion: GROUP, kind: "FlowSchema", metadata: { name: "exempt" }, spec };
    assert.match((await trial.refusals(changed))[0], /^spec: .*: spec of 'exempt' must equal the fixed value$/);
  });
});

Deno.test("rules of flow schemas are complete", async () => {
  const rule = {
    subjects: [{ kind: "User" }],
    resourceRules: [{ verbs: ["*", "get"], apiGroups: [], resources: ["x"] }],
  };
  const spec = { matchingPrecedence: 10001, rules: [rule] };
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals({ apiVersion: GROUP, kind: "FlowSchema", spec }), [
      "spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000",
      "spec.priorityLevelConfiguration.name: Required value: must reference a priority level",
      "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
      'spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if \'*\' is present, must not specify other ' +
      "verbs",
      "spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group",
      "spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must " +
      "supply at least one namespace",
    ]);
  });
});
