import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const SERVICE = { apiVersion: "v1", kind: "Service" };

Deno.test("what a service's type brings with it is set", async () => {
  await withTrial(async (trial) => {
    const { spec } = await trial.create({ ...SERVICE, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } });
    assert.deepEqual([spec.externalTrafficPolicy, spec.internalTrafficPolicy, spec.allocateLoadBalancerNodePorts], [
      "Cluster",
      "Cluster",
      true,
    ]);
    assert.deepEqual(spec.ports, [{ protocol: "TCP", port: 80, targetPort: 80 }]);
    const affinity = await trial.create({
      ...SERVICE,
      metadata: { name: "b" },
      spec: { ports: [{ port: 80 }], sessionAffinity: "ClientIP" },
    });
    assert.deepEqual(affinity.spec.sessionAffinityConfig, { clientIP: { timeoutSeconds: 10800 } });
  });
});

Deno.test("a service shows every address from outside, whole", async () => {
  await withTrial(async (trial) => {
    const external = async (spec: object, ingress: object[] = []) =>
      (await trial.row({ ...SERVICE, spec, status: { loadBalancer: { ingress } } }))["External-IP"];
    assert.equal(await external({}), "<none>");
    assert.equal(await external({ type: "LoadBalancer" }), "<pending>");
    assert.equal(await external({ type: "ExternalName", externalName: "a.example.com" }), "a.example.com");
    const ingress = [{ hostname: "a-long-name.of-a-balancer.example.com" }, { ip: "192.0.2.1" }];
    assert.equal(
      await external({ type: "LoadBalancer", externalIPs: ["192.0.2.9"] }, ingress),
      "192.0.2.1,a-long-name.of-a-balancer.example.com,192.0.2.9",
    );
  });
});

Deno.test("a service that needs no node ports any more loses them, also when it has fewer ports", async () => {
  await withTrial(async (trial) => {
    const ports = [{ port: 80, name: "a", nodePort: 30001 }, { port: 81, name: "b", nodePort: 30002 }];
    await trial.create({ ...SERVICE, spec: { type: "NodePort", ports } });
    const fewer = { ...SERVICE, spec: { type: "ClusterIP", ports: [ports[1]] } };
    assert.deepEqual((await trial.update(fewer, { dryRun: true })).spec.ports, [
      { name: "b", protocol: "TCP", port: 81, targetPort: 81 },
    ]);
    const other = { ...SERVICE, spec: { type: "ClusterIP", ports: [{ port: 80, nodePort: 30003 }] } };
    assert.deepEqual(await trial.updateRefusals(other), [
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ]);
  });
});

Deno.test("a status of a service that there is not makes it, as a PUT of the service does", async () => {
  await withTrial(async (trial) => {
    const made = await trial.update({ ...SERVICE, spec: { ports: [{ port: 80 }] } }, { subresource: "status" });
    assert.equal(made.spec.type, "ClusterIP");
    await assert.rejects(
      trial.update({ apiVersion: "v1", kind: "Pod", spec: { containers: [] } }, { subresource: "status" }),
      /pods "a" not found/,
    );
  });
});
