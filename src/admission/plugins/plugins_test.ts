// The plugins whose rules are short.
import assert from "node:assert/strict";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { contextOf, lookupOf, requestOf } from "../testing.ts";
import { alwaysPullImages } from "./always_pull_images.ts";
import { denyServiceExternalIPs } from "./deny_service_external_ips.ts";
import { eventRateLimit } from "./event_rate_limit.ts";
import { nodeDeclaredFeatureValidator } from "./node_declared_feature_validator.ts";
import { nodeRestriction } from "./node_restriction/mod.ts";
import { ownerReferencesPermissionEnforcement } from "./owner_references_permission_enforcement.ts";
import { podNodeSelector } from "./pod_node_selector.ts";
import { podResizeValidator } from "./pod_resize_validator.ts";
import { podTopologyLabels } from "./pod_topology_labels.ts";
import { securityContextDeny } from "./security_context_deny.ts";
import { serviceAccount } from "./service_account.ts";

const NODE_USER = { name: "system:node:a", uid: "", groups: ["system:nodes"], extra: {} };

async function why(plugin: AdmissionPlugin, request: AdmissionAttributes): Promise<string> {
  try {
    await plugin.admit?.(request);
    await plugin.validate?.(request);
    return "";
  } catch (e) {
    return (e as Error).message;
  }
}

Deno.test("a pod on a node gets the node's zone, by its spec or by a binding", async () => {
  const nodes = [{ metadata: { name: "a", labels: { "topology.kubernetes.io/zone": "z", other: "o" } } }];
  const plugin = podTopologyLabels(contextOf({ lookup: lookupOf({ nodes }) }));
  const pod = requestOf({ object: { spec: { nodeName: "a" } } });
  await plugin.admit!(pod);
  assert.deepEqual(pod.object!.metadata.labels, { "topology.kubernetes.io/zone": "z" });
  const binding = requestOf({ subresource: "binding", object: { target: { kind: "Node", name: "a" } } });
  await plugin.admit!(binding);
  assert.deepEqual(binding.object!.metadata.labels, { "topology.kubernetes.io/zone": "z" });
});

Deno.test("a resize fits the node, which knows how", async () => {
  const nodes = [{ metadata: { name: "a" }, status: { allocatable: { cpu: "1", memory: "1Gi" } } }];
  const context = contextOf({ lookup: lookupOf({ nodes }) });
  const resized = (now: Record<string, unknown>, before: Record<string, unknown> = {}) => {
    const request = requestOf({
      operation: "UPDATE",
      subresource: "resize",
      object: { spec: { nodeName: "a", ...now } },
    });
    request.object!.metadata.generation = 2;
    return { ...request, oldObject: { ...requestOf().object!, spec: { nodeName: "a", ...before } } };
  };
  const containers = [{ name: "c", resources: { requests: { cpu: "2", memory: "1Mi" } } }];
  assert.equal(
    await why(podResizeValidator(context), resized({ containers })),
    'pods "p" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 2000, allocatable: 1000',
  );
  assert.equal(
    await why(nodeDeclaredFeatureValidator(context), resized({ resources: { requests: { cpu: "1" } } })),
    'pods "p" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "a"',
  );
});

Deno.test("a node changes itself, without its taints and restricted labels", async () => {
  const plugin = nodeRestriction(contextOf());
  const node = (name: string, labels: Record<string, string>, taints?: unknown[]) =>
    requestOf({
      operation: "UPDATE",
      kind: { group: "", version: "v1", kind: "Node" },
      resource: { group: "", version: "v1", resource: "nodes" },
      object: { metadata: { name, labels }, spec: { taints } },
      oldObject: { kind: "Node", apiVersion: "v1", metadata: { name } },
      user: NODE_USER,
    });
  assert.equal(await why(plugin, node("a", { mine: "1", "kubernetes.io/os": "linux" })), "");
  assert.match(await why(plugin, node("b", {})), /node "a" is not allowed to modify node "b"/);
  assert.match(await why(plugin, node("a", { "x.node-restriction.kubernetes.io/y": "1" })), /modify labels: x\.node-/);
  assert.match(await why(plugin, node("a", {}, [{ key: "k", effect: "NoSchedule" }])), /not allowed to modify taints/);
});

Deno.test("a node renews its own lease only, and writes the status of its pods", async () => {
  const plugin = nodeRestriction(contextOf());
  const lease = (namespace: string, name: string) =>
    requestOf({
      kind: { group: "coordination.k8s.io", version: "v1", kind: "Lease" },
      resource: { group: "coordination.k8s.io", version: "v1", resource: "leases" },
      object: { metadata: { name, namespace } },
      user: NODE_USER,
    });
  assert.equal(await why(plugin, lease("kube-node-lease", "a")), "");
  assert.match(await why(plugin, lease("default", "a")), /in the "kube-node-lease" system namespace/);
  assert.match(await why(plugin, lease("kube-node-lease", "b")), /with the same name as the requesting node/);
  const oldObject = { ...requestOf().object!, spec: { nodeName: "b" } };
  const status = requestOf({ operation: "UPDATE", subresource: "status", oldObject, user: NODE_USER });
  assert.match(await why(plugin, status), /can only update pod status for pods with spec\.nodeName set to itself/);
});

