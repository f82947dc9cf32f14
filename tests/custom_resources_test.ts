// Custom resources in a whole server: with the real kubectl, and with a conversion webhook over HTTPS.
import assert from "node:assert/strict";
import { join } from "node:path";
import { clientsOf, startServer, type TestServer } from "./support/server.ts";
import { startWebhook } from "./support/webhook_server.ts";

const widgets = join(import.meta.dirname!, "testdata", "widgets.yaml");
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

Deno.test("kubectl works with custom resources", async (t) => {
  const server = await startServer();
  try {
    const { kubectl } = await clientsOf(server);
    const run = async (...args: string[]) => await kubectl(args);
    const ok = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(...args);
      assert.equal(code, 0, `kubectl ${args.join(" ")}: ${stderr}`);
      return stdout;
    };
    const apply = async (object: unknown, ...args: string[]) => {
      const file = join(server.dir, "object.json");
      await Deno.writeTextFile(file, JSON.stringify(object));
      return await ok("apply", "-f", file, ...args);
    };
    const widget = (spec: unknown) => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "a" },
      spec,
    });

    await t.step("apply a definition, wait for it, explain it", async () => {
      await ok("apply", "-f", widgets);
      await ok("wait", "--for=condition=Established", "crd/widgets.example.com", "--timeout=10s");
      assert.match(
        await ok("api-resources", "--api-group=example.com"),
        /^widgets +wd +example\.com\/v1 +true +Widget/m,
      );
      const explained = await ok("explain", "widget.spec");
      assert.match(explained, /color\s+<string> -required-/);
      assert.match(explained, /What it looks like\./);
      await ok("wait", "--for=condition=Available", "apiservice/v1.example.com", "--timeout=10s");
    });

    await t.step("create, columns, patch, scale, status", async () => {
      assert.match(await apply(widget({ color: "red" })), /created/);
      assert.match(await apply(widget({ color: "red" })), /unchanged/);
      assert.equal(await ok("get", "wd", "a", "-o", "jsonpath={.spec.replicas}"), "2");
      await ok("patch", "widget", "a", "--type=merge", "-p", '{"spec":{"color":"blue"}}');
      await ok("scale", "widget/a", "--replicas=3");
      const patch = '{"status":{"conditions":[{"type":"Ready","status":"True"}],"replicas":3}}';
      await ok("patch", "widget", "a", "--subresource=status", "--type=merge", "-p", patch);
      const [header, row] = (await ok("get", "widgets", "-o", "wide")).trim().split("\n");
      assert.deepEqual(header.split(/\s+/), ["NAME", "COLOR", "READY", "PARTS", "AGE"]);
      assert.deepEqual(row.split(/\s+/).slice(0, 4), ["a", "blue", "True", "3"]);
      assert.match(await ok("get", "all"), /widget\.example\.com\/a/);
      assert.equal((await ok("get", "wd", "--field-selector=spec.color=red", "-o", "name")).trim(), "");
      assert.equal(
        (await ok("get", "wd", "--field-selector=spec.color=blue", "-o", "name")).trim(),
        "widget.example.com/a",
      );
    });

    await t.step("what is wrong is refused, what is unknown as well", async () => {
      const { code, stderr } = await run("patch", "widget", "a", "--type=merge", "-p", '{"spec":{"color":"mauve"}}');
      assert.equal(code, 1);
      assert.match(stderr, /spec\.color: Unsupported value: "mauve": supported values: "red", "blue", "green"/);
      const file = join(server.dir, "object.json");
      await Deno.writeTextFile(file, JSON.stringify(widget({ color: "red", size: 1 })));
      const strict = await run("create", "-f", file, "--dry-run=server");
      assert.match(strict.stderr, /unknown field "spec\.size"/);
    });

    await t.step("server-side apply merges what several managers want", async () => {
      const ports = (...names: string[]) => ({ color: "blue", ports: names.map((name) => ({ name, port: 1 })) });
      await apply(widget(ports("web")), "--server-side", "--field-manager=one", "--force-conflicts");
      await apply(widget(ports("admin")), "--server-side", "--field-manager=two");
      assert.equal(await ok("get", "wd", "a", "-o", "jsonpath={.spec.ports[*].name}"), "web admin");
      await apply(widget({ color: "blue" }), "--server-side", "--field-manager=one");
      assert.equal(await ok("get", "wd", "a", "-o", "jsonpath={.spec.ports[*].name}"), "admin");
    });

    await t.step("what a widget owns goes with it, and a namespace with its widgets", async () => {
      await ok("create", "namespace", "shop");
      const inShop = { ...widget({ color: "red" }), metadata: { name: "owner", namespace: "shop" } };
      await apply(inShop);
      const uid = await ok("get", "wd", "owner", "-n", "shop", "-o", "jsonpath={.metadata.uid}");
      const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Widget", name: "owner", uid }];
      const metadata = { name: "owned", namespace: "shop", ownerReferences };
      await apply({ apiVersion: "v1", kind: "ConfigMap", metadata });
      await ok("delete", "widget", "owner", "-n", "shop");
      await ok("wait", "--for=delete", "configmap/owned", "-n", "shop", "--timeout=30s");
      await apply(inShop);
      await ok("delete", "namespace", "shop", "--timeout=30s");
      assert.equal(await ok("get", "widgets", "-n", "shop", "-o", "name"), "");
    });

    await t.step("delete the object, then the definition with all others", async () => {
      await ok("delete", "widget", "a");
      await apply(widget({ color: "green" }));
      await ok("delete", "crd", "widgets.example.com");
      assert.equal((await run("get", "widgets")).code, 1);
      assert.equal((await server.fetch("/apis/example.com/v1/widgets")).status, 404);
      assert.equal(await apiServiceGone(server), true);
    });
  } finally {
    await server.stop();
  }
});

