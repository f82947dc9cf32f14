import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

Deno.test("a quota counts whole objects, names known resources, and its scopes agree", async () => {
  const quota = (spec: object) => ({ apiVersion: "v1", kind: "ResourceQuota", spec });
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals(quota({ hard: { pods: "1.5", x: "1", "requests.storage": "1Gi" } })), [
      'spec.hard[pods]: Invalid value: "1500m": must be an integer',
      'spec.hard[x]: Invalid value: "x": must be a standard resource type or fully qualified',
      'spec.hard[x]: Invalid value: "x": must be a standard resource for quota',
    ]);
    assert.deepEqual(await trial.refusals(quota({ scopes: ["BestEffort", "NotBestEffort", "Nope"] })), [
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Nope"]: unsupported scope',
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Nope"]: conflicting scopes',
    ]);
    await trial.create(quota({ scopes: ["BestEffort"] }));
    assert.deepEqual(await trial.updateRefusals(quota({ scopes: ["Terminating"] })), [
      'spec.scopes: Invalid value: ["Terminating"]: field is immutable',
    ]);
  });
});
