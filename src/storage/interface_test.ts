// One suite for storage.Interface, run against every way of storing.
import assert from "node:assert/strict";
import { hasReason, StatusError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import { type Interface, type Item, type Predicate, StorageError, type Watcher, type WatchEvent } from "./interface.ts";
import { PREFIX, storageTest } from "./testing.ts";

function widget(name: string, more: Partial<KubeObject> = {}): KubeObject {
  const { metadata, ...rest } = more;
  return {
    kind: "Widget",
    apiVersion: "example.test/v1",
    metadata: { name, namespace: "ns", uid: `uid-${name}`, ...metadata },
    ...rest,
  };
}

function key(name: string, namespace = "ns"): string {
  return `${PREFIX}${namespace}/${name}`;
}

function create(storage: Interface, name: string, more?: Partial<KubeObject>): Promise<Item> {
  return storage.create(key(name, more?.metadata?.namespace ?? "ns"), widget(name, more));
}

function setSpec(storage: Interface, name: string, spec: Record<string, unknown>): Promise<Item> {
  return storage.guaranteedUpdate(key(name), (object) => ({ object: { ...object, spec } }));
}

function withLabel(label: string, value: string): Predicate {
  return { everything: false, matches: ({ labels }) => labels[label] === value, requiresField: () => undefined };
}

function withField(field: string, value: string): Predicate {
  return {
    everything: false,
    matches: ({ fields }) => fields[field] === value,
    requiresField: (name) => name === field ? value : undefined,
  };
}

function isStorageError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof StorageError && error.code === code;
}

/** Reads exactly so many events. */
async function take(watcher: Watcher, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  if (count > 0) {
    for await (const batch of watcher) {
      events.push(...batch);
      if (events.length >= count) break;
    }
  }
  watcher.stop();
  return events;
}

/** `ADDED a`, or the type alone. */
function summary(events: readonly WatchEvent[]): string[] {
  return events.map((e) => "item" in e ? `${e.type} ${e.item.key.slice(PREFIX.length)}` : e.type);
}

function names(items: readonly Item[]): string[] {
  return items.map((item) => item.key.slice(item.key.lastIndexOf("/") + 1));
}

const signal = new AbortController().signal;

storageTest("create answers ready JSON with the resourceVersion behind the uid", async ({ storage }) => {
  const item = await create(storage, "a", { spec: { x: 1 } });
  assert.equal(
    item.text,
    '{"kind":"Widget","apiVersion":"example.test/v1","metadata":{"name":"a","namespace":"ns","uid":"uid-a",' +
      `"resourceVersion":"${item.revision}"},"spec":{"x":1}}`,
  );
  assert.equal(
    "{" + item.text.slice(item.bodyStart),
    JSON.stringify({ metadata: item.object().metadata, spec: { x: 1 } }),
  );
  assert.deepEqual(item.fields["metadata.name"], "a");
  const got = await storage.get(key("a"));
  assert.equal(got.text, item.text);
  assert.deepEqual(storage.getCached?.(key("a")) ?? got, got);
});

storageTest("create refuses a key that is taken and an object with a resourceVersion", async ({ storage }) => {
  await create(storage, "a");
  await assert.rejects(create(storage, "a"), isStorageError("KeyExists"));
  await assert.rejects(
    create(storage, "b", { metadata: { resourceVersion: "5" } }),
    (e) => e instanceof StatusError && e.message === "resourceVersion should not be set on objects to be created",
  );
});

storageTest("get of nothing is KeyNotFound, of a future revision too large", async ({ storage }) => {
  await assert.rejects(storage.get(key("a")), isStorageError("KeyNotFound"));
  const { revision } = await create(storage, "a");
  assert.equal((await storage.get(key("a"), { resourceVersion: String(revision) })).revision, revision);
  assert.equal((await storage.get(key("a"), { resourceVersion: "0" })).revision, revision);
  await assert.rejects(
    storage.get(key("a"), { resourceVersion: String(revision + 1000) }),
    (e) => hasReason(e, "Timeout") && e.message.startsWith("Timeout: Too large resource version"),
  );
  await assert.rejects(
    storage.get(key("a"), { resourceVersion: "abc" }),
    /^StatusError: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax$/,
  );
});