async function apiServiceGone(server: TestServer): Promise<boolean> {
  for (let i = 0; i < 100; i++) {
    const { status } = await server.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com");
    if (status === 404) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

interface Review {
  uid: string;
  desiredAPIVersion: string;
  objects: { spec: { size?: number; width?: number } }[];
}

/** `size` of v1 is `width` of v2. */
function convert({ uid, desiredAPIVersion, objects }: Review) {
  const convertedObjects = objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith("/v2") ? { width: object.spec.size } : { size: object.spec.width },
  }));
  return {
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    response: { uid, result: { status: "Success" }, convertedObjects },
  };
}

function version(name: string, field: string, storage: boolean) {
  const spec = { type: "object", properties: { [field]: { type: "integer" } } };
  const selectableFields = [{ jsonPath: `.spec.${field}` }];
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return { name, served: true, storage, schema, selectableFields };
}

interface Gadget {
  apiVersion: string;
  metadata: { name: string; resourceVersion: string };
  spec: Record<string, number>;
}

interface Crd {
  metadata: { resourceVersion: string };
  status: { conditions?: { type: string; status: string }[] };
}

async function established(server: TestServer, name: string): Promise<Crd> {
  for (let i = 0; i < 100; i++) {
    const crd = await server.json<Crd>("GET", `${CRDS}/${name}`);
    if (crd.status.conditions?.some(({ type, status }) => type === "Established" && status === "True")) return crd;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} is not established`);
}

/** The events of a watch until enough have come. */
async function events(response: Response, count: number): Promise<{ type: string; object: Gadget }[]> {
  const found: { type: string; object: Gadget }[] = [], reader = response.body!.getReader();
  for (let text = ""; found.length < count;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
    const lines = text.split("\n");
    text = lines.pop()!;
    found.push(...lines.map((line) => JSON.parse(line)));
  }
  await reader.cancel();
  return found;
}

Deno.test("a webhook converts between versions, on every way to an object", async (t) => {
  const server = await startServer();
  const hook = await startWebhook(server.dir, ({ body }) => ({ body: convert(body.request as Review) }), {
    anonymous: true,
  });
  try {
    const caBundle = btoa(await Deno.readTextFile(join(server.dir, "webhook-ca.crt")));
    const path = (v: string, name = "") => `/apis/example.com/${v}/namespaces/default/gadgets${name && "/" + name}`;
    const gadget = (v: string, name: string, spec: Record<string, number>) => ({
      apiVersion: `example.com/${v}`,
      kind: "Gadget",
      metadata: { name },
      spec,
    });
    await server.json("POST", CRDS, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "gadgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "gadgets", kind: "Gadget" },
        versions: [version("v1", "size", true), version("v2", "width", false)],
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { url: hook.url, caBundle }, conversionReviewVersions: ["v1"] },
        },
      },
    });
    await established(server, "gadgets.example.com");

    await t.step("reads and writes", async () => {
      await server.json("POST", path("v1"), gadget("v1", "a", { size: 1 }));
      assert.deepEqual((await server.json<Gadget>("GET", path("v2", "a"))).spec, { width: 1 });
      const made = await server.json<Gadget>("POST", path("v2"), gadget("v2", "b", { width: 2 }));
      assert.deepEqual([made.apiVersion, made.spec], ["example.com/v2", { width: 2 }]);
      assert.deepEqual((await server.json<Gadget>("GET", path("v1", "b"))).spec, { size: 2 });
      const { items } = await server.json<{ items: Gadget[] }>("GET", path("v2"));
      assert.deepEqual(items.map(({ spec }) => spec.width), [1, 2]);
    });

    await t.step("selectable fields of either version", async () => {
      const select = async (v: string, selector: string) => {
        const { items } = await server.json<{ items: Gadget[] }>("GET", `${path(v)}?fieldSelector=${selector}`);
        return items.map(({ metadata }) => metadata.name);
      };
      assert.deepEqual(await select("v1", "spec.size=2"), ["b"]);
      assert.deepEqual(await select("v2", "spec.width=2"), ["b"]);
      assert.deepEqual(await select("v2", "spec.width!=2"), ["a"]);
      const wrong = await server.fetch(`${path("v2")}?fieldSelector=spec.size%3D2`);
      assert.equal(wrong.status, 400);
    });

    await t.step("watches", async () => {
      const watched = await server.fetch(`${path("v2")}?watch=1&fieldSelector=spec.width%3D5`);
      const seen = events(watched, 2);
      await server.json("POST", path("v1"), gadget("v1", "c", { size: 5 }));
      const c = await server.json<Gadget>("GET", path("v1", "c"));
      await server.json("PUT", path("v1", "c"), { ...c, spec: { size: 6 } });
      assert.deepEqual((await seen).map(({ type, object }) => [type, object.metadata.name]), [["ADDED", "c"], [
        "DELETED",
        "c",
      ]]);
    });

    await t.step("dry runs, by way of the version in which objects are stored", async () => {
      const asked = () => hook.calls.map(({ body }) => (body.request as Review).desiredAPIVersion);
      const before = hook.calls.length;
      const tried = await server.json<Gadget>("POST", `${path("v2")}?dryRun=All`, gadget("v2", "x", { width: 3 }));
      assert.deepEqual([tried.apiVersion, tried.spec], ["example.com/v2", { width: 3 }]);
      assert.deepEqual(asked().slice(before), ["example.com/v1", "example.com/v2"]);
      assert.equal((await server.fetch(path("v2", "x"))).status, 404);
    });

    await t.step("one that is gone fails reads of other versions only", async () => {
      await hook.stop();
      assert.equal((await server.fetch(path("v1", "a"))).status, 200);
      await server.json("POST", path("v1"), gadget("v1", "d", { size: 7 }));
      const refused = await server.fetch(path("v2", "d"));
      assert.equal(refused.status, 500);
      assert.match(
        (await refused.json()).message,
        /^conversion webhook for example\.com\/v1, Kind=Gadget failed: Post /,
      );
    });
  } finally {
    await hook.stop().catch(() => {});
    await server.stop();
  }
});

Deno.test("a change of one version ends its watches and leaves those of others alone", async () => {
  const server = await startServer();
  try {
    const path = (v: string) => `/apis/example.com/${v}/namespaces/default/gadgets`;
    const crd = (color: boolean) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "gadgets.example.com" } as Record<string, string>,
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "gadgets", kind: "Gadget" },
        versions: [version("v1", "size", true), version("v2", color ? "color" : "size", false)],
      },
    });
    await server.json("POST", CRDS, crd(false));
    const present = await established(server, "gadgets.example.com");
    const [kept, ended] = await Promise.all(["v1", "v2"].map((v) => server.fetch(`${path(v)}?watch=1`)));
    const first = events(kept, 1), none = events(ended, 1);
    const changed = crd(true);
    changed.metadata.resourceVersion = present.metadata.resourceVersion;
    await server.json("PUT", `${CRDS}/gadgets.example.com`, changed);
    assert.deepEqual(await none, []);
    const gadget = { apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "a" }, spec: { size: 1 } };
    await server.json("POST", path("v1"), gadget);
    assert.deepEqual((await first).map(({ type, object }) => [type, object.spec]), [["ADDED", { size: 1 }]]);
  } finally {
    await server.stop();
  }
});
