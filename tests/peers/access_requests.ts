// Requests that ask who somebody may be and what somebody may give away: impersonation in all its modes, reviews with
// selectors, paths with wildcards, groups of service accounts, those who may do everything, roles and bindings beyond
// one's own rights. All change nothing.
import type { Random } from "../support/random.ts";

type Body = Record<string, unknown>;

export interface AccessRequest {
  method: string;
  path: string;
  /** A list is sent as fields of their own. */
  headers: Record<string, string | string[]>;
  body?: Body;
  /** By the plain user, not by the one of system:masters. */
  plain: boolean;
}

const RBAC = "rbac.authorization.k8s.io";
const NAMESPACE = "parity-a";
const NAMES = [
  "parity-ann",
  "parity-bob",
  "system:serviceaccount:parity-a:robot",
  "system:serviceaccount:parity-b:robot",
  "system:serviceaccount:parity-a:",
  "system:node:parity-n",
  "system:node:Not_A_Name",
  "system:anonymous",
  "system:admin",
];
const GROUPS = [
  "parity-dev",
  "parity-ops",
  "system:masters",
  "system:authenticated",
  "system:unauthenticated",
  "system:nodes",
  "system:serviceaccounts",
  "system:serviceaccounts:parity-a",
];
const EXTRA_KEYS = ["scopes", "example.com%2Fscope", "Example.com%2fScope", "a%20b", "%zz", "scope%2", "constructor"];
const EXTRA_VALUES = ["view", "edit, all", ""];
const MODES = ["user-info", "serviceaccount", "arbitrary-node", "associated-node"];
const TARGETS = [
  "users",
  "groups",
  "uids",
  "userextras",
  "userextras/scopes",
  "userextras/example.com/scope",
  "userextras/*",
  "serviceaccounts",
  "nodes",
  "*",
];
const PATHS = [
  "/healthz",
  "/healthz/",
  "/healthz/etcd",
  "/healthzz",
  "/apis",
  "/apis/",
  "/apis/apps",
  "/api",
  "/logs/a/b",
  "/",
  "*",
];
const PATH_RULES = ["/healthz", "/healthz/*", "/healthz*", "/apis/*", "/apis", "/", "/*", "*"];

export class AccessRequests {
  constructor(readonly random: Random) {}

