import assert from "node:assert/strict";
import type { KubeObject } from "../../machinery/types.ts";
import type { AuthorizationAttributes, AuthorizationResult } from "../interface.ts";
import { nodeAuthorizer } from "./authorizer.ts";
import { NodeGraph } from "./graph.ts";

type Wanted = Partial<AuthorizationAttributes>;

function object(kind: string, name: string, rest: Record<string, unknown> = {}, namespace?: string): KubeObject {
  return { kind, apiVersion: "v1", metadata: { name, namespace, uid: `${name}-uid` }, ...rest };
}

function pod(name: string, node: string, spec: object = {}, status: object = {}): KubeObject {
  return object("Pod", name, { spec: { nodeName: node, ...spec }, status }, "ns");
}

function setUp() {
  const graph = new NodeGraph();
  const authorizer = nodeAuthorizer({
    graph: () => graph,
    rules: () => [{ verbs: ["get"], apiGroups: [""], resources: ["services"] }],
  });
  const ask = (node: string, wanted: Wanted): string => {
    const { decision, reason } = authorizer.authorize({
      user: { name: `system:node:${node}`, uid: "", groups: ["system:nodes"], extra: {} },
      verb: "get",
      isResourceRequest: true,
      namespace: "ns",
      apiGroup: "",
      apiVersion: "v1",
      resource: "secrets",
      subresource: "",
      name: "",
      path: "",
      ...wanted,
    }) as AuthorizationResult;
    return decision === "allow" ? "yes" : reason === "" ? "no" : reason;
  };
  return { graph, authorizer, ask };
}

const UNRELATED = "no relationship found between node 'n' and this object";

Deno.test("a node reads what its pods name, by whatever way", () => {
  const { graph, ask } = setUp();
  graph.putPod(pod("web", "n", {
    serviceAccountName: "robot",
    imagePullSecrets: [{ name: "pull" }],
    initContainers: [{ envFrom: [{ secretRef: { name: "init" } }] }],
    containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: "env", key: "k" } } }] }],
    volumes: [
      { name: "a", secret: { secretName: "volume" } },
      { name: "b", projected: { sources: [{ configMap: { name: "projected" } }] } },
      { name: "c", persistentVolumeClaim: { claimName: "data" } },
      { name: "d", ephemeral: {} },
      { name: "e", csi: { nodePublishSecretRef: { name: "csi" } } },
    ],
    resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "t" }, { name: "x", resourceClaimName: "direct" }],
  }, { resourceClaimStatuses: [{ name: "gpu", resourceClaimName: "web-gpu" }] }));
  const readable: [resource: string, names: string[], apiGroup?: string][] = [
    ["secrets", ["pull", "init", "volume", "csi"]],
    ["configmaps", ["env", "projected"]],
    ["persistentvolumeclaims", ["data", "web-d"]],
    ["resourceclaims", ["web-gpu", "direct"], "resource.k8s.io"],
    ["serviceaccounts", ["robot"]],
    ["pods", ["web"]],
  ];
  for (const [resource, names, apiGroup = ""] of readable) {
    for (const name of names) {
      assert.equal(ask("n", { resource, name, apiGroup }), "yes", `${resource}/${name}`);
      assert.match(ask("other", { resource, name, apiGroup }), /^no relationship found between node 'other'/);
      assert.equal(ask("n", { resource, name, apiGroup, namespace: "elsewhere" }), UNRELATED);
    }
  }
  assert.equal(ask("n", { resource: "serviceaccounts", subresource: "token", verb: "create", name: "robot" }), "yes");
  const status: Wanted = { resource: "persistentvolumeclaims", subresource: "status", name: "data" };
  assert.equal(ask("n", { ...status, verb: "patch" }), "yes");
  assert.equal(ask("n", status), "can only get/update/patch this type");
});

Deno.test("what is named by nobody any more cannot be read", () => {
  const { graph, ask } = setUp();
  const volumes = [{ name: "a", secret: { secretName: "s" } }];
  graph.putPod(pod("one", "n", { volumes }));
  graph.putPod(pod("two", "n", { volumes }));
  graph.deletePod(pod("one", "n"));
  assert.equal(ask("n", { name: "s" }), "yes");
  graph.deletePod(pod("two", "n"));
  assert.equal(ask("n", { name: "s" }), UNRELATED);
});

Deno.test("a pod is looked at anew when it gets names: ephemeral containers, claims, a node", () => {
  const { graph, ask } = setUp();
  graph.putPod(pod("web", "", { imagePullSecrets: [{ name: "s" }] }));
  assert.equal(ask("n", { name: "s" }), UNRELATED);
  graph.putPod(pod("web", "n", { imagePullSecrets: [{ name: "s" }] }));
  assert.equal(ask("n", { name: "s" }), "yes");
  const ephemeralContainers = [{ envFrom: [{ secretRef: { name: "debug" } }] }];
  graph.putPod(pod("web", "n", { imagePullSecrets: [{ name: "s" }], ephemeralContainers }));
  assert.equal(ask("n", { name: "debug" }), "yes");
});

Deno.test("a mirror pod gives its node no rights", () => {
  const { graph, ask } = setUp();
  const mirror = pod("static", "n", { imagePullSecrets: [{ name: "s" }] });
  mirror.metadata.annotations = { "kubernetes.io/config.mirror": "x" };
  graph.putPod(mirror);
  assert.equal(ask("n", { name: "s" }), UNRELATED);
  assert.equal(ask("n", { resource: "pods", name: "static" }), "yes");
});