storageTest("an update writes once, and not at all when nothing changes", async ({ storage }) => {
  const created = await create(storage, "a", { spec: { x: 1 } });
  const updated = await setSpec(storage, "a", { x: 2 });
  assert.ok(updated.revision > created.revision);
  assert.deepEqual((await storage.get(key("a"))).object().spec, { x: 2 });
  const same = await setSpec(storage, "a", { x: 2 });
  assert.equal(same.revision, updated.revision);
  assert.equal(await storage.currentRevision(), updated.revision);
});

storageTest("updates of one object at the same time all count", async ({ storage }) => {
  await create(storage, "a", { spec: { n: 0 } });
  const add = () =>
    storage.guaranteedUpdate(key("a"), (object) => ({ object: { ...object, spec: { n: object.spec.n + 1 } } }));
  await Promise.all(Array.from({ length: 30 }, add));
  assert.deepEqual((await storage.get(key("a"))).object().spec, { n: 30 });
});

storageTest("an update of nothing is KeyNotFound, or a create with ignoreNotFound", async ({ storage }) => {
  await assert.rejects(setSpec(storage, "a", {}), isStorageError("KeyNotFound"));
  const item = await storage.guaranteedUpdate(key("a"), (object, found) => {
    assert.deepEqual(object, { kind: "", apiVersion: "", metadata: {} });
    assert.equal(found, undefined);
    return { object: widget("a") };
  }, { ignoreNotFound: true });
  assert.equal((await storage.get(key("a"))).revision, item.revision);
});

storageTest("an error of the update function refuses the update", async ({ storage }) => {
  await create(storage, "a");
  const update = storage.guaranteedUpdate(key("a"), () => {
    throw new TypeError("no");
  });
  await assert.rejects(update, TypeError);
});

storageTest("preconditions compare uid and resourceVersion", async ({ storage }) => {
  const { revision } = await create(storage, "a");
  for (
    const preconditions of [{ uid: "other" }, { resourceVersion: "1" }, { uid: "uid-a", resourceVersion: "1" }]
  ) {
    const update = storage.guaranteedUpdate(key("a"), (object) => ({ object }), { preconditions });
    await assert.rejects(update, isStorageError("InvalidObject"));
    await assert.rejects(storage.delete(key("a"), { preconditions }), isStorageError("InvalidObject"));
  }
  const good = { uid: "uid-a", resourceVersion: String(revision) };
  await storage.delete(key("a"), { preconditions: good });
});

storageTest("delete answers the object at the revision of the deletion", async ({ storage }) => {
  const created = await create(storage, "a", { spec: { x: 1 } });
  await assert.rejects(
    storage.delete(key("a"), {
      validate: () => {
        throw new TypeError("no");
      },
    }),
    TypeError,
  );
  const deleted = await storage.delete(key("a"));
  assert.ok(deleted.revision > created.revision);
  assert.equal(deleted.object().metadata.resourceVersion, String(deleted.revision));
  assert.deepEqual(deleted.object().spec, { x: 1 });
  await assert.rejects(storage.get(key("a")), isStorageError("KeyNotFound"));
  await assert.rejects(storage.delete(key("a")), isStorageError("KeyNotFound"));
});

storageTest("a dry run does everything but the write", async ({ storage, tries }) => {
  const dryRun = true;
  const object = widget("a");
  assert.deepEqual(await tries.create(key("a"), object, { dryRun }), { object });
  await assert.rejects(storage.get(key("a")), isStorageError("KeyNotFound"));
  const { revision } = await create(storage, "a");
  await assert.rejects(tries.create(key("a"), widget("a"), { dryRun }), isStorageError("KeyExists"));
  const update = (current: KubeObject) => ({ object: { ...current, spec: { x: 1 } } });
  const updated = await tries.guaranteedUpdate(key("a"), update, { dryRun });
  assert.ok("object" in updated);
  assert.deepEqual(updated.object.spec, { x: 1 });
  assert.equal(updated.object.metadata.resourceVersion, String(revision));
  await assert.rejects(
    async () => await tries.guaranteedUpdate(key("a"), update, { dryRun, preconditions: { uid: "other" } }),
    (error: Error) => error.message.includes(`Key: ${key("a").replace("/registry", "")}, `),
  );
  await tries.delete(key("a"), { dryRun });
  assert.equal((await storage.get(key("a"))).revision, revision);
  assert.equal(await storage.currentRevision(), revision);
});

