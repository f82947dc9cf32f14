import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const GROUP = "resource.k8s.io/v1";

function claim(exactly: object) {
  return { apiVersion: GROUP, kind: "ResourceClaim", spec: { devices: { requests: [{ name: "a", exactly }] } } };
}

Deno.test("a claim asks for one device unless it says otherwise, and stays as it is", async () => {
  await withTrial(async (trial) => {
    const stored = await trial.create(claim({ deviceClassName: "c", tolerations: [{ key: "k", value: "v" }] }));
    const { allocationMode, count, tolerations } = stored.spec.devices.requests[0].exactly;
    assert.deepEqual([allocationMode, count, stored.status], ["ExactCount", 1, {}]);
    assert.equal(tolerations[0].operator, "Equal");
    assert.match((await trial.updateRefusals(claim({ deviceClassName: "d" })))[0], /^spec: .*: field is immutable$/);
    assert.deepEqual(await trial.refusals(claim({ deviceClassName: "c", allocationMode: "All", count: 2 })), [
      "spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
    ]);
  });
});

Deno.test("selectors compile, end in a boolean and are cheap enough", async () => {
  const selectors = [
    "device.driver == 'a'",
    "device.attributes['a'].b",
    "cel.bind(x, device.capacity['a'], x.m.isGreaterThan(quantity('1Gi')))",
    "1",
    "device.nope",
    "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a == d))))",
  ].map((expression) => ({ cel: { expression } }));
  await withTrial(async (trial) => {
    const at = "spec.devices.requests[0].exactly.selectors";
    assert.deepEqual(await trial.refusals(claim({ deviceClassName: "c", selectors: [...selectors, {}] })), [
      `${at}[3].cel.expression: Invalid value: "1": must evaluate to bool or the unknown type, not int`,
      `${at}[4].cel.expression: Invalid value: "device.nope": compilation failed: ERROR: <input>:1:7: undefined field ` +
      "'nope'\n | device.nope\n | ......^",
      `${at}[5].cel.expression: Forbidden: too complex, exceeds cost limit`,
      `${at}[6].cel: Required value`,
    ]);
  });
});

Deno.test("devices of a slice have names and attributes of one type each", async () => {
  const attributes = { x: {}, y: { int: 1, bool: true }, z: { version: "1.0.0" } };
  const spec = {
    driver: "a.b",
    pool: { name: "p", resourceSliceCount: 0 },
    devices: [{ name: "a", attributes }, { name: "a" }],
  };
  await withTrial(async (trial) => {
    const problems = await trial.refusals({ apiVersion: GROUP, kind: "ResourceSlice", spec });
    assert.deepEqual(problems.map((problem) => problem.replace(/\{.*\}/, "{}")), [
      "spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
      "spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
      'spec.devices[0].attributes[x]: Invalid value: "": exactly one value must be specified',
      "spec.devices[0].attributes[y]: Invalid value: {}: exactly one value must be specified",
      'spec.devices[1]: Duplicate value: "a"',
    ]);
  });
});
