import assert from "node:assert/strict";
import { controllerContext } from "../../controllers/informer.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { BuiltinResources } from "../builtin.ts";
import { withTrial } from "../testing.ts";
import { repairOnce } from "./repair.ts";

const NOW = { options: {}, dryRun: false };
const MINUTE = 60_000;
const context = controllerContext("test", new AbortController().signal);

async function addService(resources: BuiltinResources, name: string, clusterIP: string): Promise<void> {
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "default" },
    spec: {
      type: "ClusterIP",
      clusterIP,
      clusterIPs: [clusterIP],
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
      internalTrafficPolicy: "Cluster",
    },
  };
  await resources.store("", "services").create({ ...context, namespace: "default" }, name, service, NOW);
}

async function addAddress(resources: BuiltinResources, ip: string, service: string): Promise<void> {
  const labels = {
    "ipaddress.kubernetes.io/ip-family": "IPv4",
    "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
  };
  const address = {
    apiVersion: "networking.k8s.io/v1",
    kind: "IPAddress",
    metadata: { name: ip, labels },
    spec: { parentRef: { resource: "services", namespace: "default", name: service } },
  };
  await resources.store("networking.k8s.io", "ipaddresses").create(context, ip, address, NOW);
}

/** Each address with the service it is of. */
async function held(resources: BuiltinResources): Promise<Record<string, string>> {
  const { items } = await resources.store("networking.k8s.io", "ipaddresses").list(context, {});
  return Object.fromEntries(items.map((item) => {
    const { metadata, spec } = item.object() as KubeObject;
    return [metadata.name!, spec.parentRef.name];
  }));
}

Deno.test("an address without its service is given back once a request cannot be on its way any more", async () => {
  await withTrial(async ({ resources }) => {
    await addAddress(resources, "10.0.0.5", "gone");
    const next = await repairOnce(resources, context, Date.now());
    assert.deepEqual(await held(resources), { "10.0.0.5": "gone" });
    assert.ok(next <= MINUTE + 1000);
    await repairOnce(resources, context, Date.now() + MINUTE + 1000);
    assert.deepEqual(await held(resources), {});
  });
});

Deno.test("a service's missing address is held again, another's is put right", async () => {
  await withTrial(async ({ resources }) => {
    await addService(resources, "one", "10.0.0.6");
    await addService(resources, "two", "10.0.0.7");
    await addService(resources, "six", "fd00:0::8");
    await addService(resources, "headless", "None");
    await addAddress(resources, "10.0.0.7", "one");
    await repairOnce(resources, context, Date.now());
    assert.deepEqual(await held(resources), { "10.0.0.6": "one", "10.0.0.7": "two", "fd00::8": "six" });
  });
});