storageTest("a list is ordered, under its prefix only, and at the newest revision", async ({ storage }) => {
  for (const name of ["b", "a.b", "a", "a-b"]) await create(storage, name);
  const last = await create(storage, "x", { metadata: { namespace: "ns-2" } });
  const list = await storage.list(`${PREFIX}ns/`);
  assert.deepEqual(names(list.items), ["a", "a-b", "a.b", "b"]);
  assert.equal(list.revision, last.revision);
  assert.equal(list.continue, undefined);
  assert.equal(await storage.count(PREFIX), 5);
  assert.equal(await storage.count(`${PREFIX}ns/`), 4);
  assert.deepEqual(names((await storage.list(key("a"))).items), ["a"]);
  assert.deepEqual(names((await storage.list(key("none"))).items), []);
});

storageTest("pages are one snapshot, whatever is written meanwhile", async ({ storage }) => {
  for (let i = 0; i < 7; i++) await create(storage, `n${i}`);
  const first = await storage.list(PREFIX, { limit: 3 });
  assert.deepEqual(names(first.items), ["n0", "n1", "n2"]);
  assert.equal(first.remaining, 4);
  await storage.delete(key("n3"));
  await setSpec(storage, "n4", { new: true });
  await create(storage, "n4a");
  const second = await storage.list(PREFIX, { limit: 3, continue: first.continue });
  assert.deepEqual(names(second.items), ["n3", "n4", "n5"]);
  assert.equal(second.items[1].object().spec, undefined);
  assert.equal(second.revision, first.revision);
  assert.equal(second.remaining, 1);
  // More changes than the cache remembers.
  for (let i = 0; i < 40; i++) await setSpec(storage, "n4", { i });
  const third = await storage.list(PREFIX, { limit: 3, continue: second.continue });
  assert.deepEqual(names(third.items), ["n6"]);
  assert.equal(third.continue, undefined);
  const again = await storage.list(PREFIX, { limit: 3, continue: first.continue });
  assert.deepEqual(again.items.map((item) => item.text), second.items.map((item) => item.text));
});

storageTest("a page with a selector does not know what remains", async ({ storage }) => {
  for (let i = 0; i < 6; i++) await create(storage, `n${i}`, { metadata: { labels: { odd: String(i % 2) } } });
  const first = await storage.list(PREFIX, { limit: 2, predicate: withLabel("odd", "1") });
  assert.deepEqual(names(first.items), ["n1", "n3"]);
  assert.equal(first.remaining, undefined);
  const options = { limit: 2, predicate: withLabel("odd", "1"), continue: first.continue };
  assert.deepEqual(names((await storage.list(PREFIX, options)).items), ["n5"]);
});

storageTest("a list by an indexed field sees every change of it", async ({ storage }) => {
  for (let i = 0; i < 6; i++) await create(storage, `p${i}`, { spec: { nodeName: `n${i % 2}` } });
  await create(storage, "other", { metadata: { namespace: "other" }, spec: { nodeName: "n1" } });
  const on = (node: string, options = {}) =>
    storage.list(PREFIX, { predicate: withField("spec.nodeName", node), ...options });
  assert.deepEqual(names((await on("n1")).items), ["p1", "p3", "p5", "other"]);
  await setSpec(storage, "p1", { nodeName: "n0" });
  await storage.delete(key("p3"));
  await create(storage, "p9");
  await setSpec(storage, "p9", { nodeName: "n1" });
  const first = await on("n1", { limit: 2 });
  assert.deepEqual(names(first.items), ["p5", "p9"]);
  assert.equal(first.remaining, undefined);
  assert.deepEqual(names((await on("n1", { limit: 2, continue: first.continue })).items), ["other"]);
  assert.deepEqual(names((await on("n0", { resourceVersion: "0" })).items), ["p0", "p1", "p2", "p4"]);
  assert.deepEqual((await on("n7")).items, []);
});

