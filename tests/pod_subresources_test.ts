// Pods beyond their own writes: bindings, evictions under budgets, logs and proxies through the whole server.
import assert from "node:assert/strict";
import { issueCertificate } from "../src/server/serving/issue.ts";
import { startServer, type TestServer } from "./support/server.ts";

const PODS = "/api/v1/namespaces/default/pods";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

interface Pod {
  metadata: { labels?: Record<string, string>; resourceVersion: string };
  spec: { nodeName?: string };
  status: { conditions: { type: string }[] };
}

Deno.test("the subresources of pods", async (t) => {
  const server = await startServer();
  try {
    await t.step("a pod is bound once, by its subresource or by the bindings collection", () => bindings(server));
    await t.step("an eviction spends the budget of its pod", () => budgets(server));
    await t.step("two budgets on one pod are refused", () => twoBudgets(server));
    await t.step("an eviction honours the preconditions of its delete", () => preconditions(server));
    await t.step("the log of a pod that runs nowhere is empty", () => logs(server));
    await t.step("the log of a container comes from the kubelet of its node", () => kubeletLogs(server));
    await t.step("a proxy leads to no address of the server itself", () => proxies(server));
  } finally {
    await server.stop();
  }
});

async function createPod(server: TestServer, name: string, options: { labels?: object; spec?: object } = {}) {
  await server.json("POST", PODS, {
    metadata: { name, labels: options.labels },
    spec: { containers: [{ name: "a", image: "i" }], ...options.spec },
  });
}

/** A pod on a node that counts as running and ready. */
async function runPod(server: TestServer, name: string, labels: object): Promise<void> {
  await createPod(server, name, { labels, spec: { nodeName: "node-a" } });
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  await patchStatus(server, `${PODS}/${name}`, status);
}

async function patchStatus(server: TestServer, path: string, status: object): Promise<void> {
  const headers = { "content-type": "application/merge-patch+json" };
  const response = await server.fetch(`${path}/status`, { method: "PATCH", headers, body: JSON.stringify({ status }) });
  const answer = await response.text();
  assert.equal(response.status, 200, answer);
}

/** Code and Status of a request with a JSON body. */
async function post(server: TestServer, path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const response = await server.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return { code: response.status, retryAfter: response.headers.get("retry-after"), status: await response.json() };
}

async function bindings(server: TestServer): Promise<void> {
  await createPod(server, "bound");
  const binding = { metadata: { name: "bound", labels: { zone: "a" } }, target: { kind: "Node", name: "node-a" } };
  const wrongUid = { ...binding, metadata: { name: "bound", uid: "not-this-one" } };
  assert.equal((await post(server, `${PODS}/bound/binding`, wrongUid)).code, 409);
  assert.equal((await post(server, `${PODS}/bound/binding?dryRun=All`, binding)).code, 201);
  assert.equal((await post(server, "/api/v1/namespaces/default/bindings", binding)).code, 201);
  const again = await post(server, `${PODS}/bound/binding`, binding);
  assert.equal(again.code, 409);
  assert.match(again.status.message, /pod bound is already assigned to node "node-a"$/);
  const pod = await server.json<Pod>("GET", `${PODS}/bound`);
  assert.equal(pod.spec.nodeName, "node-a");
  assert.deepEqual(pod.metadata.labels, { zone: "a" });
  assert.equal(pod.status.conditions[0].type, "PodScheduled");
}

async function budgets(server: TestServer): Promise<void> {
  await server.json("POST", BUDGETS, {
    metadata: { name: "one" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "one" } } },
  });
  await runPod(server, "guarded", { app: "one" });
  const evict = (options: object = {}) =>
    post(server, `${PODS}/guarded/eviction`, { metadata: { name: "guarded" }, ...options });
  const early = await evict();
  assert.deepEqual([early.code, early.retryAfter], [429, "10"]);
  const counts = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 };
  await patchStatus(server, `${BUDGETS}/one`, counts);
  const refused = await evict();
  assert.deepEqual([refused.code, refused.retryAfter], [429, null]);
  assert.match(refused.status.details.causes[0].message, /needs 1 healthy pods and has 1 currently/);
  await patchStatus(server, `${BUDGETS}/one`, { disruptionsAllowed: 1, currentHealthy: 2 });
  assert.equal((await evict({ deleteOptions: { dryRun: ["All"] } })).code, 201);
  assert.equal((await evict({ apiVersion: "policy/v1beta1", kind: "Eviction" })).code, 201);
  const { status } = await server.json<{ status: { disruptionsAllowed: number; disruptedPods: object } }>(
    "GET",
    `${BUDGETS}/one`,
  );
  assert.equal(status.disruptionsAllowed, 0);
  assert.deepEqual(Object.keys(status.disruptedPods), ["guarded"]);
}

