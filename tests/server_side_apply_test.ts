// Server-side apply with the real kubectl and helm: conflicts, force, the way there from client-side apply, drift.
import assert from "node:assert/strict";
import { join } from "node:path";
import { clientsOf, startServer, type TestServer } from "./support/server.ts";

type Run = Awaited<ReturnType<typeof clientsOf>>["kubectl"];

const chart = join(import.meta.dirname!, "testdata", "chart");

function configMap(data: Record<string, string>): string {
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shared" }, data });
}

async function ok(run: ReturnType<Run>): Promise<string> {
  const { code, stdout, stderr } = await run;
  assert.equal(code, 0, stderr + stdout);
  return stdout;
}

/** The managers of an object with their operations: `kubectl/Apply`. */
async function managersOf(kubectl: Run, ...object: string[]): Promise<string[]> {
  const template = "{range .metadata.managedFields[*]}{.manager}/{.operation} {end}";
  const text = await ok(kubectl(["get", ...object, "--show-managed-fields", "-o", `jsonpath=${template}`]));
  return text.trim().split(" ");
}

Deno.test("server-side apply with kubectl and helm", async (t) => {
  const server = await startServer();
  try {
    const { kubectl, helm } = await clientsOf(server);
    await t.step("appliers conflict until one is told to win", () => conflicts(kubectl));
    await t.step("objects of client-side apply move to server-side apply and back", () => migration(kubectl));
    await t.step("a status is applied by its own manager", () => status(kubectl));
    await t.step("a configuration that is no YAML is refused with the reason", () => noYaml(server));
    await t.step("helm puts a release that has drifted right again", () => drift(kubectl, helm));
  } finally {
    await server.stop();
  }
});

async function conflicts(kubectl: Run): Promise<void> {
  const apply = (data: Record<string, string>, ...flags: string[]) =>
    kubectl(["apply", "--server-side", "-f", "-", ...flags], configMap(data));
  assert.match(await ok(apply({ color: "red", size: "1" }, "--field-manager=one")), /serverside-applied/);
  const refused = await apply({ color: "blue" }, "--field-manager=two");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Apply failed with 1 conflict: conflict with "one": \.data\.color/);
  await ok(apply({ color: "blue" }, "--field-manager=two", "--force-conflicts"));
  // What one no longer says and nobody else owns goes; what two has taken stays.
  await ok(apply({}, "--field-manager=one"));
  assert.equal(await ok(kubectl(["get", "configmap", "shared", "-o", "jsonpath={.data}"])), '{"color":"blue"}');
  // They stand in the order of the seconds in which they wrote.
  assert.deepEqual((await managersOf(kubectl, "configmap", "shared")).sort(), ["one/Apply", "two/Apply"]);
}

async function noYaml(server: TestServer): Promise<void> {
  const response = await server.fetch("/api/v1/namespaces/default/configmaps/none?fieldManager=test", {
    method: "PATCH",
    headers: { "content-type": "application/apply-patch+yaml" },
    body: "a: b: c",
  });
  const { code, message } = await response.json();
  assert.equal(code, 400);
  const reason = "error converting YAML to JSON: yaml: mapping values are not allowed in this context";
  assert.equal(message, `error decoding YAML: ${reason}`);
}

async function migration(kubectl: Run): Promise<void> {
  const deployment = (image: string, replicas?: number) =>
    JSON.stringify({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "moving" },
      spec: {
        replicas,
        selector: { matchLabels: { app: "moving" } },
        template: { metadata: { labels: { app: "moving" } }, spec: { containers: [{ name: "web", image }] } },
      },
    });
  await ok(kubectl(["apply", "-f", "-"], deployment("web:1", 2)));
  assert.deepEqual(await managersOf(kubectl, "deployment", "moving"), ["kubectl-client-side-apply/Update"]);
  await ok(kubectl(["apply", "--server-side", "-f", "-"], deployment("web:2", 2)));
  // The annotation of client-side apply is kept up, so that the way back stays open.
  assert.deepEqual(await managersOf(kubectl, "deployment", "moving"), ["kubectl-last-applied/Apply", "kubectl/Apply"]);
  // Once migrated, replicas go back to their default when nobody speaks of them any more.
  await ok(kubectl(["apply", "--server-side", "-f", "-"], deployment("web:3")));
  assert.equal(
    await ok(kubectl(["get", "deployment", "moving", "-o", "jsonpath={.spec.replicas} {..image}"])),
    "1 web:3",
  );
  await ok(kubectl(["apply", "-f", "-"], deployment("web:4")));
  assert.equal(await ok(kubectl(["get", "deployment", "moving", "-o", "jsonpath={..image}"])), "web:4");
  const back = ["kubectl/Apply", "kubectl-client-side-apply/Update"];
  assert.deepEqual(await managersOf(kubectl, "deployment", "moving"), back);
  assert.match(await ok(kubectl(["diff", "-f", "-"], deployment("web:4"))), /^$/);
  assert.equal((await kubectl(["diff", "--server-side", "-f", "-"], deployment("web:5"))).code, 1);
}

async function status(kubectl: Run): Promise<void> {
  const applied = JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "moving" },
    status: { replicas: 1, readyReplicas: 1 },
  });
  const flags = ["--server-side", "--subresource=status", "--field-manager=controller"];
  await ok(kubectl(["apply", ...flags, "-f", "-"], applied));
  const ready = ["get", "deployment", "moving", "--subresource=status", "-o", "jsonpath={.status.readyReplicas}"];
  assert.equal(await ok(kubectl(ready)), "1");
  assert((await managersOf(kubectl, "deployment", "moving")).includes("controller/Apply"));
}

async function drift(kubectl: Run, helm: (args: string[]) => ReturnType<Run>): Promise<void> {
  const greeting = () => ok(kubectl(["get", "configmap", "hi-config", "-o", "jsonpath={.data.greeting}"]));
  await ok(helm(["install", "hi", chart]));
  assert.deepEqual(await managersOf(kubectl, "configmap", "hi-config"), ["helm/Apply"]);
  const edit = [
    "patch",
    "configmap",
    "hi-config",
    "--type=merge",
    "-p",
    '{"data":{"greeting":"edited","extra":"kept"}}',
  ];
  await ok(kubectl(edit));
  const refused = await helm(["upgrade", "hi", chart, "--set", "greeting=servus"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /conflict with "kubectl-patch".*\.data\.greeting/s);
  await ok(helm(["upgrade", "hi", chart, "--set", "greeting=servus", "--force-conflicts"]));
  assert.equal(await greeting(), "servus");
  assert.equal(await ok(kubectl(["get", "configmap", "hi-config", "-o", "jsonpath={.data.extra}"])), "kept");
  await ok(helm(["rollback", "hi", "1", "--force-conflicts"]));
  assert.equal(await greeting(), "hello");
  await ok(helm(["uninstall", "hi"]));
}
