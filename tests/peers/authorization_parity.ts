// The same roles, bindings and requests on two servers have to give the same decisions and the same words:
//
//   deno run -A --unsafely-ignore-certificate-errors tests/peers/authorization_parity.ts \
//     --token TOKEN [--user jane --user-token TOKEN] [--requests 2000] [--seed 1] https://127.0.0.1:6443 https://127.0.0.1:7443
//
// The token is one of system:masters on both; a user without rights takes part where there is one. What is made is
// removed again.
import { request as httpsRequest } from "node:https";
import { parseArgs } from "node:util";
import { Random } from "../support/random.ts";
import { type AccessRequest, AccessRequests } from "./access_requests.ts";

type Body = Record<string, unknown>;

interface Answer {
  code: number;
  text: string;
}

const { values: options, positionals: servers } = parseArgs({
  allowPositionals: true,
  options: {
    token: { type: "string", default: "" },
    user: { type: "string", default: "jane" },
    "user-token": { type: "string" },
    requests: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
  },
});

/** Numbers that are the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const next = random(Number(options.seed));
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
const some = <T>(list: readonly T[], most: number): T[] =>
  Array.from({ length: 1 + Math.floor(next() * most) }, () => pick(list));

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const NAMESPACES = ["parity-a", "parity-b"];
const USERS = [
  "parity-ann",
  "parity-bob",
  "system:serviceaccount:parity-a:robot",
  "system:node:parity-n",
  "system:anonymous",
];
const GROUPS = ["parity-dev", "parity-ops", "system:serviceaccounts:parity-a", "system:nodes", "system:authenticated"];
const VERBS = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "impersonate",
  "bind",
];
const RESOURCES: readonly [group: string, resource: string][] = [
  ["", "pods"],
  ["", "pods/log"],
  ["", "pods/status"],
  ["", "secrets"],
  ["", "configmaps"],
  ["", "nodes"],
  ["", "serviceaccounts/token"],
  ["apps", "deployments"],
  ["apps", "deployments/scale"],
  ["batch", "jobs"],
  ["coordination.k8s.io", "leases"],
  ["storage.k8s.io", "csinodes"],
  ["resource.k8s.io", "resourceslices"],
  ["rbac.authorization.k8s.io", "roles"],
  ["example.com", "widgets"],
];
const NAMES = ["", "one", "two", "parity-n"];
const PATHS = ["/healthz", "/healthz/etcd", "/metrics", "/version", "/api", "/logs/x"];

function rule(clusterWide: boolean): Body {
  if (clusterWide && next() < 0.2) {
    return { verbs: some(["get", "post", "*"], 2), nonResourceURLs: some([...PATHS, "/healthz/*", "*"], 2) };
  }
  const chosen = some(RESOURCES, 3);
  return {
    verbs: next() < 0.15 ? ["*"] : some(VERBS, 3),
    apiGroups: next() < 0.15 ? ["*"] : [...new Set(chosen.map(([group]) => group))],
    resources: next() < 0.1 ? ["*"] : next() < 0.1 ? ["*/status"] : chosen.map(([, resource]) => resource),
    ...next() < 0.25 && { resourceNames: some(NAMES.slice(1), 2) },
  };
}

function subject(): Body {
  const apiGroup = "rbac.authorization.k8s.io";
  const kind = pick(["User", "Group", "ServiceAccount"]);
  if (kind === "User") return { apiGroup, kind, name: pick(USERS) };
  if (kind === "Group") return { apiGroup, kind, name: pick(GROUPS) };
  return { kind, name: "robot", namespace: pick(NAMESPACES) };
}

function roles(): [path: string, body: Body][] {
  const made: [string, Body][] = [];
  for (let i = 0; i < 20; i++) {
    const name = `parity-${i}`, metadata = { name };
    const clusterWide = next() < 0.5, namespace = pick(NAMESPACES);
    const where = clusterWide ? RBAC : `${RBAC}/namespaces/${namespace}`;
    const kind = clusterWide ? "ClusterRole" : "Role";
    made.push([`${where}/${kind.toLowerCase()}s`, { metadata, rules: [rule(clusterWide), rule(clusterWide)] }]);
    const everywhere = clusterWide && next() < 0.5;
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name: next() < 0.1 ? "parity-absent" : name };
    made.push([
      everywhere ? `${RBAC}/clusterrolebindings` : `${RBAC}/namespaces/${namespace}/rolebindings`,
      { metadata, roleRef, subjects: [subject(), subject()] },
    ]);
  }
  return made;
}

