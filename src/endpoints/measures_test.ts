import assert from "node:assert/strict";
import { notFoundError } from "../machinery/errors.ts";
import type { Watcher } from "../storage/interface.ts";
import { configMaps, dependencies, itemOf, providerOf, send } from "./testing.ts";

const PATH = "/api/v1/namespaces/x/configmaps";
const LABELS = 'group="",version="v1",resource="configmaps",subresource=""';

function labels(verb: string, scope: string): string {
  return `verb="${verb}",${LABELS},scope="${scope}",component="apiserver"`;
}

/** Lines of a metric without its buckets and sums. */
function linesOf(text: string, name: string): string[] {
  return text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_count{`));
}

Deno.test("requests are counted by verb, scope and answer, and how long they take", async () => {
  const provider = providerOf(configMaps({
    get: (_context, name) => {
      if (name === "late") return Promise.reject(notFoundError({ group: "", resource: "configmaps" }, name));
      throw notFoundError({ group: "", resource: "configmaps" }, name);
    },
    list: () => Promise.resolve({ items: [], revision: 7 }),
    create: (_context, _name, object) => Promise.resolve({ object }),
  }));
  const deps = dependencies();
  for (const path of ["/a", "/late", "", "", "/a/none"]) await send(provider, PATH + path, {}, deps);
  await send(provider, "/api/v1/configmaps", {}, deps);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } });
  for (const query of ["", "?dryRun=All", "?dryRun=Some"]) {
    await send(provider, PATH + query, { method: "POST", headers, body }, deps);
  }
  const text = await deps.metrics.text();
  assert.deepEqual(linesOf(text, "apiserver_request_total"), [
    `apiserver_request_total{${labels("GET", "resource")},dry_run="",code="404"} 2`,
    `apiserver_request_total{${labels("LIST", "namespace")},dry_run="",code="200"} 2`,
    `apiserver_request_total{${labels("LIST", "cluster")},dry_run="",code="200"} 1`,
    `apiserver_request_total{${labels("POST", "resource")},dry_run="",code="201"} 1`,
    `apiserver_request_total{${labels("POST", "resource")},dry_run="All",code="201"} 1`,
    `apiserver_request_total{${labels("POST", "resource")},dry_run="invalid",code="422"} 1`,
  ]);
  const took = linesOf(text, "apiserver_request_duration_seconds");
  assert.equal(took[0], `apiserver_request_duration_seconds_count{${labels("GET", "resource")},dry_run=""} 2`);
});

Deno.test("a watch is open until it ends, and counted then", async () => {
  const item = itemOf({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } });
  const end = Promise.withResolvers<void>();
  const watcher: Watcher = {
    stop: () => {},
    async *[Symbol.asyncIterator]() {
      yield [{ type: "ADDED" as const, item }];
      await end.promise;
    },
  };
  const deps = dependencies(), provider = providerOf(configMaps({ watch: () => Promise.resolve(watcher) }));
  const open = `apiserver_longrunning_requests{${labels("WATCH", "namespace")}}`;
  const response = await send(provider, `${PATH}?watch=1`, {}, deps);
  assert.deepEqual(linesOf(await deps.metrics.text(), "apiserver_longrunning_requests"), [`${open} 1`]);
  assert.deepEqual(linesOf(await deps.metrics.text(), "apiserver_request_total"), []);
  end.resolve();
  await response.text();
  const text = await deps.metrics.text();
  assert.deepEqual(linesOf(text, "apiserver_longrunning_requests"), [`${open} 0`]);
  assert.deepEqual(linesOf(text, "apiserver_request_total"), [
    `apiserver_request_total{${labels("WATCH", "namespace")},dry_run="",code="200"} 1`,
  ]);
});
