import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const NODE = { apiVersion: "v1", kind: "Node" };

Deno.test("taints differ by key and effect; a node has one range of each family", async () => {
  await withTrial(async (trial) => {
    const taint = { key: "a", effect: "NoSchedule" };
    const spec = { podCIDRs: ["10.0.0.0/24", "10.1.0.0/24"], taints: [taint, taint, { key: "b", effect: "x" }] };
    assert.deepEqual(await trial.refusals({ ...NODE, spec }), [
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints ' +
      "must be unique by key and effect pair",
      'metadata.taints[2].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", ' +
      '"NoExecute"',
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one CIDR for each IP ' +
      "family",
    ]);
  });
});

Deno.test("ranges and provider are set once", async () => {
  await withTrial(async (trial) => {
    await trial.create({ ...NODE, spec: { podCIDR: "10.0.0.0/24" } });
    assert.deepEqual(await trial.updateRefusals({ ...NODE, spec: { podCIDR: "10.0.0.0/24", providerID: "a" } }), []);
    await trial.update({ ...NODE, spec: { podCIDR: "10.0.0.0/24", providerID: "a" } });
    assert.deepEqual(await trial.updateRefusals({ ...NODE, spec: { podCIDR: "10.1.0.0/24", providerID: "b" } }), [
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
  });
});

Deno.test("a node shows its roles and its state", async () => {
  await withTrial(async (trial) => {
    const row = await trial.row({
      ...NODE,
      metadata: { labels: { "node-role.kubernetes.io/b": "", "kubernetes.io/role": "a" } },
      spec: { unschedulable: true },
      status: { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { kubeletVersion: "v1" } },
    });
    assert.deepEqual([row.Status, row.Roles, row.Version], ["Ready,SchedulingDisabled", "a,b", "v1"]);
  });
});
