import assert from "node:assert/strict";
import { conflictError } from "../../../machinery/errors.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import { contextOf, type lookupOf, requestOf } from "../../testing.ts";
import { resourceQuota } from "./mod.ts";
import { pods, podUsage } from "./pods.ts";
import { services } from "./services.ts";
import { volumeClaims } from "./volume_claims.ts";

/** Quotas as they are stored: a write with an old resourceVersion is refused. */
function stored(
  ...quotas: { name: string; hard: Record<string, string>; used?: Record<string, string>; spec?: unknown }[]
) {
  const objects = quotas.map(({ name, hard, used, spec }) => ({
    kind: "ResourceQuota",
    apiVersion: "v1",
    metadata: { name, namespace: "n", resourceVersion: "1" },
    spec: spec ?? { hard },
    status: { hard, used: used ?? Object.fromEntries(Object.keys(hard).map((key) => [key, "0"])) },
  })) as KubeObject[];
  const lookup: ReturnType<typeof lookupOf> = { get: () => undefined, list: () => Promise.resolve([...objects]) };
  let conflicts = 0, writes = 0;
  const client = {
    create: () => Promise.resolve(undefined),
    async update(_path: string, object: Record<string, unknown>) {
      await Promise.resolve();
      const next = object as unknown as KubeObject, { name, resourceVersion } = next.metadata;
      const i = objects.findIndex((quota) => quota.metadata.name === name);
      if (conflicts-- > 0 || objects[i].metadata.resourceVersion !== resourceVersion) {
        throw conflictError({ group: "", resource: "resourcequotas" }, name!, "changed");
      }
      writes++;
      objects[i] = { ...next, metadata: { ...next.metadata, resourceVersion: String(Number(resourceVersion) + 1) } };
      return objects[i];
    },
  };
  return {
    context: contextOf({ lookup, client }),
    used: (name: string) => objects.find((quota) => quota.metadata.name === name)!.status.used,
    writes: () => writes,
    conflict: (times: number) => void (conflicts = times),
  };
}

const CONFIG_MAP = {
  kind: { group: "", version: "v1", kind: "ConfigMap" },
  resource: { group: "", version: "v1", resource: "configmaps" },
};

Deno.test("many at once get as much as there is, in few writes", async () => {
  const { context, used, writes } = stored({ name: "q", hard: { "count/configmaps": "10", configmaps: "20" } });
  const { validate } = resourceQuota(context);
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, async () => await validate!(requestOf(CONFIG_MAP))),
  );
  assert.equal(results.filter((result) => result.status === "fulfilled").length, 10);
  assert.deepEqual(used("q"), { "count/configmaps": "10", configmaps: "10" });
  assert.ok(writes() <= 2);
});

Deno.test("a quota that somebody else changed is read again", async () => {
  const { context, used, conflict } = stored({ name: "q", hard: { configmaps: "1" } });
  const { validate } = resourceQuota(context);
  conflict(2);
  await validate!(requestOf(CONFIG_MAP));
  assert.deepEqual(used("q"), { configmaps: "1" });
  await assert.rejects(
    async () => await validate!(requestOf(CONFIG_MAP)),
    /configmaps "p" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1/,
  );
});

Deno.test("a dry run is checked and uses nothing; a status without usage is told", async () => {
  const { context, used } = stored({ name: "q", hard: { configmaps: "1" } });
  await resourceQuota(context).validate!(requestOf({ ...CONFIG_MAP, dryRun: true }));
  assert.deepEqual(used("q"), { configmaps: "0" });
  const unknown = stored({ name: "q", hard: { configmaps: "1" }, used: {} });
  await assert.rejects(
    async () => await resourceQuota(unknown.context).validate!(requestOf(CONFIG_MAP)),
    /status unknown for quota: q, resources: configmaps/,
  );
});

Deno.test("what is limited by configuration needs a quota", async () => {
  const { context } = stored();
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "ResourceQuotaConfiguration",
    limitedResources: [
      { resource: "configmaps", matchContains: ["count/"] },
      { resource: "pods", matchScopes: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
    ],
  };
  const { validate } = resourceQuota({ ...context, configuration });
  await assert.rejects(
    async () => await validate!(requestOf(CONFIG_MAP)),
    /insufficient quota to consume: count\/configmaps/,
  );
  await assert.rejects(
    async () => await validate!(requestOf({ object: { spec: { priorityClassName: "high" } } })),
    { message: "insufficient quota to match these scopes: [{PriorityClass In [high]}]", code: 500 },
  );
});

Deno.test("pods count what they ask for while they run", () => {
  const spec = {
    containers: [{
      name: "a",
      resources: { requests: { cpu: "1", "example.com/gpu": "1" }, limits: { memory: "1Gi" } },
    }],
    initContainers: [{ name: "i", resources: { requests: { cpu: "3" } } }],
    overhead: { cpu: "100m" },
  };
  const pod = { ...requestOf().object!, spec };
  assert.deepEqual(podUsage(pod), {
    "count/pods": "1",
    pods: "1",
    cpu: "3100m",
    "requests.cpu": "3100m",
    "limits.memory": "1Gi",
    "requests.example.com/gpu": "1",
  });
  assert.deepEqual(podUsage({ ...pod, status: { phase: "Failed" } }), { "count/pods": "1" });
  const containerStatuses = [{ name: "a", resources: { requests: { cpu: "5" } } }];
  assert.equal(podUsage({ ...pod, status: { containerStatuses } }).cpu, "5100m");
});

Deno.test("scopes choose pods by what they are", () => {
  const isIn = (scopeName: string, spec: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    pods.isInScope!({ scopeName, operator: "Exists", ...more }, { ...requestOf().object!, spec });
  assert.equal(isIn("BestEffort", {}), true);
  assert.equal(isIn("NotBestEffort", {}), false);
  assert.equal(isIn("Terminating", { activeDeadlineSeconds: 5 }), true);
  assert.equal(isIn("NotTerminating", { activeDeadlineSeconds: 5 }), false);
  assert.equal(isIn("PriorityClass", {}), false);
  assert.equal(isIn("PriorityClass", { priorityClassName: "a" }, { operator: "NotIn", values: ["b"] }), true);
  const term = { topologyKey: "t", namespaces: ["other"] };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  assert.equal(isIn("CrossNamespacePodAffinity", { affinity }), true);
});

Deno.test("services count ports, claims count sizes by class", () => {
  const service = (spec: Record<string, unknown>) => services.usage({ ...requestOf().object!, spec });
  const ports = [{ port: 80 }, { port: 81, nodePort: 30000 }];
  assert.equal(service({ type: "NodePort", ports })["services.nodeports"], "2");
  assert.equal(
    service({ type: "LoadBalancer", ports, allocateLoadBalancerNodePorts: false })["services.nodeports"],
    "1",
  );
  assert.equal(service({ type: "ClusterIP", ports })["services.loadbalancers"], "0");
  const claim = {
    ...requestOf().object!,
    spec: { storageClassName: "fast", resources: { requests: { storage: "1500m" } } },
  };
  assert.deepEqual(volumeClaims.usage(claim), {
    persistentvolumeclaims: "1",
    "count/persistentvolumeclaims": "1",
    "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
    "requests.storage": "2",
    "fast.storageclass.storage.k8s.io/requests.storage": "2",
  });
});