storageTest("lists at resource versions", async ({ storage }) => {
  await create(storage, "a");
  const { revision } = await create(storage, "b");
  await create(storage, "c");
  await storage.delete(key("a"));
  const at = { resourceVersion: String(revision) };
  const exact = await storage.list(PREFIX, { ...at, resourceVersionMatch: "Exact" });
  assert.deepEqual(names(exact.items), ["a", "b"]);
  assert.equal(exact.revision, revision);
  assert.deepEqual(names((await storage.list(PREFIX, { ...at, limit: 1 })).items), ["a"]);
  const notOlder = await storage.list(PREFIX, { ...at, resourceVersionMatch: "NotOlderThan" });
  assert.deepEqual(names(notOlder.items), ["b", "c"]);
  assert.deepEqual(names((await storage.list(PREFIX, { resourceVersion: "0", limit: 1 })).items), ["b", "c"]);
  await assert.rejects(
    storage.list(PREFIX, { resourceVersion: "9000000", resourceVersionMatch: "Exact" }),
    (e) => hasReason(e, "Timeout") && e.message.startsWith("Timeout: Too large resource version: 9000000, current: "),
  );
  await assert.rejects(storage.list(PREFIX, { resourceVersion: "x" }), (e) => hasReason(e, "BadRequest"));
});

