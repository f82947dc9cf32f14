// What it costs to know who makes a request and whether they may, beside the whole of a get, with 500 roles and 500
// bindings. A get over a connection costs more than the one here, which is answered within the process.
import { Hono } from "hono";
import type { Env } from "../../src/endpoints/env.ts";
import { createMetrics } from "../../src/metrics/mod.ts";
import { authenticationObserver, authorizationObserver } from "../../src/server/access_metrics.ts";
import { authentication } from "../../src/server/filters/authentication.ts";
import { authorization } from "../../src/server/filters/authorization.ts";
import { chainOf, type Filter } from "../../src/server/filters/filter.ts";
import { REFUSAL_PACE, RefusalQueue } from "../../src/server/filters/refusal_queue.ts";
import { requestInfo } from "../../src/server/filters/request_info.ts";
import { issueCertificate } from "../../src/server/serving/issue.ts";
import { buildAuthenticator } from "../../src/authentication/mod.ts";
import { rbacAuthorizer } from "../../src/authorization/rbac/authorizer.ts";
import { RbacIndex } from "../../src/authorization/rbac/index.ts";
import type { AuthorizationAttributes } from "../../src/authorization/interface.ts";
import type { AuthenticationResponse } from "../../src/authentication/interface.ts";
import { createServerChain } from "../../src/server/chain.ts";
import { newServerConfig } from "../../src/server/new_config.ts";
import { workerEntry } from "../../src/worker.ts";

const COUNT = 500, HOUR = 3_600_000;
const CONFIG_MAP = "/api/v1/namespaces/default/configmaps/a";
const RBAC = "rbac.authorization.k8s.io";

function role(i: number) {
  const rules = [{ verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps", `things-${i}`] }];
  return { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata: { name: `role-${i}` }, rules };
}

/** Ten of the roles are jane's, the others other users'. */
function binding(i: number) {
  const name = i % 50 === 0 ? "jane" : `user-${i}`;
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: `binding-${i}` },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: `role-${i}` },
    subjects: [{ apiGroup: RBAC, kind: "User", name }],
  };
}

const ca = issueCertificate({ commonName: "ca", usage: "ca", lifetime: HOUR });
const client = issueCertificate({ commonName: "jane", organizations: ["dev"], usage: "client", lifetime: HOUR }, ca);
const chainOfCertificates = [derOf(client.cert)];

function derOf(pem: string): Uint8Array {
  return Uint8Array.fromBase64(pem.replace(/-----[^-]+-----|\s/g, ""));
}

const config = newServerConfig();
config.generic.authentication.clientCA = { file: "", pem: ca.cert };
config.generic.authentication.tokenFile = {
  file: "",
  rows: [
    { token: "admin-token", user: "admin", uid: "", groups: ["system:masters"] },
    { token: "jane-token", user: "jane", uid: "", groups: ["dev"] },
  ],
};
config.generic.authorization.modes = ["RBAC"];
const stopped = new AbortController();
const chain = await createServerChain(config, { workerUrl: workerEntry(), stopped: stopped.signal });
for (const hook of chain.postStartHooks) if (hook.name === "rbac/sync") await hook.run(stopped.signal);

const connection = { remoteAddress: "127.0.0.1", secure: true };

async function send(method: string, path: string, token: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  return await chain.app.fetch(new Request(`https://127.0.0.1${path}`, init), connection);
}

const index = new RbacIndex();
await send("POST", "/api/v1/namespaces", "admin-token", { metadata: { name: "default" } });
await send("POST", CONFIG_MAP.slice(0, -2), "admin-token", { metadata: { name: "a" }, data: { k: "v" } });
for (let i = 0; i < COUNT; i++) {
  await send("POST", `/apis/${RBAC}/v1/clusterroles`, "admin-token", role(i));
  await send("POST", `/apis/${RBAC}/v1/clusterrolebindings`, "admin-token", binding(i));
  index.putRole(role(i));
  index.putBinding(binding(i));
}
while ((await send("GET", CONFIG_MAP, "jane-token")).status !== 200) {
  await new Promise((resolve) => setTimeout(resolve, 10));
}

const authenticator = buildAuthenticator(config.generic.authentication, { loopbackToken: "loopback" });
const authorizer = rbacAuthorizer(index);
const url = new URL(`https://127.0.0.1${CONFIG_MAP}`);

function decide(peerCertificates: readonly Uint8Array[] | undefined, headers: Headers): void {
  const found = authenticator.authenticateRequest({ headers, url, peerCertificates, remoteAddress: "" });
  const { user } = found as AuthenticationResponse;
  const attributes: AuthorizationAttributes = {
    user,
    verb: "get",
    isResourceRequest: true,
    namespace: "default",
    apiGroup: "",
    apiVersion: "v1",
    resource: "configmaps",
    subresource: "",
    name: "a",
    path: CONFIG_MAP,
  };
  authorizer.authorize(attributes);
}

const withToken = new Headers({ authorization: "Bearer jane-token" }), without = new Headers();

/** The way of a request through the filters in question alone. */
function through(...filters: Filter[]): () => Promise<void> {
  const app = new Hono<Env>(),
    rest: Filter = (c, next) => {
      c.set("warnings", []);
      c.set("signal", stopped.signal);
      return next();
    };
  app.all("*", chainOf([requestInfo(), rest, ...filters], (c) => c.body(null)));
  const request = new Request(url, { headers: withToken });
  return async () => void await app.fetch(request, connection);
}

const metrics = createMetrics();
const nobodyAsked = through();
const bothAsked = through(
  authentication({
    authenticator,
    audiences: [],
    observe: authenticationObserver(metrics),
    refusals: new RefusalQueue(REFUSAL_PACE, stopped.signal),
  }),
  authorization(authorizer, authorizationObserver(metrics)),
);

// What many requests of one connection pay is the difference of these two.
Deno.bench("the way to an answer, nobody asked", { group: "filters", baseline: true }, nobodyAsked);

Deno.bench("the same, who by token and may they asked", { group: "filters" }, bothAsked);

Deno.bench("a whole get", { group: "access", baseline: true }, async () => {
  await (await send("GET", CONFIG_MAP, "jane-token")).arrayBuffer();
});

Deno.bench("who by token, and may they", { group: "access" }, () => decide(undefined, withToken));

Deno.bench("who by certificate, and may they", { group: "access" }, () => decide(chainOfCertificates, without));

Deno.bench("a token of nobody", { group: "access" }, () => {
  try {
    decide(undefined, new Headers({ authorization: `Bearer ${Math.random()}` }));
  } catch { /* nobody's */ }
});