  #some<T>(list: readonly T[], most: number): T[] {
    return Array.from({ length: 1 + this.random.below(most) }, () => this.random.of(list));
  }

  /** Roles and their bindings, to the user and to those that it may become. */
  roles(user: string): [path: string, body: Body][] {
    const root = `/apis/${RBAC}/v1`, writer = { name: "parity-access-writer" };
    const written = ["roles", "clusterroles", "rolebindings", "clusterrolebindings"];
    const write = { verbs: ["create"], apiGroups: [RBAC], resources: written };
    const roleRef = { apiGroup: RBAC, kind: "ClusterRole", name: writer.name };
    return [
      [`${root}/clusterroles`, { metadata: writer, rules: [write] }],
      [`${root}/clusterrolebindings`, { metadata: writer, roleRef, subjects: [userSubject(user)] }],
      ...this.#randomRoles(user),
    ];
  }

  #randomRoles(user: string): [path: string, body: Body][] {
    const root = `/apis/${RBAC}/v1`;
    return Array.from({ length: 14 }, (_, i): [string, Body][] => {
      const metadata = { name: `parity-access-${i}` };
      const rules = i % 4 === 3 ? [this.#pathRule(), this.#pathRule()] : [this.#right(), this.#right()];
      const roleRef = { apiGroup: RBAC, kind: "ClusterRole", name: metadata.name };
      return [
        [`${root}/clusterroles`, { metadata, rules }],
        [`${root}/clusterrolebindings`, { metadata, roleRef, subjects: this.#subjects(user) }],
      ];
    }).flat();
  }

  #subjects(user: string): Body[] {
    const group = (name: string) => ({ apiGroup: RBAC, kind: "Group", name });
    return [
      userSubject(user),
      this.random.chance(0.5)
        ? group(this.random.of(["system:serviceaccounts", "system:serviceaccounts:parity-a", "parity-ops"]))
        : { kind: "ServiceAccount", name: "robot", namespace: NAMESPACE },
    ];
  }

  #pathRule(): Body {
    return { verbs: this.#some(["get", "post", "*"], 2), nonResourceURLs: this.#some(PATH_RULES, 2) };
  }

  #right(): Body {
    const { random } = this, mode = random.of(MODES);
    if (random.chance(0.2)) {
      const resources = ["pods", "pods/log", "configmaps"];
      return { verbs: ["list", "get"], apiGroups: [""], resources: this.#some(resources, 2) };
    }
    if (random.chance(0.08)) {
      const resources = ["clusterroles", "roles"];
      return { verbs: this.#some(["bind", "escalate"], 1), apiGroups: [RBAC], resources: this.#some(resources, 2) };
    }
    if (random.chance(0.4)) {
      const verbs = [`impersonate-on:${mode}:list`, `impersonate-on:${mode}:get`, `impersonate-on:${mode}:*`];
      return { verbs: this.#some(verbs, 2), apiGroups: random.of([[""], ["*"]]), resources: ["pods", "configmaps"] };
    }
    return {
      verbs: random.chance(0.4) ? ["impersonate"] : random.chance(0.1) ? ["*"] : [`impersonate:${mode}`],
      apiGroups: random.of([["authentication.k8s.io"], [""], ["", "authentication.k8s.io"], ["*"]]),
      resources: this.#some(TARGETS, 4),
      ...random.chance(0.3) && { resourceNames: this.#some([...NAMES, ...GROUPS, "view", "parity-n", "robot"], 4) },
    };
  }

  next(): AccessRequest {
    const { random } = this;
    if (random.chance(0.4)) return this.#impersonation();
    if (random.chance(0.35)) return random.chance(0.6) ? this.#role() : this.#binding();
    return random.chance(0.25) ? this.#path() : this.#review();
  }

  /** With rules that the user may or may not give. */
  #role(): AccessRequest {
    const { random } = this, clusterWide = random.chance(0.6);
    const rule = () => {
      if (clusterWide && random.chance(0.25)) return this.#pathRule();
      if (random.chance(0.5)) return this.#right();
      return {
        verbs: this.#some(["list", "get", "watch", "*"], 2),
        apiGroups: this.#some(["", "", "apps", "*"], 2),
        resources: this.#some(["pods", "pods/log", "configmaps", "*", "*/log"], 3),
        ...random.chance(0.3) && { resourceNames: this.#some(["one", "two"], 2) },
      };
    };
    const rules = Array.from({ length: 1 + random.below(3) }, rule);
    const path = clusterWide ? "clusterroles" : `namespaces/${NAMESPACE}/roles`;
    return this.#write(path, { metadata: { name: "parity-given" }, rules });
  }

  #binding(): AccessRequest {
    const { random } = this, clusterWide = random.chance(0.5);
    const kind = clusterWide || random.chance(0.7) ? "ClusterRole" : "Role";
    const name = random.chance(0.1)
      ? "parity-absent"
      : random.chance(0.1)
      ? "view"
      : `parity-access-${random.below(14)}`;
    const path = clusterWide ? "clusterrolebindings" : `namespaces/${NAMESPACE}/rolebindings`;
    const subjects = [userSubject("parity-ann")];
    return this.#write(path, { metadata: { name: "parity-given" }, roleRef: { apiGroup: RBAC, kind, name }, subjects });
  }

  #write(path: string, body: Body): AccessRequest {
    return { method: "POST", path: `/apis/${RBAC}/v1/${path}?dryRun=All`, headers: {}, body, plain: true };
  }

  /** As the plain user, and now and then as one who may become anybody. */
  #impersonation(): AccessRequest {
    const { random } = this, headers: AccessRequest["headers"] = {};
    if (random.chance(0.95)) headers["Impersonate-User"] = random.chance(0.02) ? "" : random.of(NAMES);
    if (random.chance(0.4)) headers["Impersonate-Group"] = this.#some(random.chance(0.05) ? [""] : GROUPS, 5);
    if (random.chance(0.15)) headers["Impersonate-Uid"] = random.of(["u-1", "", "u 2"]);
    // One key: kube-apiserver looks at several in any order.
    if (random.chance(0.3)) headers[`Impersonate-Extra-${random.of(EXTRA_KEYS)}`] = this.#some(EXTRA_VALUES, 4);
    const path = random.of([
      "/api/v1/namespaces/parity-a/pods?limit=1&fieldSelector=metadata.name=nobody",
      "/api/v1/namespaces/parity-a/pods/nobody",
      "/api/v1/namespaces/parity-b/configmaps/nobody",
      "/api/v1/namespaces/parity-a/pods/nobody/log",
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    ]);
    const who = path.endsWith("reviews");
    return { method: who ? "POST" : "GET", path, headers, body: who ? {} : undefined, plain: random.chance(0.85) };
  }

  #path(): AccessRequest {
    const { random } = this;
    const user = random.of(NAMES.slice(0, 3)), nonResourceAttributes = { path: random.of(PATHS), verb: "get" };
    const body = { spec: { user, groups: this.#some(GROUPS, 2), nonResourceAttributes } };
    return { method: "POST", path: REVIEWS, headers: {}, body, plain: false };
  }

  #review(): AccessRequest {
    const { random } = this;
    const resourceAttributes = {
      group: random.of(["", "", "authentication.k8s.io", "*"]),
      resource: random.of(["pods", "configmaps", "users", "groups", "*"]),
      subresource: random.of(["", "", "log", "*"]),
      verb: random.of(["list", "watch", "deletecollection", "get", "impersonate", "*"]),
      namespace: random.of([NAMESPACE, "", "parity-b"]),
      name: random.of(["", "", "one", "parity-ann"]),
      ...random.chance(0.6) && { fieldSelector: this.#selector("fields") },
      ...random.chance(0.4) && { labelSelector: this.#selector("labels") },
    };
    if (random.chance(0.4)) {
      const body = { spec: { resourceAttributes } };
      return { method: "POST", path: SELF_REVIEWS, headers: {}, body, plain: random.chance(0.8) };
    }
    const body = {
      spec: { user: random.of(NAMES.slice(0, 4)), groups: this.#some(GROUPS, 2), uid: "u", resourceAttributes },
    };
    const local = random.chance(0.2);
    const path = local ? `/apis/${REVIEW_GROUP}/namespaces/${NAMESPACE}/localsubjectaccessreviews` : REVIEWS;
    return { method: "POST", path, headers: {}, body, plain: false };
  }

  #selector(of: "fields" | "labels"): Body {
    const { random } = this, good = random.chance(0.6);
    if (random.chance(0.4)) return { rawSelector: random.of(good ? RAW_SELECTORS[of].good : RAW_SELECTORS[of].bad) };
    const valued = () => ({
      key: random.of(good ? ["metadata.name", "app"] : ["", "-bad", "app"]),
      operator: random.of(good ? ["In", "NotIn"] : ["In", "Like", "", "Exists"]),
      values: this.#some(good ? ["one", "two"] : ["", "b d", "one"], of === "fields" ? 1 : 2),
    });
    const bare = () => ({ key: "app", operator: random.of(["Exists", "DoesNotExist", good ? "Exists" : "In"]) });
    return {
      ...!good && random.chance(0.1) && { rawSelector: "a=b" },
      requirements: Array.from({ length: random.below(3) }, () => random.chance(0.7) ? valued() : bare()),
    };
  }
}

const RAW_SELECTORS = {
  fields: { good: ["metadata.name=one", "spec.nodeName!=n", "a=b,c!=d", "a==b"], bad: ["a", "=", "a in (b)"] },
  labels: {
    good: ["app=web", "app", "!app", "app in (a,b)", "app notin (c), tier"],
    bad: ["app in", "a=b=c", "-a=b"],
  },
};

function userSubject(name: string): Body {
  return { apiGroup: RBAC, kind: "User", name };
}

const REVIEW_GROUP = "authorization.k8s.io/v1";
const REVIEWS = `/apis/${REVIEW_GROUP}/subjectaccessreviews`;
const SELF_REVIEWS = `/apis/${REVIEW_GROUP}/selfsubjectaccessreviews`;
