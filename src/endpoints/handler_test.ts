import assert from "node:assert/strict";
import { notFoundError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { ListResult, Watcher, WatchEvent } from "../storage/interface.ts";
import { configMaps, itemOf, providerOf, send } from "./testing.ts";

const PATH = "/api/v1/namespaces/x/configmaps";
const JSON_BODY = { "content-type": "application/json" };
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

function configMap(name: string, revision = "1"): KubeObject {
  return {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name, namespace: "x", uid: "u-" + name, resourceVersion: revision },
    data: { k: "v" },
  };
}

function holding(...objects: KubeObject[]) {
  const items = objects.map((object) => itemOf(object));
  return providerOf(configMaps({
    get: (_context, name) => {
      const item = items.find((i) => i.object().metadata.name === name);
      if (item === undefined) throw notFoundError({ group: "", resource: "configmaps" }, name);
      return { item };
    },
    list: () => Promise.resolve<ListResult>({ items, revision: 7 }),
    create: (_context, _name, object) => Promise.resolve({ object }),
  }));
}

Deno.test("get answers an item's JSON as it is", async () => {
  const response = await send(holding(configMap("a")), `${PATH}/a`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(await response.text(), JSON.stringify(configMap("a")) + "\n");
});

Deno.test("get of what is not there is a Status, whether the storage throws or rejects", async () => {
  const response = await send(holding(), `${PATH}/a`);
  assert.equal(response.status, 404);
  assert.equal((await response.json()).message, 'configmaps "a" not found');
});

Deno.test("list joins the items without kind and apiVersion", async () => {
  const response = await send(holding(configMap("a"), configMap("b")), PATH);
  const list = await response.json();
  assert.deepEqual(Object.keys(list), ["kind", "apiVersion", "metadata", "items"]);
  assert.equal(list.kind, "ConfigMapList");
  assert.deepEqual(list.metadata, { resourceVersion: "7" });
  assert.deepEqual(list.items.map((i: KubeObject) => Object.keys(i)), [["metadata", "data"], ["metadata", "data"]]);
});

Deno.test("lists and objects come as Table and as metadata", async () => {
  const provider = holding(configMap("a"));
  const table = await (await send(provider, PATH, { headers: { accept: TABLE } })).json();
  assert.deepEqual(table.rows[0].cells, ["a", null]);
  assert.equal(table.rows[0].object.kind, "PartialObjectMetadata");
  const partial = await (await send(provider, `${PATH}/a`, { headers: { accept: PARTIAL } })).json();
  assert.deepEqual(partial, {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: configMap("a").metadata,
  });
  const refused = await send(provider, PATH, { headers: { accept: PARTIAL } });
  assert.equal(refused.status, 406);
});

Deno.test("unknown paths are 404, other methods 405, media types that are not there 406 and 415", async () => {
  const provider = holding();
  const statusOf = async (path: string, init?: RequestInit) => (await send(provider, path, init)).status;
  assert.equal(await statusOf("/api/v1/namespaces/x/gadgets"), 404);
  assert.equal(await statusOf(`${PATH}/a/status`), 404);
  assert.equal(await statusOf("/api/v1/configmaps/a"), 404);
  assert.equal(await statusOf("/api/v1/configmaps", { method: "POST", body: "{}" }), 405);
  assert.equal(await statusOf(`${PATH}/a`, { method: "POST", body: "{}" }), 405);
  assert.equal(await statusOf(PATH, { headers: { accept: "application/*" } }), 406);
  assert.equal(await statusOf(PATH, { method: "POST", body: "<a/>", headers: { "content-type": "a/b" } }), 415);
  assert.equal(await statusOf(`${PATH}/a`, { method: "PATCH", body: "{}" }), 415);
});

Deno.test("create takes kind and namespace from the path and reports unknown fields", async () => {
  const body = JSON.stringify({ metadata: { name: "a", uid: "mine" }, data: { k: "v" }, spec: 1 });
  const post = (query: string) => send(holding(), PATH + query, { method: "POST", body, headers: JSON_BODY });
  const response = await post("");
  assert.equal(response.status, 201);
  assert.deepEqual(response.warnings, ['unknown field "spec"']);
  const created = await response.json();
  assert.equal(created.metadata.managedFields[0].operation, "Update");
  delete created.metadata.managedFields;
  assert.deepEqual(created, { ...configMap("a"), metadata: { name: "a", namespace: "x" } });
  const strict = await post("?fieldValidation=Strict");
  assert.equal(strict.status, 400);
  assert.match((await strict.json()).message, /strict decoding error: unknown field "spec"$/);
  assert.equal((await post("?dryRun=Some")).status, 422);
});

Deno.test("a body above the limit is refused", async () => {
  const body = JSON.stringify({ data: { k: "x".repeat(2000) } });
  const response = await send(holding(), PATH, { method: "POST", body, headers: JSON_BODY });
  assert.equal(response.status, 413);
});

Deno.test("watch streams batches as lines and ends with the watcher", async () => {
  const item = itemOf(configMap("a"));
  const batches: WatchEvent[][] = [
    [{ type: "ADDED", item }, { type: "MODIFIED", item }],
    [{ type: "BOOKMARK", revision: 9, initialEventsEnd: true }],
  ];
  const watcher: Watcher = {
    stop: () => {},
    async *[Symbol.asyncIterator]() {
      yield* batches;
    },
  };
  const provider = providerOf(configMaps({ watch: () => Promise.resolve(watcher), list: () => Promise.reject() }));
  const response = await send(provider, `${PATH}?watch=1`);
  const lines = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((l) => l.type), ["ADDED", "MODIFIED", "BOOKMARK"]);
  assert.deepEqual(lines[0].object, configMap("a"));
  assert.deepEqual(lines[2].object.metadata, {
    resourceVersion: "9",
    annotations: { "k8s.io/initial-events-end": "true" },
  });
});

Deno.test("a watch for longer than a timer can hold does not end at once", async () => {
  const item = itemOf(configMap("a"));
  const watcher: Watcher = {
    stop: () => {},
    async *[Symbol.asyncIterator]() {
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield [{ type: "ADDED", item }];
    },
  };
  const provider = providerOf(configMaps({ watch: () => Promise.resolve(watcher), list: () => Promise.reject() }));
  const response = await send(provider, `${PATH}?watch=1&timeoutSeconds=9999999`);
  assert.equal(JSON.parse(await response.text()).type, "ADDED");
});