Deno.test("a pod gets the token of its account once, whatever is mounted there already", async () => {
  const serviceaccounts = [{ metadata: { name: "default", namespace: "n" } }];
  const plugin = serviceAccount(contextOf({ lookup: lookupOf({ serviceaccounts }) }));
  const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
  const containers = [{ name: "a" }, { name: "b", volumeMounts: [{ name: "own", mountPath }] }];
  const request = requestOf({ object: { spec: { containers } } });
  assert.equal(await why(plugin, request), "");
  await plugin.admit!(request);
  const { spec } = request.object!;
  assert.equal(spec.serviceAccountName, "default");
  assert.equal(spec.volumes.length, 1);
  assert.equal(spec.containers[0].volumeMounts.length, 1);
  assert.equal(spec.containers[1].volumeMounts[0].name, "own");
});

Deno.test("a pod selects the nodes of its namespace, within the namespace's whitelist", async () => {
  const namespaces = [{
    metadata: { name: "n", annotations: { "scheduler.alpha.kubernetes.io/node-selector": "zone=a" } },
  }];
  const configuration = { podNodeSelectorPluginConfig: { n: "zone=a, disk=ssd" } };
  const plugin = podNodeSelector(contextOf({ lookup: lookupOf({ namespaces }), configuration }));
  const pod = (nodeSelector: Record<string, string>) => requestOf({ object: { spec: { nodeSelector } } });
  assert.equal(await why(plugin, pod({ disk: "ssd" })), "");
  assert.match(await why(plugin, pod({ zone: "b" })), /conflicts with its namespace node label selector/);
  assert.match(await why(plugin, pod({ other: "x" })), /labels conflict with its namespace whitelist/);
});

Deno.test("owners are set by who may delete, and block who may set their finalizers", async () => {
  const allowed = new Set(["delete configmaps/"]);
  const authorizer = {
    authorize: ({ verb, resource, subresource }: { verb: string; resource: string; subresource: string }) => ({
      decision: allowed.has(`${verb} ${resource}/${subresource}`) ? "allow" as const : "no opinion" as const,
      reason: "no",
    }),
  };
  const resourcesOf = () => [{ group: "", version: "v1", resource: "configmaps", namespaced: true }];
  const plugin = ownerReferencesPermissionEnforcement(contextOf({ authorizer, resourcesOf }));
  const owned = (blockOwnerDeletion: boolean, resource: string) =>
    requestOf({
      operation: "UPDATE",
      resource: { group: "", version: "v1", resource },
      object: {
        metadata: {
          name: "p",
          ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "1", blockOwnerDeletion }],
        },
      },
      oldObject: requestOf().object,
    });
  assert.equal(await why(plugin, owned(false, "configmaps")), "");
  assert.match(await why(plugin, owned(false, "secrets")), /an ownerRef on a resource you can't delete: no, <nil>/);
  assert.match(await why(plugin, owned(true, "configmaps")), /a resource you can't set finalizers on: no, <nil>/);
});

Deno.test("events are limited by namespace, each with a burst of its own", async () => {
  const configuration = {
    apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
    kind: "Configuration",
    limits: [{ type: "Namespace", qps: 0.001, burst: 2 }],
  };
  const plugin = eventRateLimit(contextOf({ configuration }));
  const event = (namespace: string) =>
    requestOf({ kind: { group: "", version: "v1", kind: "Event" }, object: { metadata: { name: "e", namespace } } });
  for (let i = 0; i < 2; i++) assert.equal(await why(plugin, event("a")), "");
  assert.equal(await why(plugin, event("a")), "Too many requests: limit reached on type Namespace for key a");
  assert.equal(await why(plugin, event("b")), "");
  assert.throws(
    () => eventRateLimit(contextOf({ configuration: { ...configuration, limits: [] } })),
    /must not be empty/,
  );
});

Deno.test("images are pulled always, services get no external addresses, nobody chooses users", async () => {
  const pod = requestOf({ object: { spec: { containers: [{ name: "c", imagePullPolicy: "Never" }] } } });
  assert.equal(await why(alwaysPullImages(), pod), "");
  assert.equal(pod.object!.spec.containers[0].imagePullPolicy, "Always");
  const resource = { group: "", version: "v1", resource: "services" };
  const service = requestOf({ resource, object: { spec: { externalIPs: ["1.2.3.4"] } } });
  assert.match(await why(denyServiceExternalIPs(), service), /Use of external IPs is denied by admission control/);
  const root = requestOf({ object: { spec: { containers: [{ name: "c", securityContext: { runAsUser: 0 } }] } } });
  assert.equal(await why(securityContextDeny(), root), 'pods "p" is forbidden: SecurityContext.RunAsUser is forbidden');
});