const NODES = ["parity-n", "parity-m"];
const OBJECTS = ["one", "two", "three"];
const LABELS = { matchLabels: { "parity.example.com": "none" } };

/** What a pod reads, in all the places where a pod says so. */
function volume(name: string): Body {
  const what = pick(OBJECTS);
  return {
    name,
    ...pick<Body>([
      { secret: { secretName: what } },
      { configMap: { name: what } },
      { persistentVolumeClaim: { claimName: what } },
      { projected: { sources: [{ secret: { name: what } }, { configMap: { name: pick(OBJECTS) } }] } },
      { csi: { driver: "parity.example.com", nodePublishSecretRef: { name: what } } },
      {
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, selector: LABELS },
          },
        },
      },
    ]),
  };
}

function pod(name: string): Body {
  const reference = () => ({ name: pick(OBJECTS), key: "key" });
  return {
    metadata: { name },
    spec: {
      serviceAccountName: pick(["robot", "parrot"]),
      ...next() < 0.8 && { nodeName: pick(NODES) },
      ...next() < 0.3 && { imagePullSecrets: [{ name: pick(OBJECTS) }] },
      ...next() < 0.3 && { resourceClaims: [{ name: "device", resourceClaimName: pick(OBJECTS) }] },
      terminationGracePeriodSeconds: 0,
      containers: [{
        name: "main",
        image: "example.com/image",
        ...next() < 0.3 && { env: [{ name: "A", valueFrom: { secretKeyRef: reference() } }] },
        ...next() < 0.3 && { envFrom: [{ configMapRef: { name: pick(OBJECTS) } }] },
      }],
      ...next() < 0.3 && {
        initContainers: [{
          name: "first",
          image: "example.com/image",
          env: [{ name: "A", valueFrom: { configMapKeyRef: reference() } }],
        }],
      },
      volumes: next() < 0.7 ? [volume("a"), volume("b")] : [],
    },
  };
}

/** Nodes, and what there is on them. */
function nodeObjects(): [path: string, body: Body][] {
  const inNamespace = `/api/v1/namespaces/${NAMESPACES[0]}`;
  const persistentVolume = (name: string) => ({
    metadata: { name: `parity-${name}` },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      storageClassName: "none",
      claimRef: { namespace: NAMESPACES[0], name: pick(OBJECTS) },
      csi: {
        driver: "parity.example.com",
        volumeHandle: name,
        nodePublishSecretRef: { namespace: pick(NAMESPACES), name: pick(OBJECTS) },
        nodeStageSecretRef: { namespace: pick(NAMESPACES), name: pick(OBJECTS) },
      },
    },
  });
  const attachment = (name: string) => ({
    metadata: { name: `parity-${name}` },
    spec: {
      attacher: "parity.example.com",
      nodeName: pick(NODES),
      source: { persistentVolumeName: `parity-${pick(OBJECTS)}` },
    },
  });
  const slice = (name: string) => ({
    metadata: { name: `parity-${name}` },
    spec: {
      driver: "parity.example.com",
      nodeName: pick(NODES),
      pool: { name: "pool", generation: 1, resourceSliceCount: 1 },
      devices: [],
    },
  });
  return [
    ...NODES.map((name): [string, Body] => ["/api/v1/nodes", { metadata: { name } }]),
    ...["robot", "parrot"].map((name): [string, Body] => [`${inNamespace}/serviceaccounts`, { metadata: { name } }]),
    ...OBJECTS.map((name): [string, Body] => ["/api/v1/persistentvolumes", persistentVolume(name)]),
    ...OBJECTS.map((name): [string, Body] => ["/apis/storage.k8s.io/v1/volumeattachments", attachment(name)]),
    ...OBJECTS.map((name): [string, Body] => ["/apis/resource.k8s.io/v1/resourceslices", slice(name)]),
    ...Array.from({ length: 6 }, (_, i): [string, Body] => [`${inNamespace}/pods`, pod(`pod-${i}`)]),
  ];
}

const NODE_RESOURCES: readonly [group: string, resource: string, namespaced: boolean][] = [
  ["", "secrets", true],
  ["", "secrets", true],
  ["", "configmaps", true],
  ["", "configmaps", true],
  ["", "persistentvolumeclaims", true],
  ["", "persistentvolumeclaims/status", true],
  ["", "persistentvolumes", false],
  ["", "serviceaccounts", true],
  ["", "serviceaccounts/token", true],
  ["", "pods", true],
  ["", "nodes", false],
  ["", "nodes/status", false],
  ["", "services", true],
  ["coordination.k8s.io", "leases", true],
  ["storage.k8s.io", "csinodes", false],
  ["storage.k8s.io", "volumeattachments", false],
  ["resource.k8s.io", "resourceclaims", true],
  ["resource.k8s.io", "resourceslices", false],
  ["certificates.k8s.io", "certificatesigningrequests", false],
];

