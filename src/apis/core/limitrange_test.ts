import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

function range(...limits: object[]) {
  return { apiVersion: "v1", kind: "LimitRange", spec: { limits } };
}

Deno.test("what is left out of a container's limits follows from the rest", async () => {
  await withTrial(async (trial) => {
    const { spec } = await trial.create(range({ type: "Container", max: { cpu: "1" }, min: { memory: "1Mi" } }));
    assert.deepEqual(spec.limits[0].default, { cpu: "1" });
    assert.deepEqual(spec.limits[0].defaultRequest, { cpu: "1", memory: "1Mi" });
  });
});

Deno.test("limits agree with one another", async () => {
  await withTrial(async (trial) => {
    const limits = [
      { type: "Container", max: { cpu: "1" }, min: { cpu: "2" }, default: { cpu: "3" } },
      { type: "Container" },
      { type: "Pod", default: { cpu: "1" } },
      { type: "PersistentVolumeClaim", max: { cpu: "1" } },
    ];
    assert.deepEqual(await trial.refusals(range(...limits)), [
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than max value 1',
      'spec.limits[0].default[cpu]: Invalid value: "1": default value 3 is greater than max value 1',
      'spec.limits[1].type: Duplicate value: "Container"',
      "spec.limits[2].default: Forbidden: may not be specified when `type` is 'Pod'",
      "spec.limits[3].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
    ]);
  });
});