async function twoBudgets(server: TestServer): Promise<void> {
  for (const name of ["two-a", "two-b"]) {
    const spec = { minAvailable: 1, selector: { matchLabels: { app: "two" } } };
    await server.json("POST", BUDGETS, { metadata: { name }, spec });
  }
  await runPod(server, "twice", { app: "two" });
  const { code, status } = await post(server, `${PODS}/twice/eviction`, { metadata: { name: "twice" } });
  assert.equal(code, 500);
  assert.equal(status.reason, undefined);
}

async function preconditions(server: TestServer): Promise<void> {
  await createPod(server, "exact");
  const evict = (preconditions: object) =>
    post(server, `${PODS}/exact/eviction`, { metadata: { name: "exact" }, deleteOptions: { preconditions } });
  const wrong = await evict({ uid: "other" });
  assert.equal(wrong.code, 409);
  assert.match(wrong.status.message, /^Operation cannot be fulfilled on Pod "exact": the UID in the precondition/);
  const { metadata } = await server.json<Pod>("GET", `${PODS}/exact`);
  assert.equal((await evict({ resourceVersion: metadata.resourceVersion })).code, 201);
  assert.equal((await evict({})).code, 404);
}

async function logs(server: TestServer): Promise<void> {
  await createPod(server, "quiet");
  const log = async (query: string) => {
    const response = await server.fetch(`${PODS}/quiet/log${query}`);
    return { code: response.status, text: await response.text() };
  };
  assert.deepEqual(await log(""), { code: 204, text: "" });
  const unknown = await log("?container=b");
  assert.equal(unknown.code, 400);
  assert.match(unknown.text, /container b is not valid for pod quiet/);
  assert.equal((await log("?tailLines=-1")).code, 422);
}

async function kubeletLogs(server: TestServer): Promise<void> {
  const { cert, key } = issueCertificate({
    commonName: "node-b",
    names: ["127.0.0.1"],
    usage: "server",
    lifetime: 3_600_000,
  });
  const asked: string[] = [];
  const kubelet = Deno.serve({ port: 0, hostname: "127.0.0.1", cert, key, onListen() {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    return pathname.endsWith("/broken")
      ? new Response("no such log", { status: 400 })
      : new Response("line 1\nline 2\n");
  });
  try {
    await server.json("POST", "/api/v1/nodes", {
      metadata: { name: "node-b" },
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: kubelet.addr.port } },
      },
    });
    const containers = [{ name: "a", image: "i" }, { name: "broken", image: "i" }];
    await createPod(server, "talks", { spec: { nodeName: "node-b", containers } });
    const log = await server.fetch(`${PODS}/talks/log?container=a&tailLines=2&follow=true`);
    assert.deepEqual([log.status, log.headers.get("content-type")], [200, "text/plain"]);
    assert.equal(await log.text(), "line 1\nline 2\n");
    const metrics = await (await server.fetch("/metrics")).text();
    assert.match(metrics, /^apiserver_longrunning_requests\{verb="CONNECT",.*subresource="log",.*\} 0$/m);
    assert.match(metrics, /^apiserver_request_total\{verb="CONNECT",.*subresource="log",.*code="200"\} [12]$/m);
    assert.deepEqual(asked, ["/containerLogs/default/talks/a?follow=true&tailLines=2"]);
    const broken = await server.fetch(`${PODS}/talks/log?container=broken`);
    assert.deepEqual([broken.status, (await broken.json()).message], [400, "no such log"]);
  } finally {
    await kubelet.shutdown();
  }
}

async function proxies(server: TestServer): Promise<void> {
  await createPod(server, "local");
  await patchStatus(server, `${PODS}/local`, { podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] });
  const response = await server.fetch(`${PODS}/local/proxy/`);
  assert.equal(response.status, 400);
  assert.match(await response.text(), /address not allowed/);
}
