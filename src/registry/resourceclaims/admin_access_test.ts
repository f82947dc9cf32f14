import assert from "node:assert/strict";
import { withTrial } from "../testing.ts";
import { ADMIN_ACCESS_HOOKS } from "./admin_access.ts";

Deno.test("admin access is for namespaces that are marked", async () => {
  const exactly = { deviceClassName: "c", adminAccess: true };
  const spec = { devices: { requests: [{ name: "a", exactly: { deviceClassName: "c" } }, { name: "b", exactly }] } };
  const claim = { apiVersion: "resource.k8s.io/v1", kind: "ResourceClaim", spec };
  const namespace = (labels: object) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "default", labels: { "kubernetes.io/metadata.name": "default", ...labels } },
  });
  await withTrial(async (trial) => {
    await trial.create(namespace({}));
    const message = "spec.devices.requests[1].adminAccess: Forbidden: admin access to devices requires the " +
      "`resource.kubernetes.io/admin-access: true` label on the containing namespace";
    assert.deepEqual(await trial.refusals(claim), [message]);
    const template = { ...claim, kind: "ResourceClaimTemplate", spec: { spec } };
    assert.deepEqual(await trial.refusals(template), [message]);
    await trial.update(namespace({ "resource.kubernetes.io/admin-access": "true" }));
    assert.deepEqual(await trial.refusals(claim), []);
  }, { hooks: ADMIN_ACCESS_HOOKS });
});