Deno.test("a node reads the volumes of its claims and their secrets, whichever came first", () => {
  const { graph, ask } = setUp();
  const claimRef = { namespace: "ns", name: "data" };
  graph.putVolume(object("PersistentVolume", "pv", {
    spec: {
      claimRef,
      csi: {
        nodeStageSecretRef: { namespace: "csi", name: "stage" },
        controllerPublishSecretRef: { namespace: "csi", name: "controller" },
      },
    },
  }));
  const volume: Wanted = { resource: "persistentvolumes", namespace: "", name: "pv" };
  const stage: Wanted = { namespace: "csi", name: "stage" };
  assert.equal(ask("n", volume), UNRELATED);
  graph.putPod(pod("web", "n", { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] }));
  assert.equal(ask("n", volume), "yes");
  assert.equal(ask("n", stage), "yes");
  assert.equal(ask("n", { namespace: "csi", name: "controller" }), UNRELATED);
  graph.putVolume(object("PersistentVolume", "pv", { spec: {} }));
  assert.equal(ask("n", volume), UNRELATED);
  assert.equal(ask("n", stage), UNRELATED);
});

Deno.test("attachments and slices are those of their node", () => {
  const { graph, ask } = setUp();
  const owned = object("VolumeAttachment", "va", { spec: { nodeName: "n" } });
  graph.putOwned("volumeattachments", owned);
  const wanted: Wanted = { resource: "volumeattachments", apiGroup: "storage.k8s.io", namespace: "", name: "va" };
  assert.equal(ask("n", wanted), "yes");
  graph.deleteOwned("volumeattachments", owned);
  assert.equal(ask("n", wanted), UNRELATED);
  const slices: Wanted = { resource: "resourceslices", apiGroup: "resource.k8s.io", namespace: "", verb: "list" };
  assert.match(ask("n", slices), /with nodeName field selector$/);
  assert.match(ask("n", { ...slices, fieldSelector: "spec.nodeName=m" }), /with nodeName field selector$/);
  assert.equal(ask("n", { ...slices, fieldSelector: "spec.driver=d,spec.nodeName=n" }), "yes");
});

Deno.test("lists are for one object or for the node's own", () => {
  const { ask } = setUp();
  assert.equal(ask("n", { verb: "list" }), "No Object name found");
  assert.equal(ask("n", { verb: "update", name: "s" }), "can only read resources of this type");
  const pods: Wanted = { resource: "pods", verb: "list", namespace: "" };
  assert.equal(ask("n", pods), "can only list/watch pods with spec.nodeName field selector");
  assert.equal(ask("n", { ...pods, verb: "watch", fieldSelector: "spec.nodeName=n" }), "yes");
  const nodes: Wanted = { resource: "nodes", namespace: "" };
  assert.equal(ask("n", { ...nodes, name: "n" }), "yes");
  assert.equal(ask("n", { ...nodes, name: "m" }), "node 'n' cannot read 'm', only its own Node object");
  assert.equal(
    ask("n", { ...nodes, verb: "list" }),
    "node 'n' cannot read all nodes, only its own Node object",
  );
  assert.equal(ask("n", { ...nodes, verb: "delete", name: "n" }), "no");
});

Deno.test("a node has its lease and CSINode", () => {
  const { ask } = setUp();
  const lease: Wanted = { resource: "leases", apiGroup: "coordination.k8s.io", namespace: "kube-node-lease" };
  assert.equal(ask("n", { ...lease, verb: "create" }), "yes");
  assert.equal(ask("n", { ...lease, verb: "update", name: "n" }), "yes");
  assert.match(ask("n", { ...lease, verb: "update", name: "m" }), /same name as the requesting node$/);
  assert.match(ask("n", { ...lease, verb: "list" }), /^can only get, create, update, patch, or delete a node lease$/);
  assert.match(ask("n", { ...lease, namespace: "ns", name: "n" }), /"kube-node-lease" system namespace$/);
  assert.match(
    ask("n", { resource: "csinodes", apiGroup: "storage.k8s.io", verb: "delete", name: "m" }),
    /^can only access CSINode with the same name as the requesting node$/,
  );
});

Deno.test("who is no node has nothing of this, and the rest is the same to all", async () => {
  const { authorizer, ask } = setUp();
  assert.equal(ask("n", { resource: "services", name: "x" }), "yes");
  assert.equal(ask("n", { resource: "services", verb: "delete" }), "no");
  assert.equal(ask("", { name: "s" }), 'unknown node for user "system:node:"');
  const user = { name: "system:node:n", uid: "", groups: [], extra: {} };
  const services = { user, verb: "get", isResourceRequest: true, namespace: "ns", apiGroup: "", apiVersion: "v1" };
  const wanted = { ...services, resource: "services", subresource: "", name: "", path: "" };
  assert.equal((await authorizer.authorize(wanted)).decision, "no opinion");
  assert.equal((await authorizer.rulesFor(user, "ns")).incomplete, false);
  const node = { ...user, groups: ["system:nodes"] };
  assert.deepEqual(await authorizer.rulesFor(node, "ns"), {
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    error: new Error("node authorizer does not support user rule resolution"),
  });
});
