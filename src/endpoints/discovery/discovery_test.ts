import assert from "node:assert/strict";
import { Hono } from "hono";
import { RESOURCES } from "../../facts/generated/resources.ts";
import type { Env } from "../env.ts";
import { RequestUrl } from "../request_url.ts";
import type { ServedResource, ServedSubresource } from "../../registry/resource.ts";
import { configMaps, providerOf, servedKind } from "../testing.ts";
import { compareVersions } from "../../machinery/versions.ts";
import { createDiscovery } from "./mod.ts";

/** Every built-in resource, without anything behind it. */
function builtIns(): ServedResource[] {
  return RESOURCES.map((row) => {
    const { group, version, resource, singular, namespaced, shortNames, categories, verbs } = row;
    const kind = servedKind({ group, version, kind: row.kind }, { storedGvk: row.stored });
    const subresources = new Map<string, ServedSubresource>();
    for (const { name, responseKind, verbs } of row.subresources) {
      const gvk = responseKind.version === "" ? { ...responseKind, group, version } : responseKind;
      subresources.set(name, { name, verbs, kind, storage: { kind: gvk }, responseKind: gvk });
    }
    return {
      group,
      version,
      resource,
      singular,
      namespaced,
      shortNames,
      categories,
      verbs,
      kind,
      storage: { kind: kind.gvk },
      subresources,
      selectableFields: [],
    };
  });
}

function customResource(version: string): ServedResource {
  const gvk = { group: "example.test", version, kind: "Widget" };
  return configMaps({}, {
    group: "example.test",
    version,
    resource: "widgets",
    singular: "widget",
    kind: servedKind(gvk, { custom: true }),
  });
}

async function get(path: string, init: RequestInit = {}): Promise<Response> {
  const discovery = createDiscovery({
    providers: () => [providerOf(...builtIns()), providerOf(customResource("v1beta1"), customResource("v1"))],
    serverAddress: () => "10.1.2.3:6443",
  });
  const app = new Hono<Env>();
  app.all("*", async (c) => {
    c.set("url", new RequestUrl(new URL(c.req.url).pathname));
    return await discovery(c) ?? c.text("none", 404);
  });
  return await app.request(path, init);
}

Deno.test("the roots name versions and groups, custom ones last", async () => {
  assert.deepEqual(await (await get("/api")).json(), {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "10.1.2.3:6443" }],
  });
  const { groups } = await (await get("/apis/")).json();
  assert.equal(groups[0].name, "apiregistration.k8s.io");
  assert.deepEqual(groups.at(-1), {
    name: "example.test",
    versions: [
      { groupVersion: "example.test/v1", version: "v1" },
      { groupVersion: "example.test/v1beta1", version: "v1beta1" },
    ],
    preferredVersion: { groupVersion: "example.test/v1", version: "v1" },
  });
});

Deno.test("a version lists resources with their subresources and storage version hashes", async () => {
  const { resources } = await (await get("/apis/apps/v1")).json();
  assert.deepEqual(resources[1], {
    name: "daemonsets",
    singularName: "daemonset",
    namespaced: true,
    kind: "DaemonSet",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    shortNames: ["ds"],
    categories: ["all"],
    storageVersionHash: "dd7pWHUlMKQ=",
  });
  const scale = resources.find((r: { name: string }) => r.name === "deployments/scale");
  assert.deepEqual([scale.group, scale.version, scale.kind], ["autoscaling", "v1", "Scale"]);
});

Deno.test("what is not there: a Status below a built-in group, nothing elsewhere", async () => {
  assert.equal((await (await get("/apis/apps/v9")).json()).reason, "NotFound");
  assert.equal(await (await get("/apis/none.test")).text(), "none");
  assert.equal(await (await get("/apis/example.test/v9")).text(), "none");
});

Deno.test("methods: a group takes any, a version only GET", async () => {
  assert.equal((await get("/apis/apps", { method: "POST" })).status, 200);
  assert.equal((await get("/apis/apps/v1", { method: "DELETE" })).status, 405);
});

Deno.test("aggregated discovery has an ETag and answers 304", async () => {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const first = await get("/apis", { headers: { accept } });
  const etag = first.headers.get("etag")!;
  assert.match(etag, /^"[0-9A-F]{128}"$/);
  assert.equal(
    first.headers.get("content-type"),
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  );
  const { items } = await first.json();
  assert.equal(items.at(-1).versions[0].resources[0].resource, "widgets");
  const second = await get("/apis", { headers: { accept, "if-none-match": etag } });
  assert.equal(second.status, 304);
});

Deno.test("versions are ordered by stability, then by number", () => {
  const sorted = ["foo", "v1alpha1", "v2", "v1beta2", "v10", "v1", "v1beta10", "bar"].sort(compareVersions);
  assert.deepEqual(sorted, ["v10", "v2", "v1", "v1beta10", "v1beta2", "v1alpha1", "bar", "foo"]);
});