storageTest("compacted history is Expired; a paged list may go on inconsistently", async ({ storage, factory }) => {
  for (const name of ["a", "b", "c"]) await create(storage, name);
  const first = await storage.list(PREFIX, { limit: 1 });
  await setSpec(storage, "b", { i: 1 });
  await factory.backend.compact(await storage.currentRevision());
  while (await factory.backend.compactRevision() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const at = String(first.revision);
  await assert.rejects(
    storage.list(PREFIX, { resourceVersion: at, resourceVersionMatch: "Exact" }),
    (e) => hasReason(e, "Expired") && e.message === "The resourceVersion for the provided list is too old.",
  );
  const expired = await storage.list(PREFIX, { continue: first.continue, limit: 1 }).then(
    () => assert.fail("must be expired"),
    (e) => e as StatusError,
  );
  assert.equal(expired.code, 410);
  const token = expired.status.metadata.continue as string;
  assert.deepEqual(names((await storage.list(PREFIX, { continue: token, limit: 1 })).items), ["b"]);
  // A watch cache may know more than storage does, for some time.
  for (let i = 0; i < 40; i++) await setSpec(storage, "b", { i });
  await factory.backend.compact(await storage.currentRevision());
  const watcher = await storage.watch(PREFIX, { resourceVersion: at, signal });
  const [event] = await take(watcher, 1);
  assert.ok(event.type === "ERROR" && hasReason(event.error, "Expired"));
});

storageTest("a watch begins with the state, then tells every change", async ({ storage }) => {
  await create(storage, "a");
  await create(storage, "x", { metadata: { namespace: "other" } });
  const watcher = await storage.watch(`${PREFIX}ns/`, { signal });
  await create(storage, "b");
  await create(storage, "y", { metadata: { namespace: "other" } });
  await setSpec(storage, "a", { x: 1 });
  const deleted = await storage.delete(key("a"));
  const events = await take(watcher, 4);
  assert.deepEqual(summary(events), ["ADDED ns/a", "ADDED ns/b", "MODIFIED ns/a", "DELETED ns/a"]);
  assert.ok(events[3].type === "DELETED");
  assert.equal(events[3].item.text, deleted.text);
});

storageTest("a watch resumes from a revision, remembered or not", async ({ storage }) => {
  const { revision } = await create(storage, "a");
  for (let i = 0; i < 40; i++) await setSpec(storage, "a", { i });
  const early = await storage.watch(PREFIX, { resourceVersion: String(revision), signal });
  const late = await storage.watch(PREFIX, { resourceVersion: String(revision + 38), signal });
  await storage.delete(key("a"));
  const all = await take(early, 41);
  assert.deepEqual(summary(all), [...Array(40).fill("MODIFIED ns/a"), "DELETED ns/a"]);
  assert.deepEqual(
    all.map((e) => "item" in e ? e.item.revision : 0),
    Array.from({ length: 41 }, (_, i) => revision + 1 + i),
  );
  assert.deepEqual(summary(await take(late, 3)), ["MODIFIED ns/a", "MODIFIED ns/a", "DELETED ns/a"]);
});

storageTest("a watch from the future is silent until then", async ({ storage }) => {
  const { revision } = await create(storage, "a");
  const watcher = await storage.watch(PREFIX, { resourceVersion: String(revision + 1), signal });
  await create(storage, "b");
  await create(storage, "c");
  assert.deepEqual(summary(await take(watcher, 1)), ["ADDED ns/c"]);
});

storageTest("selectors turn changes into additions and deletions", async ({ storage }) => {
  const labels = await storage.watch(PREFIX, { predicate: withLabel("app", "x"), signal });
  const fields = await storage.watch(PREFIX, { predicate: withField("spec.nodeName", "n1"), signal });
  await create(storage, "a", { metadata: { labels: { app: "x" } } });
  await create(storage, "b");
  await setSpec(storage, "a", { nodeName: "n1" });
  const changed = await storage.guaranteedUpdate(key("a"), (object) => {
    object.metadata.labels = { app: "y" };
    return { object };
  });
  await setSpec(storage, "a", { nodeName: "n2" });
  const byLabel = await take(labels, 3);
  assert.deepEqual(summary(byLabel), ["ADDED ns/a", "MODIFIED ns/a", "DELETED ns/a"]);
  const left = byLabel[2] as Extract<WatchEvent, { item: Item }>;
  assert.deepEqual(left.item.object().metadata.labels, { app: "x" });
  assert.equal(left.item.revision, changed.revision);
  assert.deepEqual(summary(await take(fields, 3)), ["ADDED ns/a", "MODIFIED ns/a", "DELETED ns/a"]);
});

storageTest("one object is watched by its key", async ({ storage }) => {
  await create(storage, "a");
  await create(storage, "ab");
  const watcher = await storage.watch(key("a"), { signal });
  await setSpec(storage, "ab", { x: 1 });
  await setSpec(storage, "a", { x: 1 });
  assert.deepEqual(summary(await take(watcher, 2)), ["ADDED ns/a", "MODIFIED ns/a"]);
});

storageTest("sendInitialEvents ends the state with a bookmark", async ({ storage }) => {
  const { revision } = await create(storage, "a");
  const options = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", signal } as const;
  for (const resourceVersion of ["", "0", String(revision)]) {
    const watcher = await storage.watch(PREFIX, { ...options, resourceVersion, allowWatchBookmarks: true });
    const events = await take(watcher, 2);
    assert.deepEqual(summary(events), ["ADDED ns/a", "BOOKMARK"]);
    assert.deepEqual(events[1], { type: "BOOKMARK", revision, initialEventsEnd: true });
  }
  const without = await storage.watch(PREFIX, { ...options, sendInitialEvents: false });
  await create(storage, "b");
  assert.deepEqual(summary(await take(without, 1)), ["ADDED ns/b"]);
});

storageTest("an aborted watch ends", async ({ storage }) => {
  const abort = new AbortController();
  const watcher = await storage.watch(PREFIX, { signal: abort.signal });
  setTimeout(() => abort.abort(), 1);
  for await (const _ of watcher) assert.fail("nothing happened");
});

storageTest("a time to live runs out, unless an update prolongs it", async ({ storage }) => {
  await storage.create(key("short"), widget("short"), { ttl: 1 });
  await storage.create(key("long"), widget("long"), { ttl: 1 });
  await storage.create(key("kept"), widget("kept"), { ttl: 1 });
  await storage.guaranteedUpdate(key("long"), (object) => ({ object: { ...object, spec: { x: 1 } }, ttl: 100 }));
  await storage.guaranteedUpdate(key("kept"), (object) => ({ object: { ...object, spec: { x: 1 } }, ttl: 0 }));
  const watcher = await storage.watch(PREFIX, { sendInitialEvents: false, signal });
  assert.deepEqual(summary(await take(watcher, 1)), ["DELETED ns/short"]);
  assert.deepEqual(names((await storage.list(PREFIX)).items), ["kept", "long"]);
});

storageTest("an acknowledged write is in the next read", async ({ storage }) => {
  await storage.list(PREFIX);
  await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    const item = await create(storage, `n${i}`);
    assert.equal((await storage.get(key(`n${i}`))).revision, item.revision);
    const list = await storage.list(PREFIX);
    assert.ok(list.items.some((found) => found.revision === item.revision));
    assert.ok(list.revision >= item.revision);
  }));
});
