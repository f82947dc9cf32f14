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
  assert.match(text, /admission_duration_seconds_bucket\{name="X",.*,le="0.025"\} 1$/m);
  assert.match(text, /^process_resident_memory_bytes \d+/m);
});

Deno.test("a histogram counts what lies at or below each bound, and everything in +Inf, _count and _sum", async () => {
  const metrics = createMetrics();
  const labels = { name: 'a"b\\c', operation: "CREATE", rejected: "false", type: "admit" };
  for (const seconds of [0.005, 0.02, 0.3, 7]) metrics.observe("admissionDuration", labels, seconds);
  const name = "apiserver_admission_controller_admission_duration_seconds";
  const lines = (await metrics.text()).split("\n").filter((line) => line.startsWith(name));
  const written = String.raw`{name="a\"b\\c",operation="CREATE",rejected="false",type="admit"`;
  const buckets = [[0.005, 1], [0.025, 2], [0.1, 2], [0.5, 3], [1, 3], [2.5, 3], ["+Inf", 4]];
  assert.deepEqual(lines, [
    ...buckets.map(([bound, count]) => `${name}_bucket${written},le="${bound}"} ${count}`),
    `${name}_sum${written}} 7.325`,
    `${name}_count${written}} 4`,
  ]);
});

Deno.test("bounds are written as Go writes them: they are labels, which queries name", async () => {
  const metrics = createMetrics();
  metrics.observe("certificateExpiration", {}, 0);
  const bounds = [...(await metrics.text()).matchAll(/certificate_expiration_seconds_bucket\{le="(.*?)"/g)];
  assert.deepEqual(bounds.map(([, bound]) => bound).slice(-6), [
    "604800",
    "2.592e+06",
    "7.776e+06",
    "1.5552e+07",
    "3.1104e+07",
    "+Inf",
  ]);
});

Deno.test("a metric is used as what it is", () => {
  const metrics = createMetrics();
  assert.throws(() => metrics.observe("watchEvents", {}, 1), /apiserver_watch_events_total is a counter/);
  assert.throws(() => metrics.set("watchEvents", {}, 1), TypeError);
});