/** Whether a node may have something of a pod. */
function nodeReview(): [what: string, ask: (server: string) => Promise<Answer>] {
  const [group, full, namespaced] = pick(NODE_RESOURCES), [resource, subresource] = full.split("/");
  const name = pick([...OBJECTS, ...OBJECTS.map((each) => `parity-${each}`), ...NODES, "robot", "parrot", "pod-1", ""]);
  const field = resource === "pods" ? "spec.nodeName" : "metadata.name";
  const resourceAttributes = {
    group,
    resource,
    subresource,
    name,
    namespace: namespaced ? pick([NAMESPACES[0], NAMESPACES[0], NAMESPACES[1], "kube-node-lease", ""]) : "",
    verb: next() < 0.5 ? "get" : pick(["list", "watch", "create", "update", "patch", "delete"]),
    ...next() < 0.2 && { fieldSelector: { rawSelector: `${field}=${pick([...NODES, ...OBJECTS])}` } },
  };
  const groups = next() < 0.95 ? ["system:nodes"] : [];
  const body = { spec: { user: `system:node:${pick([...NODES, "parity-absent"])}`, groups, resourceAttributes } };
  const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  return [`node review ${JSON.stringify(body.spec)}`, (server) => send(server, "POST", path, body)];
}

async function send(server: string, method: string, path: string, body?: Body, headers = {}): Promise<Answer> {
  const response = await fetch(server + path, {
    method,
    headers: { authorization: `Bearer ${options.token}`, "content-type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { code: response.status, text: await response.text() };
}

const access = new AccessRequests(new Random(Number(options.seed)));

/** Headers that come twice are sent twice, which `fetch` does not promise. */
function accessRequest(): [what: string, ask: (server: string) => Promise<Answer>] {
  const asked = access.next(), { method, path, headers, body } = asked;
  const what = `${asked.plain ? options.user : "admin"}: ${method} ${path} ${JSON.stringify({ headers, body })}`;
  return [what, (server) => sendExactly(server, asked)];
}

function sendExactly(server: string, { method, path, headers, body, plain }: AccessRequest): Promise<Answer> {
  const token = plain ? options["user-token"] : options.token;
  const all = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers };
  return new Promise((resolve, reject) => {
    const url = new URL(server + path);
    const request = httpsRequest(url, { method, headers: all, rejectUnauthorized: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => text += part);
      response.on("end", () => resolve({ code: response.statusCode!, text }));
    });
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** A review of anybody, or of the rules of somebody. */
function review(): [what: string, ask: (server: string) => Promise<Answer>] {
  const user = pick(USERS), groups = some(GROUPS, 2), path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  const [group, full] = pick(RESOURCES), [resource, subresource] = full.split("/");
  const resourceAttributes = {
    group,
    resource,
    subresource,
    verb: pick(VERBS),
    name: pick(NAMES),
    namespace: pick(["", ...NAMESPACES]),
    version: pick(["", "v1", "*"]),
    ...next() < 0.2 &&
      { fieldSelector: { rawSelector: pick(["spec.nodeName=parity-n", "metadata.name=one", "a!=b"]) } },
  };
  const about = next() < 0.15
    ? { nonResourceAttributes: { path: pick(PATHS), verb: pick(["get", "post"]) } }
    : { resourceAttributes };
  const body = { spec: { user, groups, ...about } };
  return [`review ${JSON.stringify(body.spec)}`, (server) => send(server, "POST", path, body)];
}

function rulesReview(): [string, (server: string) => Promise<Answer>] {
  const headers = { "impersonate-user": pick(USERS), "impersonate-group": pick(GROUPS) };
  const body = { spec: { namespace: pick(NAMESPACES) } };
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  return [
    `rules ${JSON.stringify(headers)} ${JSON.stringify(body)}`,
    (server) => send(server, "POST", path, body, headers),
  ];
}

/** A request that changes nothing: as somebody, for something that is not there. */
function request(): [string, (server: string) => Promise<Answer>] {
  const headers = { "impersonate-user": pick(USERS), "impersonate-group": pick(GROUPS) };
  const [group, full] = pick(RESOURCES.filter(([group]) => group !== "example.com"));
  const [resource, subresource] = full.split("/");
  const base = group === "" ? "/api/v1" : `/apis/${group}/v1`;
  const scoped = ["nodes", "csinodes", "resourceslices"].includes(resource) ? "" : `/namespaces/${pick(NAMESPACES)}`;
  const name = subresource === undefined ? pick(["", "/one", "/parity-n"]) : `/one/${subresource}`;
  const method = pick(["GET", "GET", "DELETE", "PATCH"]);
  const path = `${base}${scoped}/${resource}${name}?dryRun=All`;
  const patch = method === "PATCH" ? {} : undefined;
  const type = method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {};
  const what = `${method} ${path} ${JSON.stringify(headers)}`;
  return [what, (server) => send(server, method, path, patch, { ...headers, ...type })];
}

/**
 * Without what two servers may say differently: when and as which of their objects something was made, and in which
 * order they looked at bindings.
 */
function comparable({ code, text }: Answer): string {
  let body: Body;
  try {
    body = JSON.parse(text);
  } catch {
    return `${code} ${text}`;
  }
  const status = body.status as Body | string | undefined;
  if (typeof status === "object") {
    for (const name of ["resourceRules", "nonResourceRules"]) if (Array.isArray(status[name])) sort(status[name]);
    if (typeof status.reason === "string") {
      status.reason = status.reason.replace(/^RBAC: allowed by .*/, "RBAC: allowed by");
    }
  }
  const plain = JSON.stringify(body, (name, value) => UNLIKE.has(name) ? undefined : value);
  return `${code} ${
    plain.replace(/(?<=(RBAC: |evaluationError":")\[).*?(?=\])/g, (list) => list.split(", ").sort().join(", "))
  }`;
}

const UNLIKE = new Set(["resourceVersion", "creationTimestamp", "uid", "managedFields"]);

function sort(list: unknown[]): void {
  list.sort((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}

/** Takes away some of what decisions come from. */
async function change(): Promise<void> {
  const gone = made.filter(([path], i) => i % 3 === 0 && /pods|bindings|volumeattachments/.test(path));
  for (const [path, { metadata }] of gone) {
    const url = `${path}/${(metadata as Body).name}`;
    await Promise.all(servers.map((server) => send(server, "DELETE", url, { gracePeriodSeconds: 0 })));
  }
  await heard();
}

/** The authorizers hear of roles and pods by watches. */
function heard(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000));
}

async function compare(): Promise<number> {
  const kinds = [review, nodeReview, request, review, nodeReview, rulesReview];
  if (options["user-token"] !== undefined) kinds.push(...Array.from({ length: 6 }, () => accessRequest));
  const different: string[] = [];
  const count = Number(options.requests);
  for (let i = 0; i < count; i++) {
    if (i === Math.floor(count / 2)) await change();
    const [what, ask] = kinds[i % kinds.length]();
    const [mine, theirs] = (await Promise.all(servers.map(ask))).map(comparable);
    if (mine !== theirs) different.push(`${what}\n  ${servers[0]}: ${mine}\n  ${servers[1]}: ${theirs}`);
  }
  for (const text of different.slice(0, 20)) console.log(text);
  console.log(`${count - different.length} of ${count} answers are the same`);
  return different.length;
}

const made = [...roles(), ...access.roles(options.user), ...nodeObjects()];
const namespaces = NAMESPACES.map((name): [string, Body] => ["/api/v1/namespaces", { metadata: { name } }]);

async function make(server: string): Promise<void> {
  for (const [path, body] of [...namespaces, ...made]) {
    const { code, text } = await send(server, "POST", path, body);
    if (code !== 201) console.log(`${server} does not make ${path} ${(body.metadata as Body).name}: ${text}`);
  }
}

/** Last first; namespaces go without a controller that would end them. */
async function remove(server: string): Promise<void> {
  const gone = { gracePeriodSeconds: 0 };
  for (const [path, { metadata }] of [...namespaces, ...made].reverse()) {
    const url = `${path}/${(metadata as Body).name}`;
    await send(server, "DELETE", url, gone);
    if (path.endsWith("/persistentvolumes")) {
      const headers = { "content-type": "application/merge-patch+json" };
      await send(server, "PATCH", url, { metadata: { finalizers: null } }, headers);
    } else if (path.endsWith("/namespaces")) {
      await send(server, "PUT", `${url}/finalize`, { metadata, spec: { finalizers: [] } });
    }
  }
}

await Promise.all(servers.map(make));
await heard();
const differences = await compare();
await Promise.all(servers.map(remove));
Deno.exit(differences === 0 ? 0 : 1);
