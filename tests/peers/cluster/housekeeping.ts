// Steps of the demonstration in which a cluster keeps its house: nodes, accounts, volumes, quotas, garbage, certificates.
import "reflect-metadata";
import { NODES } from "./components.ts";
import { byApp, condition, deployment, type Obj, podTemplate, type Stage } from "./stage.ts";

export async function nodesAreReadyAndRenewTheirLeases(stage: Stage): Promise<void> {
  for (const name of NODES) {
    await stage.until(`${name} is ready`, `/api/v1/nodes/${name}`, (node) => condition(node, "Ready") === "True");
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`;
    const { spec: { renewTime } } = await stage.until(`${name} has a lease`, path, (lease) => lease.spec?.renewTime);
    await stage.until(`the lease of ${name} is renewed`, path, (lease) => lease.spec.renewTime > renewTime);
  }
}

export async function accountAndAuthorityAppear(stage: Stage): Promise<void> {
  const account = stage.path("v1/serviceaccounts/default");
  await stage.until("the account appears", account, (_, { status }) => status === 200);
  const authority = stage.path("v1/configmaps/kube-root-ca.crt");
  await stage.until("the authority appears", authority, (map) => map.data?.["ca.crt"]);
  const pod = await stage.create("v1/pods", { metadata: { name: "token" }, spec: podTemplate("token").spec });
  const projected = pod.spec.volumes.find((volume: Obj) => volume.projected !== undefined);
  if (projected === undefined) throw new Error(`no token in the pod: ${JSON.stringify(pod.spec)}`);
  await stage.must("POST", `${account}/token`, {
    spec: { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "token", uid: pod.metadata.uid } },
  });
}

export async function volumesBind(stage: Stage): Promise<void> {
  const name = `${stage.namespace}-volume`, volume = `/api/v1/persistentvolumes/${name}`;
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "by-hand" };
  await stage.must("POST", "/api/v1/persistentvolumes", {
    metadata: { name },
    spec: {
      ...spec,
      capacity: { storage: "1Gi" },
      hostPath: { path: "/data" },
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { namespace: stage.namespace, name: "claim" },
    },
  });
  await stage.create("v1/persistentvolumeclaims", {
    metadata: { name: "claim" },
    spec: { ...spec, resources: { requests: { storage: "1Gi" } } },
  });
  const claim = stage.path("v1/persistentvolumeclaims/claim");
  await stage.until("the claim is bound", claim, ({ status }) => status.phase === "Bound");
  await stage.must("DELETE", claim);
  await stage.untilGone(claim);
  await stage.until("the volume is released", volume, ({ status }) => status.phase === "Released");
  await stage.must("DELETE", volume);
  await stage.untilGone(volume);
}

export async function quotasCount(stage: Stage): Promise<void> {
  await stage.create("v1/resourcequotas", {
    metadata: { name: "few" },
    spec: { hard: { "count/secrets": "3", pods: "2" } },
  });
  const path = stage.path("v1/resourcequotas/few");
  await stage.until(
    "the quota counts",
    path,
    ({ status }) => status?.used?.["count/secrets"] === "0" && status.used.pods === "0",
  );
  await stage.create("apps/v1/deployments", deployment("limited", 4));
  await stage.until("the quota is used up", path, ({ status }) => status.used.pods === "2");
  await stage.until(
    "the deployment says so",
    stage.path("apps/v1/deployments/limited"),
    (d) => condition(d, "ReplicaFailure") === "True",
  );
  const refused = await stage.peer.request("POST", stage.path("v1/pods"), {
    metadata: { name: "third" },
    spec: podTemplate("x").spec,
  });
  if (refused.status !== 403) throw new Error(`a pod over the quota: ${refused.status}`);
  await stage.must("DELETE", stage.path("apps/v1/deployments/limited"));
  await stage.until("the quota is free again", path, ({ status }) => status.used.pods === "0");
}

export async function collectorCascadesAndOrphans(stage: Stage): Promise<void> {
  const sets = `${stage.path("apps/v1/replicasets")}?${byApp("owner")}`,
    pods = `${stage.path("v1/pods")}?${byApp("owner")}`;
  const path = stage.path("apps/v1/deployments/owner");
  const make = async () => {
    await stage.create("apps/v1/deployments", deployment("owner", 2));
    await stage.until("pods run", path, ({ status }) => status?.availableReplicas === 2);
  };
  for (const propagationPolicy of ["Foreground", "Background"]) {
    await make();
    await stage.must("DELETE", path, { propagationPolicy });
    await stage.untilGone(path);
    await stage.until(`${propagationPolicy}: its sets go`, sets, ({ items }) => items.length === 0);
    await stage.until(`${propagationPolicy}: its pods go`, pods, ({ items }) => items.length === 0);
  }
  await make();
  await stage.must("DELETE", path, { propagationPolicy: "Orphan" });
  await stage.untilGone(path);
  const { items } = await stage.until(
    "its set is orphaned",
    sets,
    ({ items }) => items.length === 1 && items[0].metadata.ownerReferences === undefined,
  );
  await stage.must("DELETE", stage.path(`apps/v1/replicasets/${items[0].metadata.name}`), {
    propagationPolicy: "Foreground",
  });
  await stage.until("its pods go", pods, ({ items }) => items.length === 0);
}

export async function certificatesAreSigned(stage: Stage): Promise<void> {
  const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests", name = stage.namespace;
  const csr = await stage.must("POST", path, {
    metadata: { name },
    spec: {
      request: btoa(await certificateRequest()),
      signerName: "kubernetes.io/kube-apiserver-client",
      usages: ["client auth"],
    },
  });
  const approved = { type: "Approved", status: "True", reason: "Demo" };
  await stage.must("PUT", `${path}/${name}/approval`, { ...csr, status: { conditions: [approved] } });
  await stage.until("the certificate is signed", `${path}/${name}`, ({ status }) => status.certificate !== undefined);
  await stage.must("DELETE", `${path}/${name}`);
}

async function certificateRequest(): Promise<string> {
  const { Pkcs10CertificateRequestGenerator } = await import("@peculiar/x509");
  const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ["sign", "verify"]);
  const made = await Pkcs10CertificateRequestGenerator.create({ name: "CN=demo", keys, signingAlgorithm });
  return made.toString("pem");
}

export async function rolesGatherRules(stage: Stage): Promise<void> {
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles", name = stage.namespace;
  await stage.until("view has rules", `${roles}/view`, ({ rules }) => rules?.length > 5);
  await stage.must("POST", roles, {
    metadata: { name, labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
    rules: [{ verbs: ["get"], apiGroups: ["demo.example.com"], resources: [name] }],
  });
  const gathered = ({ rules }: Obj) => rules.some((rule: Obj) => rule.resources?.includes(name));
  await stage.until("view has the new rule", `${roles}/view`, gathered);
  await stage.must("DELETE", `${roles}/${name}`);
  await stage.until("view has lost it", `${roles}/view`, (role) => !gathered(role));
}

/** Objects of a kind that is new to the controllers own others, and go with their namespace. */
export async function customResourcesAreCollected(stage: Stage): Promise<void> {
  const group = `${stage.namespace}.example.com`,
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const names = { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await stage.must("POST", definitions, {
    metadata: { name: `gadgets.${group}` },
    spec: { group, names, scope: "Namespaced", versions: [{ name: "v1", served: true, storage: true, schema }] },
  });
  const definition = `${definitions}/gadgets.${group}`;
  await stage.until("the kind is served", definition, (crd) => condition(crd, "Established") === "True");
  const kind = { apiVersion: `${group}/v1`, kind: "Gadget" };
  const owner = await stage.create(`${group}/v1/gadgets`, { ...kind, metadata: { name: "owner" } });
  await stage.create("v1/configmaps", {
    metadata: { name: "owned", ownerReferences: [{ ...kind, name: "owner", uid: owner.metadata.uid }] },
  });
  await stage.must("DELETE", stage.path(`${group}/v1/gadgets/owner`), { propagationPolicy: "Background" });
  await stage.untilGone(stage.path("v1/configmaps/owned"));
  await stage.create(`${group}/v1/gadgets`, { ...kind, metadata: { name: "left" } });
  await stage.must("DELETE", definition);
  await stage.untilGone(definition);
}
