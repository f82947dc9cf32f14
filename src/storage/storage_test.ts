// One suite of storage.Interface against every engine.
import assert from "node:assert/strict";
import { join } from "node:path";
import { StatusError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import {
  createStorage,
  type Interface,
  type Predicate,
  StorageError,
  type StorageFactory,
  type WatchEvent,
} from "./mod.ts";

const workerUrl = new URL("./sqlite/writer_entry.ts", import.meta.url);
const PREFIX = "/registry/things/";

function attributesOf(object: KubeObject) {
  return {
    labels: object.metadata.labels ?? {},
    fields: { "metadata.name": object.metadata.name!, "metadata.namespace": object.metadata.namespace ?? "" },
  };
}

function thing(name: string, more: Record<string, unknown> = {}, labels?: Record<string, string>): KubeObject {
  return { kind: "Thing", apiVersion: "v1", metadata: { name, namespace: "n", uid: `uid-${name}`, labels }, ...more };
}

const key = (name: string) => `${PREFIX}n/${name}`;

function labelled(name: string, value: string): Predicate {
  return { everything: false, matches: ({ labels }) => labels[name] === value, requiresField: () => undefined };
}

async function take(events: AsyncIterable<readonly WatchEvent[]>, count: number): Promise<WatchEvent[]> {
  const got: WatchEvent[] = [];
  for await (const batch of events) {
    got.push(...batch);
    if (got.length >= count) break;
  }
  return got;
}

function shown(events: WatchEvent[]): string[] {
  return events.map((e) =>
    e.type === "BOOKMARK" || e.type === "ERROR" ? e.type : `${e.type} ${e.item.fields["metadata.name"]}`
  );
}

async function withStorage(path: string, test: (storage: Interface, factory: StorageFactory) => Promise<void>) {
  const factory = await createStorage({ backend: "sqlite", path, workerUrl });
  try {
    await test(factory.forResource({ prefix: PREFIX, attributesOf }).storage, factory);
  } finally {
    await factory.close();
  }
}

async function onEveryEngine(
  t: Deno.TestContext,
  name: string,
  test: (storage: Interface, factory: StorageFactory) => Promise<void>,
) {
  const dir = await Deno.makeTempDir();
  for (const path of [join(dir, "state.db"), ":memory:"]) {
    await t.step(`${name} (${path === ":memory:" ? "memory" : "file"})`, () => withStorage(path, test));
  }
  await Deno.remove(dir, { recursive: true });
}

Deno.test("storage.Interface", async (t) => {
  await onEveryEngine(t, "an object is created, read, updated and deleted", async (storage) => {
    const created = await storage.create(key("a"), thing("a", { spec: { n: 1 } }));
    assert.equal(
      created.text,
      `{"kind":"Thing","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"uid-a","resourceVersion":"${created.revision}"},"spec":{"n":1}}`,
    );
    assert.equal(created.text.slice(created.bodyStart, created.bodyStart + 12), '"metadata":{');
    assert.equal((await storage.get(key("a"))).text, created.text);
    const updated = await storage.guaranteedUpdate(key("a"), (object) => {
      object.spec.n = 2;
      return { object };
    });
    assert.ok(updated.revision > created.revision);
    const same = await storage.guaranteedUpdate(key("a"), (object) => ({ object }));
    assert.equal(same.revision, updated.revision);
    const deleted = await storage.delete(key("a"), { preconditions: { uid: "uid-a" } });
    assert.equal(deleted.object().metadata.resourceVersion, String(deleted.revision));
    assert.ok(deleted.revision > updated.revision);
    await assert.rejects(storage.get(key("a")), (e) => e instanceof StorageError && e.code === "KeyNotFound");
  });

  await onEveryEngine(t, "a taken key, a missing one and wrong preconditions are refused", async (storage) => {
    await storage.create(key("a"), thing("a"));
    await assert.rejects(
      storage.create(key("a"), thing("a")),
      (e) => e instanceof StorageError && e.code === "KeyExists",
    );
    await assert.rejects(storage.delete(key("b")), (e) => e instanceof StorageError && e.code === "KeyNotFound");
    await assert.rejects(
      storage.delete(key("a"), { preconditions: { uid: "x" } }),
      /UID in precondition: x, UID in object meta: uid-a/,
    );
  });

  await onEveryEngine(t, "concurrent updates of one object are all counted", async (storage) => {
    await storage.create(key("a"), thing("a", { n: 0 }));
    await Promise.all(
      Array.from(
        { length: 50 },
        () => storage.guaranteedUpdate(key("a"), (object) => ({ object: { ...object, n: object.n + 1 } })),
      ),
    );
    assert.equal((await storage.get(key("a"))).object().n, 50);
  });

  await onEveryEngine(t, "a paged list is one snapshot, whatever is written meanwhile", async (storage) => {
    for (const name of ["a", "b", "c", "d"]) await storage.create(key(name), thing(name));
    const first = await storage.list(PREFIX, { limit: 2 });
    assert.deepEqual(first.items.map((i) => i.fields["metadata.name"]), ["a", "b"]);
    assert.equal(first.remaining, 2);
    await storage.delete(key("c"));
    await storage.create(key("bb"), thing("bb"));
    const second = await storage.list(PREFIX, { limit: 2, continue: first.continue });
    assert.deepEqual(second.items.map((i) => i.fields["metadata.name"]), ["c", "d"]);
    assert.equal(second.revision, first.revision);
    assert.equal(second.continue, undefined);
    const now = await storage.list(PREFIX);
    assert.deepEqual(now.items.map((i) => i.fields["metadata.name"]), ["a", "b", "bb", "d"]);
    const then = await storage.list(PREFIX, { resourceVersion: String(first.revision), resourceVersionMatch: "Exact" });
    assert.deepEqual(then.items.map((i) => i.fields["metadata.name"]), ["a", "b", "c", "d"]);
  });

  await onEveryEngine(t, "a revision that does not exist yet is waited for, then refused", async (storage) => {
    await storage.create(key("a"), thing("a"));
    await assert.rejects(
      storage.list(PREFIX, { resourceVersion: "1000", resourceVersionMatch: "NotOlderThan" }),
      (e) => e instanceof StatusError && e.code === 504,
    );
  });

  await onEveryEngine(t, "watches see state, changes and what leaves a selector's sight", async (storage) => {
    const signal = new AbortController().signal;
    await storage.create(key("a"), thing("a", {}, { color: "red" }));
    const all = await storage.watch(PREFIX, { signal });
    const red = await storage.watch(PREFIX, { signal, predicate: labelled("color", "red") });
    const created = await storage.create(key("b"), thing("b", {}, { color: "red" }));
    await storage.guaranteedUpdate(key("a"), (object) => {
      object.metadata.labels = { color: "blue" };
      return { object };
    });
    await storage.delete(key("b"));
    assert.deepEqual(shown(await take(all, 4)), ["ADDED a", "ADDED b", "MODIFIED a", "DELETED b"]);
    assert.deepEqual(shown(await take(red, 4)), ["ADDED a", "ADDED b", "DELETED a", "DELETED b"]);
    const later = await storage.watch(PREFIX, { signal, resourceVersion: String(created.revision) });
    assert.deepEqual(shown(await take(later, 2)), ["MODIFIED a", "DELETED b"]);
    const streaming = await storage.watch(PREFIX, { signal, sendInitialEvents: true, allowWatchBookmarks: true });
    assert.deepEqual(shown(await take(streaming, 2)), ["ADDED a", "BOOKMARK"]);
  });

  await onEveryEngine(t, "an object with a time to live goes by itself", async (storage) => {
    await storage.create(key("a"), thing("a"), { ttl: 0.05 });
    const watcher = await storage.watch(PREFIX, { signal: AbortSignal.timeout(10_000) });
    // The timer does not hold the process; the wait does.
    const hold = setInterval(() => {}, 1000);
    assert.deepEqual(shown(await take(watcher, 2)), ["ADDED a", "DELETED a"]);
    clearInterval(hold);
  });

  await onEveryEngine(t, "history is there until it is compacted", async (storage, { backend }) => {
    const first = await storage.create(key("a"), thing("a", { n: 1 }));
    for (let n = 2; n < 2200; n++) await storage.guaranteedUpdate(key("a"), (object) => ({ object: { ...object, n } }));
    const signal = new AbortController().signal;
    const old = await storage.watch(PREFIX, { signal, resourceVersion: String(first.revision) });
    assert.equal((await take(old, 2000)).length, 2198);
    const revision = await backend.currentRevision();
    await backend.compact(revision);
    assert.equal(await backend.compactRevision(), revision - 1);
    const expired = await storage.watch(PREFIX, { signal, resourceVersion: String(first.revision) });
    assert.deepEqual(shown(await take(expired, 1)), ["ERROR"]);
    assert.equal((await storage.get(key("a"))).object().n, 2199);
  });
});

Deno.test("objects and revisions outlive the process; a second process and bad files are refused", async () => {
  const dir = await Deno.makeTempDir();
  const path = join(dir, "state.db");
  let revision = 0;
  await withStorage(path, async (storage) => {
    await storage.create(key("a"), thing("a"));
    revision = (await storage.delete(key("a"))).revision;
    await storage.create(key("b"), thing("b"));
    await assert.rejects(createStorage({ backend: "sqlite", path, workerUrl }), /in use by another process/);
  });
  await withStorage(path, async (storage) => {
    assert.deepEqual((await storage.list(PREFIX)).items.map((i) => i.fields["metadata.name"]), ["b"]);
    const watcher = await storage.watch(PREFIX, {
      signal: new AbortController().signal,
      resourceVersion: String(revision - 1),
    });
    assert.deepEqual(shown(await take(watcher, 2)), ["DELETED a", "ADDED b"]);
  });
  const bad = join(dir, "bad.db"), text = "this is no database, but a text that somebody wrote ".repeat(100);
  await Deno.writeTextFile(bad, text);
  await assert.rejects(
    createStorage({ backend: "sqlite", path: bad, workerUrl }),
    /bad\.db is damaged .* left as it is/,
  );
  assert.equal(await Deno.readTextFile(bad), text);
  await assert.rejects(createStorage({ backend: "etcd2", path, workerUrl }), /etcd2 is no longer a supported/);
  await Deno.remove(dir, { recursive: true });
});
