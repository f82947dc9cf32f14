// Admission policies in a whole server: from the first write on, on every kind of request.
import assert from "node:assert/strict";
import { startServer, type TestServer } from "./support/server.ts";

const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const apiVersion = "admissionregistration.k8s.io/v1";

function matching(operations: string[], resources: string[], apiGroups = [""]) {
  return { resourceRules: [{ apiGroups, apiVersions: ["*"], operations, resources }] };
}

/** A policy and a binding to it, both called `p`. */
async function enforce(server: TestServer, kind: string, spec: unknown, binding: Record<string, unknown> = {}) {
  const plural = kind.toLowerCase().replace(/policy$/, "polic"), metadata = { name: "p" };
  await server.json("POST", `${REGISTRATION}/${plural}ies`, { apiVersion, kind, metadata, spec });
  const bindingSpec = { policyName: "p", ...binding };
  await server.json("POST", `${REGISTRATION}/${plural}ybindings`, {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    spec: bindingSpec,
  });
}

async function post(server: TestServer, path: string, body: unknown, method = "POST") {
  const response = await server.fetch(path, {
    method,
    headers: { "content-type": "application/json" },
    body: method === "GET" ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, warning: response.headers.get("warning") ?? "" };
}

/** Policies come into force a moment after they were made. */
async function eventually<T>(attempt: () => Promise<T>, done: (result: T) => boolean): Promise<T> {
  for (let i = 0;; i++) {
    const result = await attempt();
    if (done(result) || i === 50) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("policies refuse and change what is written, with custom resources for parameters, also after a restart", async () => {
  let server = await startServer();
  try {
    const schema = { openAPIV3Schema: { type: "object", properties: { max: { type: "integer" } } } };
    await server.json("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "limits.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "limits", kind: "Limit" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    const limit = { apiVersion: "example.com/v1", kind: "Limit", metadata: { name: "l" }, max: 1 };
    const limits = "/apis/example.com/v1/namespaces/default/limits";
    await eventually(() => post(server, limits, limit), ({ status }) => status === 201);
    await enforce(server, "ValidatingAdmissionPolicy", {
      paramKind: { apiVersion: "example.com/v1", kind: "Limit" },
      matchConstraints: matching(["CREATE"], ["configmaps"]),
      validations: [{
        expression: "size(object.data) <= params.max",
        messageExpression: "'at most %d'.format([params.max])",
      }],
    }, { validationActions: ["Deny"], paramRef: { name: "l", namespace: "default", parameterNotFoundAction: "Deny" } });
    await enforce(server, "MutatingAdmissionPolicy", {
      matchConstraints: matching(["CREATE"], ["configmaps"]),
      reinvocationPolicy: "Never",
      mutations: [{
        patchType: "ApplyConfiguration",
        applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'seen': 'yes'}}}" },
      }],
    });
    const map = (name: string, data: Record<string, string>) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data,
    });
    const denied = /ValidatingAdmissionPolicy 'p' with binding 'p' denied request: at most 1/;
    const refused = await eventually(
      () => post(server, `${CONFIG_MAPS}?dryRun=All`, map("a", { a: "", b: "" })),
      ({ status }) => status !== 201,
    );
    assert.match(refused.text, denied);
    await server.stop({ keepDir: true });
    server = await startServer({ dir: server.dir });
    const first = await post(server, CONFIG_MAPS, map("a", { a: "", b: "" }));
    assert.match(first.text, denied);
    const made = await server.json<{ metadata: { labels: unknown } }>("POST", CONFIG_MAPS, map("a", { a: "" }));
    assert.deepEqual(made.metadata.labels, { seen: "yes" });
  } finally {
    await server.stop();
  }
});

Deno.test("policies see what is connected to and evicted, and events by either name", async () => {
  const server = await startServer();
  try {
    await enforce(server, "ValidatingAdmissionPolicy", {
      matchConstraints: matching(["*"], ["pods/*", "events"], ["", "events.k8s.io"]),
      validations: [{
        expression: "false",
        messageExpression: "request.operation + ' ' + request.?subResource.orValue('') + ' ' + request.kind.kind",
      }],
    }, { validationActions: ["Warn"] });
    const inDefault = "/api/v1/namespaces/default";
    await server.json("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
    await eventually(
      () =>
        post(server, `${inDefault}/serviceaccounts`, {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "default" },
        }),
      ({ status }) => status === 201 || status === 409,
    );
    await server.json("POST", `${inDefault}/pods`, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
    });
    const exec = await eventually(
      () => post(server, `${inDefault}/pods/p/exec?command=ls`, undefined, "GET"),
      ({ warning }) => warning !== "",
    );
    assert.match(exec.warning, /CONNECT exec PodExecOptions/);
    assert.match(exec.text, /no preferred addresses found/);
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
    assert.match((await post(server, `${inDefault}/pods/p/eviction`, eviction)).warning, /CREATE eviction Eviction/);
    const involvedObject = { kind: "Pod", namespace: "default", name: "p" };
    const event = { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, involvedObject, reason: "R" };
    assert.match((await post(server, `${inDefault}/events`, event)).warning, /CREATE {2}Event/);
  } finally {
    await server.stop();
  }
});
