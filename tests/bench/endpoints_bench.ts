// What endpoints do most: get, list, and the fan-out of a watch event.
import type { KubeObject } from "../../src/machinery/types.ts";
import { configMaps, itemOf, providerOf, send, servedKind } from "../../src/endpoints/testing.ts";
import { createObjectEncoder, JSON_LINES } from "../../src/endpoints/watch_encoder.ts";

function pod(i: number): KubeObject {
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name: `pod-${i}`, namespace: "x", uid: `u-${i}`, resourceVersion: String(i), labels: { app: "web" } },
    spec: { containers: [{ name: "c", image: "registry.example.test/web:1.2.3", resources: {} }], nodeName: "n" },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  };
}

const items = Array.from({ length: 5000 }, (_, i) => itemOf(pod(i), i));
const provider = providerOf(configMaps({
  get: () => ({ item: items[0] }),
  list: () => Promise.resolve({ items, revision: 5000 }),
}));
const PATH = "/api/v1/namespaces/x/configmaps";

Deno.bench("get", async () => {
  await (await send(provider, `${PATH}/a`)).arrayBuffer();
});

Deno.bench("list of 5000 pods", async () => {
  await (await send(provider, PATH)).arrayBuffer();
});

Deno.bench("list of 5000 pods as metadata", async () => {
  const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  await (await send(provider, PATH, { headers: { accept } })).arrayBuffer();
});

Deno.bench("list of 5000 pods as Table", async () => {
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  await (await send(provider, PATH, { headers: { accept } })).arrayBuffer();
});

const kind = servedKind({ group: "", version: "v1", kind: "Pod" });

Deno.bench("one event for 1000 watches", () => {
  const item = itemOf(pod(1));
  for (let i = 0; i < 1000; i++) {
    createObjectEncoder(kind, JSON_LINES, undefined).encode({ type: "MODIFIED", item });
  }
});
