// Creating, updating and reading a custom resource that is validated and defaulted, from the request to the storage.
import type { CustomResourceDefinition } from "../../src/apis/apiextensions/types.ts";
import { CustomResource } from "../../src/apiextensions/custom_resource.ts";
import { NONE } from "../../src/apiextensions/conversion/mod.ts";
import { digest } from "../../src/apiextensions/definition.ts";
import { providerOf, send } from "../../src/endpoints/testing.ts";
import type { JSONSchema } from "../../src/machinery/schema/structural_schema.ts";
import { loadRe2 } from "../../src/machinery/re2.ts";
import { createStorage } from "../../src/storage/mod.ts";

// The server does this when a definition with patterns is established.
await loadRe2();

const part: JSONSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$", maxLength: 63 },
    image: { type: "string", minLength: 1 },
    port: { "x-kubernetes-int-or-string": true },
    protocol: { type: "string", enum: ["TCP", "UDP"], default: "TCP" },
    env: { type: "object", additionalProperties: { type: "string" } },
  },
};

const schema: JSONSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["parts"],
      properties: {
        replicas: { type: "integer", minimum: 0, maximum: 100, default: 1 },
        paused: { type: "boolean", default: false },
        parts: {
          type: "array",
          maxItems: 100,
          items: part,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
        strategy: {
          type: "object",
          default: {},
          properties: { type: { type: "string", enum: ["Rolling", "Recreate"], default: "Rolling" } },
        },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
};

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com", uid: "u", resourceVersion: "1" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
    ],
  },
  status: {
    acceptedNames: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    conditions: [{ type: "Established", status: "True" }],
  },
} as CustomResourceDefinition;

const workerUrl = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);
const storage = await createStorage({ engine: { backend: "sqlite", path: ":memory:", workerUrl } });
const resource = new CustomResource(
  { storage, garbageCollection: false, deleteCollectionWorkers: 1, read: () => crd, converterOf: () => NONE },
  digest(crd)!,
  1,
);
const provider = providerOf(resource.lookup("v1")!);
const PATH = "/apis/example.com/v1/namespaces/x/widgets";

function widget(name: string) {
  const parts = ["web", "cache", "worker"].map((part) => ({
    name: part,
    image: "registry.example.test/app:1.2.3",
    port: 80,
  }));
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, labels: { app: "web" } }, spec: { parts } };
}

async function request(method: string, path: string, body?: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await send(provider, path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}

let count = 0;
await request("POST", PATH, widget("read"));

Deno.bench("create of a validated, defaulted custom resource", async () => {
  await request("POST", PATH, widget(`w${count++}`));
});

Deno.bench("get of a custom resource", async () => {
  await request("GET", `${PATH}/read`);
});
