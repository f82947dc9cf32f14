import assert from "node:assert/strict";
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import { configMaps, itemOf } from "../endpoints/testing.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { WatchEvent } from "../storage/interface.ts";
import { EventQueue } from "../storage/event_queue.ts";
import { CrdRegistration } from "./crd_registration.ts";

function crd(name: string, group: string, ...versions: [name: string, served: boolean][]): CustomResourceDefinition {
  return {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name },
    spec: { group, versions: versions.map(([name, served]) => ({ name, served })) },
  } as CustomResourceDefinition;
}

function service(name: string, labels: Record<string, string>): KubeObject {
  const [version, ...group] = name.split(".");
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: { name, labels },
    spec: { group: group.join("."), version },
  };
}

/** A registration over API services that are kept in memory. */
async function registration(present: KubeObject[], ...crds: CustomResourceDefinition[]) {
  const stop = new AbortController(), queue = new EventQueue(stop.signal, () => {}), done: string[] = [];
  const item = (object: KubeObject) => ({ ...itemOf(object), fields: { "metadata.name": object.metadata.name! } });
  const note = (what: string, object: KubeObject, type: WatchEvent["type"]) => {
    done.push(`${what} ${object.metadata.name}`);
    queue.push({ type, item: item(object) } as WatchEvent);
    return Promise.resolve();
  };
  const made = new CrdRegistration({
    apiServices: configMaps({
      list: () => Promise.resolve({ items: present.map(item), revision: 1 }),
      watch: () => Promise.resolve(queue),
    }),
    create: (object) => note("create", object, "ADDED"),
    update: (object) => note("update", object, "MODIFIED"),
    delete: (name) => note("delete", service(name, {}), "DELETED"),
    onError: (name, error) => assert.fail(`${name}: ${error}`),
  });
  for (const each of crds) made.changed(each);
  await made.start(Promise.resolve(), stop.signal);
  const settled = async (): Promise<string[]> => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 0));
    return done.splice(0).sort();
  };
  return { made, settled, stop: () => stop.abort() };
}

Deno.test("group versions have an API service as long as a definition serves them", async () => {
  const { made, settled, stop } = await registration([
    service("v9.example.com", { "kube-aggregator.kubernetes.io/automanaged": "true" }),
    service("v8.example.com", {}),
    service("v1.apps", { "kube-aggregator.kubernetes.io/automanaged": "onstart" }),
  ], crd("a.example.com", "example.com", ["v1", true], ["v2", false]));
  assert.deepEqual(await settled(), ["create v1.example.com", "delete v9.example.com"]);
  made.changed(crd("b.example.com", "example.com", ["v1", true], ["v2", true]));
  assert.deepEqual(await settled(), ["create v2.example.com"]);
  made.deleted("a.example.com");
  assert.deepEqual(await settled(), []);
  made.changed(crd("b.example.com", "example.com", ["v1", false], ["v2", true]));
  assert.deepEqual(await settled(), ["delete v1.example.com"]);
  stop();
});

Deno.test("one that is changed is put right, one that somebody took over is not", async () => {
  const { settled, stop } = await registration([
    service("v1.example.com", { "kube-aggregator.kubernetes.io/automanaged": "true" }),
    service("v2.example.com", {}),
  ], crd("a.example.com", "example.com", ["v1", true], ["v2", true]));
  assert.deepEqual(await settled(), ["update v1.example.com"]);
  stop();
});
