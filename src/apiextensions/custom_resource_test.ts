import assert from "node:assert/strict";
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import type { CustomResourceDefinitionVersion } from "../facts/generated/types.ts";
import { controllerContext } from "../controllers/informer.ts";
import type { ResourceProvider } from "../registry/resource.ts";
import { send } from "../endpoints/testing.ts";
import type { JSONSchema } from "../machinery/schema/structural_schema.ts";
import type { WatchEvent } from "../storage/interface.ts";
import { createStorage } from "../storage/mod.ts";
import { NONE } from "./conversion/mod.ts";
import { CustomResource } from "./custom_resource.ts";
import { digest } from "./definition.ts";

const WORKER = new URL("../storage/sqlite/writer_entry.ts", import.meta.url);
const QUIET = { sanitizeOps: false, sanitizeResources: false };

function version(
  name: string,
  spec: Record<string, JSONSchema>,
  more: Partial<CustomResourceDefinitionVersion> = {},
): CustomResourceDefinitionVersion {
  const schema: JSONSchema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: spec },
      status: { type: "object", properties: { phase: { type: "string" } }, default: { phase: "New" } },
    },
  };
  return { name, served: true, storage: false, schema: { openAPIV3Schema: schema as never }, ...more };
}

interface Answer {
  code: number;
  body: Record<string, never> & {
    spec: unknown;
    status: unknown;
    metadata: { generation: number; resourceVersion: string };
  };
}

/** A custom resource over a storage in memory, of which the definition may be changed. */
async function withResource(
  versions: CustomResourceDefinitionVersion[],
  test: (parts: {
    request(method: string, path: string, body?: unknown): Promise<Answer>;
    change(versions: CustomResourceDefinitionVersion[], conditions?: Record<string, string>): void;
    resource: CustomResource;
  }) => Promise<void>,
): Promise<void> {
  const crd = {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: "widgets.example.com", uid: "u", generation: 1 },
    spec: { group: "example.com", scope: "Namespaced", names: { plural: "widgets", kind: "Widget" }, versions },
    status: {
      acceptedNames: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      conditions: [{ type: "Established", status: "True" }],
    },
  } as CustomResourceDefinition;
  const storage = await createStorage({ engine: { backend: "sqlite", path: ":memory:", workerUrl: WORKER } });
  const options = {
    storage,
    garbageCollection: false,
    deleteCollectionWorkers: 1,
    read: () => crd,
    converterOf: () => NONE,
  };
  const resource = new CustomResource(options, digest(crd)!, 1);
  const provider: ResourceProvider = {
    lookup: (_group, version) => resource.lookup(version),
    all: () => resource.published(),
  };
  try {
    await test({
      resource,
      async request(method, path, body) {
        const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
        const [v, ...rest] = path.split("/");
        const url = `/apis/example.com/${v}/namespaces/x/widgets${rest.length > 0 ? "/" + rest.join("/") : ""}`;
        const response = await send(provider, url, {
          method,
          headers: { "content-type": type },
          body: body === undefined ? undefined : JSON.stringify(body),
        });
        return { code: response.status, body: await response.json() };
      },
      change(versions, conditions = {}) {
        crd.metadata.generation!++;
        crd.spec!.versions = versions;
        for (const [type, status] of Object.entries(conditions)) crd.status!.conditions!.push({ type, status });
        resource.update(digest(crd)!);
      },
    });
  } finally {
    resource.close();
    await storage.close();
  }
}

function widget(v: string, name: string, spec: unknown) {
  return { apiVersion: `example.com/${v}`, kind: "Widget", metadata: { name }, spec };
}

const SIZE: JSONSchema = { type: "integer" }, COLOR: JSONSchema = { type: "string", default: "red" };

Deno.test(
  "status is written through its subresource only, and only the rest counts as a generation",
  QUIET,
  async () => {
    const v1 = version("v1", { size: SIZE }, { storage: true, subresources: { status: {} } });
    await withResource([v1], async ({ request }) => {
      const made = await request("POST", "v1", { ...widget("v1", "a", { size: 1 }), status: { phase: "Bad" } });
      assert.deepEqual([made.code, made.body.status, made.body.metadata.generation], [201, { phase: "New" }, 1]);
      const ready = await request("PATCH", "v1/a/status", { status: { phase: "Ready" }, spec: { size: 9 } });
      assert.deepEqual([ready.body.spec, ready.body.status], [{ size: 1 }, { phase: "Ready" }]);
      const grown = await request("PATCH", "v1/a", { spec: { size: 2 }, status: { phase: "No" } });
      assert.deepEqual([grown.body.status, grown.body.metadata.generation], [{ phase: "Ready" }, 2]);
    });
  },
);

Deno.test("objects are seen through the schema of today, and in other versions", QUIET, async () => {
  const v1 = version("v1", { size: SIZE }, { storage: true }), v2 = version("v2", { size: SIZE, color: COLOR });
  await withResource([v1, v2], async ({ request, change }) => {
    await request("POST", "v1", widget("v1", "a", { size: 1 }));
    assert.deepEqual((await request("GET", "v2/a")).body.spec, { size: 1 });
    change([version("v1", { color: COLOR }, { storage: true }), v2]);
    assert.deepEqual((await request("GET", "v1/a")).body.spec, { color: "red" });
    // What was stored in the former storage version has its defaults.
    change([{ ...v1, storage: false }, { ...v2, storage: true }]);
    assert.deepEqual((await request("GET", "v2/a")).body.spec, { size: 1 });
    assert.deepEqual((await request("PATCH", "v2/a", { spec: { size: 3 } })).body.spec, { size: 3, color: "red" });
    assert.deepEqual((await request("GET", "v1/a")).body.spec, { size: 3 });
  });
});

Deno.test("what is being deleted with its definition is not created any more", QUIET, async () => {
  const v1 = version("v1", { size: SIZE }, { storage: true });
  await withResource([v1], async ({ request, change, resource }) => {
    await request("POST", "v1", widget("v1", "a", {}));
    change([v1], { Terminating: "True" });
    const { code, body } = await request("POST", "v1", widget("v1", "b", {}));
    const why = "create not allowed while custom resource definition is terminating";
    assert.deepEqual([code, body.message], [403, `widgets.example.com "b" is forbidden: ${why}`]);
    assert.equal((await request("GET", "v1/a")).code, 200);
    assert.deepEqual(resource.lookup("v1")!.verbs.includes("create"), false);
  });
});

Deno.test(
  "a version that changes ends its watches, others go on",
  QUIET,
  async () => {
    const v1 = version("v1", { size: SIZE }, { storage: true }), v2 = version("v2", { size: SIZE });
    await withResource([v1, v2], async ({ change, request, resource }) => {
      const stop = new AbortController();
      const context = controllerContext("test", stop.signal, "x");
      const watch = async (v: string) =>
        (await resource.lookup(v)!.storage.watch!(context, { resourceVersion: "1", signal: stop.signal }))
          [Symbol.asyncIterator]();
      const kept = await watch("v1"), ended = await watch("v2");
      const kind = resource.lookup("v1")!.kind;
      change([v1, version("v2", { size: SIZE, color: COLOR })]);
      assert.equal(resource.lookup("v1")!.kind, kind);
      assert.equal((await ended.next()).done, true);
      await request("POST", "v1", widget("v1", "a", {}));
      assert.deepEqual((await kept.next()).value?.map(({ type }: WatchEvent) => type), ["ADDED"]);
      stop.abort();
    });
  },
);
