import assert from "node:assert/strict";
import { createMetrics } from "../metrics/mod.ts";
import type { KubeObject } from "../machinery/types.ts";
import { createStorage } from "./factory.ts";

const workerUrl = new URL("./sqlite/writer_entry.ts", import.meta.url);

function pod(name: string, nodeName: string): KubeObject {
  return { kind: "Pod", apiVersion: "v1", metadata: { name, uid: name }, spec: { nodeName } };
}

Deno.test("what storage does is counted, each thing once however often it is asked", async () => {
  const metrics = createMetrics();
  const factory = await createStorage({ engine: { backend: "sqlite", path: ":memory:", workerUrl }, metrics });
  const { storage } = factory.forResource({
    prefix: "/registry/pods/",
    resource: { group: "", resource: "pods" },
    attributesOf: ({ spec }) => ({ labels: {}, fields: { "spec.nodeName": spec.nodeName } }),
  });
  try {
    for (const name of ["a", "b", "c"]) await storage.create(`/registry/pods/${name}`, pod(name, "n1"));
    await storage.guaranteedUpdate("/registry/pods/a", () => ({ object: pod("a", "n2") }));
    await storage.list("/registry/pods/");
    const onNode = { everything: false, matches: () => true, requiresField: () => "n2" };
    await storage.list("/registry/pods/", { predicate: onNode });
    await storage.guaranteedUpdate("/registry/pods/b", () => ({ object: pod("b", "n3") }));
    const bytes = (await storage.list("/registry/pods/")).items.reduce((sum, { text }) => sum + text.length, 0);
    await metrics.text();
    const text = await metrics.text();
    const expected = [
      'etcd_requests_total{operation="create",group="",resource="pods"} 3',
      'etcd_requests_total{operation="update",group="",resource="pods"} 2',
      'etcd_request_duration_seconds_count{operation="create",group="",resource="pods"} 3',
      'apiserver_storage_objects{resource="pods"} 3',
      'apiserver_resource_objects{group="",resource="pods"} 3',
      'apiserver_storage_events_received_total{group="",resource="pods"} 1',
      'apiserver_watch_cache_consistent_read_total{group="",resource="pods",success="true",fallback="false"} 3',
      `apiserver_resource_size_estimate_bytes{group="",resource="pods"} ${bytes}`,
      'apiserver_watch_cache_initializations_total{group="",resource="pods"} 1',
      'apiserver_cache_list_total{group="",resource="pods",index=""} 2',
      'apiserver_cache_list_total{group="",resource="pods",index="f:spec.nodeName"} 1',
      'apiserver_cache_list_fetched_objects_total{group="",resource="pods",index="f:spec.nodeName"} 1',
      'apiserver_cache_list_returned_objects_total{group="",resource="pods"} 7',
      "kubelith_storage_commit_writes_sum 5",
      "kubelith_storage_writes_waiting 0",
    ];
    for (const line of expected) assert.ok(text.includes(`\n${line}\n`), line);
    assert.match(text, /^apiserver_storage_size_bytes\{storage_cluster_id="sqlite-memory"\} \d{4,}$/m);
  } finally {
    await factory.close();
  }
});
