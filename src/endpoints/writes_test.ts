import assert from "node:assert/strict";
import type { AdmissionChain } from "../admission/interface.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { DeleteOptions, ResourceStorage, UpdateOptions } from "../registry/rest.ts";
import { configMaps, dependencies, itemOf, providerOf, send } from "./testing.ts";

const PATH = "/api/v1/namespaces/x/configmaps/a";
const JSON_BODY = { "content-type": "application/json" };

const STORED: KubeObject = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "a", namespace: "x", uid: "u", resourceVersion: "5" },
  data: { k: "v" },
};

/** A storage of one object, or of none, that runs transforms the way the registry does. */
function storing(object: KubeObject | undefined, seen: UpdateOptions[] = []): Omit<ResourceStorage, "kind"> {
  return {
    get: () => Promise.reject(new Error("not asked for")),
    list: () => Promise.resolve({ items: [], revision: 1 }),
    async update(_context, _name, transform, options) {
      seen.push(options);
      const result = await transform(object && structuredClone(object));
      if (object === undefined) await options.validateCreate?.(result);
      else await options.validateUpdate?.(result, object);
      return { result: { object: result }, created: object === undefined };
    },
  };
}

function put(object: unknown, storage = storing(STORED), deps = dependencies()) {
  const init = { method: "PUT", body: JSON.stringify(object), headers: JSON_BODY };
  return send(providerOf(configMaps(storage)), PATH, init, deps);
}

function patch(body: unknown, type: string, query = "") {
  const init = { method: "PATCH", body: JSON.stringify(body), headers: { "content-type": type } };
  return send(providerOf(configMaps(storing(STORED))), PATH + query, init);
}

Deno.test("update: name and namespace of the body are those of the path", async () => {
  const messageOf = async (metadata: unknown) => (await (await put({ metadata })).json()).message;
  assert.equal(await messageOf({ name: "b" }), "the name of the object (b) does not match the name on the URL (a)");
  assert.match(await messageOf({}), /^the name of the object \(a based on URL\) was undeterminable/);
  assert.match(await messageOf({ name: "a", namespace: "y" }), /^the namespace of the provided object does not match/);
});

Deno.test("admission moves no object to another namespace", async () => {
  const moves: AdmissionChain = {
    handles: () => true,
    admit: ({ object }) => void (object!.metadata.namespace = "y"),
    validate: () => {},
    commit: () => {},
  };
  const deps = dependencies({ admission: moves }), message = /^the namespace of the provided object does not match/;
  const storage = storing(STORED), create = () => Promise.reject(new Error("not to be asked"));
  assert.match((await (await put({ metadata: { name: "a" } }, storage, deps)).json()).message, message);
  const init = { method: "POST", body: JSON.stringify({ metadata: { name: "a" } }), headers: JSON_BODY };
  const posted = await send(
    providerOf(configMaps({ ...storage, create })),
    "/api/v1/namespaces/x/configmaps",
    init,
    deps,
  );
  assert.equal(posted.status, 400);
  assert.match((await posted.json()).message, message);
});

Deno.test("update: a uid is a precondition", async () => {
  const seen: UpdateOptions[] = [];
  await put({ metadata: { name: "a", uid: "other" } }, storing(STORED, seen));
  assert.deepEqual(seen[0].preconditions, { uid: "other" });
});

Deno.test("a PUT that creates needs the right to create", async () => {
  const deps = dependencies({ authorizer: { authorize: () => ({ decision: "no opinion", reason: "" }) } });
  const response = await put({ metadata: { name: "a" } }, storing(undefined), deps);
  assert.equal(response.status, 403);
  assert.match((await response.json()).message, /^configmaps "a" is forbidden: User "admin" cannot create resource/);
  assert.equal((await put({ metadata: { name: "a" } }, storing(undefined))).status, 201);
});

Deno.test("admission sees an update with both objects and may change the new one", async () => {
  const operations: string[] = [];
  const deps = dependencies({
    admission: {
      handles: () => true,
      admit(attributes) {
        operations.push(`${attributes.operation} ${attributes.oldObject?.data.k} ${attributes.object?.data.k}`);
        attributes.object!.data.added = "1";
      },
      commit: () => {},
      validate: (attributes) => void operations.push(`validate ${attributes.object?.data.added}`),
    },
  });
  const response = await put({ metadata: { name: "a" }, data: { k: "new" } }, storing(STORED), deps);
  assert.deepEqual((await response.json()).data, { k: "new", added: "1" });
  assert.deepEqual(operations, ["UPDATE v new", "validate 1"]);
});

Deno.test("duplicate owner references are dropped with a warning", async () => {
  const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u-1" };
  const response = await put({ metadata: { name: "a", ownerReferences: [owner, owner] } });
  assert.equal((await response.json()).metadata.ownerReferences.length, 1);
  assert.match(response.warnings[0], /^\.metadata\.ownerReferences contains duplicate entries; .*observed: u-1$/);
});

Deno.test("patches of each type", async () => {
  const dataOf = async (body: unknown, type: string) => (await (await patch(body, type)).json()).data;
  assert.deepEqual(await dataOf({ data: { k: null, l: "w" } }, "application/merge-patch+json"), { l: "w" });
  assert.deepEqual(await dataOf({ data: { l: "w" } }, "application/strategic-merge-patch+json"), { k: "v", l: "w" });
  const operations = [{ op: "replace", path: "/data/k", value: "w" }];
  assert.deepEqual(await dataOf(operations, "application/json-patch+json"), { k: "w" });
});

Deno.test("patches that go wrong", async () => {
  const MERGE = "application/merge-patch+json";
  const statusOf = async (body: unknown, type = MERGE, query = "") => (await patch(body, type, query)).status;
  assert.equal(await statusOf({ kind: "Secret" }), 422);
  assert.equal(await statusOf({ data: { k: 5 } }), 422);
  assert.equal(await statusOf({ metadata: { name: "b" } }), 400);
  assert.equal(await statusOf([{ op: "remove", path: "/none" }], "application/json-patch+json"), 422);
  assert.equal(await statusOf({ colour: 1 }, MERGE, "?fieldValidation=Strict"), 422);
  assert.deepEqual((await patch({ colour: 1 }, MERGE)).warnings, ['unknown field "colour"']);
});

Deno.test("delete options of the body win over those of the query", async () => {
  const seen: DeleteOptions[] = [];
  const provider = providerOf(configMaps({
    ...storing(STORED),
    delete: (_context, _name, options) => {
      seen.push(options);
      return Promise.resolve({ result: { item: itemOf(STORED) }, deleted: false });
    },
  }));
  const body = JSON.stringify({ apiVersion: "apps/v1", kind: "DeleteOptions", orphanDependents: false });
  const response = await send(provider, `${PATH}?dryRun=All`, { method: "DELETE", body, headers: JSON_BODY });
  assert.equal(response.status, 202);
  assert.deepEqual(seen, [{ orphanDependents: false }]);
  const wrong = await send(provider, PATH, { method: "DELETE", body: JSON.stringify(STORED), headers: JSON_BODY });
  assert.match((await wrong.json()).message, /^no kind "ConfigMap" is registered for version "v1"/);
});
