import assert from "node:assert/strict";
import { createMetrics } from "./mod.ts";

Deno.test("values recorded before and after the first scrape are counted", async () => {
  const metrics = createMetrics();
  metrics.onCollect(() => metrics.set("objects", { group: "", resource: "pods" }, 7));
  await metrics.text();
  metrics.add("watchEvents", { group: "", version: "v1", resource: "pods" }, 2);
  metrics.add("watchEvents", { group: "", version: "v1", resource: "pods" });
  metrics.observe("admissionDuration", { name: "X", operation: "CREATE", rejected: "false", type: "admit" }, 0.01);
  const text = await metrics.text();
  assert.match(text, /^apiserver_watch_events_total\{group="",version="v1",resource="pods"\} 3$/m);
  assert.match(text, /^apiserver_resource_objects\{group="",resource="pods"\} 7$/m);
  assert.match(text, /admission_duration_seconds_bucket\{le="0.025",name="X",.*\} 1$/m);
  assert.match(text, /^process_resident_memory_bytes \d+/m);
});
