import assert from "node:assert/strict";
import type { Authorizer } from "../../authorization/interface.ts";
import { withTrial } from "../testing.ts";
import { resourceClaimHooks } from "./hooks.ts";

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
  }, { hooks: resourceClaimHooks({ authorize: () => ({ decision: "allow", reason: "" }) }) });
});

Deno.test("to allocate takes a right on binding, to speak for a driver one on the driver", async () => {
  const claim = {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaim",
    spec: { devices: { requests: [{ name: "a", exactly: { deviceClassName: "c" } }] } },
  };
  const matchFields = [{ key: "metadata.name", operator: "In", values: ["n"] }];
  const device = { driver: "d.example.com", pool: "p", device: "x" };
  const status = {
    allocation: {
      devices: { results: [{ ...device, request: "a" }] },
      nodeSelector: { nodeSelectorTerms: [{ matchFields }] },
    },
    devices: [device],
  };
  const asked: string[] = [], allowed = new Set<string>();
  const authorizer: Authorizer = {
    authorize({ verb, subresource, namespace, name }) {
      const question = `${verb} ${subresource} ${namespace}/${name}`;
      asked.push(question);
      return { decision: allowed.has(question) ? "allow" : "no opinion", reason: "" };
    },
  };
  await withTrial(async (trial) => {
    await trial.create(claim);
    Object.assign(trial.context, {
      verb: "update",
      user: {
        name: "system:serviceaccount:a:driver",
        uid: "",
        groups: [],
        extra: { "authentication.kubernetes.io/node-name": ["n"] },
      },
    });
    const write = () => trial.updateRefusals({ ...claim, status }, { subresource: "status" });
    const who = 'User "system:serviceaccount:a:driver" cannot';
    assert.deepEqual(await write(), [
      "status.allocation: Forbidden: changing status.allocation or status.reservedFor requires " +
      'resource="resourceclaims/binding", verb="update" permission: resourceclaims.resource.k8s.io is forbidden: ' +
      `${who} update resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope`,
      "status.devices: Forbidden: changing status.devices requires " +
      'resource="resourceclaims/driver", verb="[associated-node:update arbitrary-node:update]" permission: ' +
      `resourceclaims.resource.k8s.io "d.example.com" is forbidden: ${who} associated-node:update resource ` +
      '"resourceclaims/driver" in API group "resource.k8s.io" in the namespace "default"',
    ]);
    assert.deepEqual(asked, [
      "update binding /",
      "associated-node:update driver default/d.example.com",
      "arbitrary-node:update driver default/d.example.com",
    ]);
    allowed.add("update binding /").add("arbitrary-node:update driver default/d.example.com");
    assert.deepEqual(await write(), []);
  }, { hooks: resourceClaimHooks(authorizer) });
});
