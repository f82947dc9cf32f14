import assert from "node:assert/strict";
import { inTempDir } from "../../../tests/support/temp_dir.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { ForwardingBackend } from "../forwarding.ts";
import type { Backend, BackendWatch, Interface, Watcher } from "../interface.ts";
import { SqliteBackend } from "../sqlite/backend.ts";
import { Store } from "../store.ts";
import { Cacher } from "./cacher.ts";

const PREFIX = "/registry/widgets/";
const workerUrl = new URL("../sqlite/writer_entry.ts", import.meta.url);

function widget(name: string, n = 0): KubeObject {
  return { kind: "Widget", apiVersion: "v1", metadata: { name }, n };
}

function storeOver(backend: Backend): Store {
  return new Store(backend, { prefix: PREFIX, attributesOf: () => ({ labels: {}, fields: {} }) });
}

function increase(storage: Interface, name: string) {
  return storage.guaranteedUpdate(PREFIX + name, (object) => ({ object: { ...object, n: object.n as number + 1 } }));
}

function numbers(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

/** Creates that are asked for all at once. */
async function createMany(storage: Interface, from: number, count: number): Promise<void> {
  await Promise.all(numbers(from, count).map((i) => storage.create(`${PREFIX}w${i}`, widget(`w${i}`))));
}

/** How many objects are in memory once it has been loaded, which nothing waits for. */
async function sizeOf(cacher: Cacher): Promise<number | undefined> {
  for (let i = 0; i < 1000 && cacher.size === undefined; i++) await new Promise((resolve) => setTimeout(resolve, 1));
  return cacher.size;
}

function test(title: string, body: (backend: Backend) => Promise<void>, inMemory = false): void {
  Deno.test(title, () =>
    inTempDir(async (dir) => {
      const backend = new SqliteBackend({ path: inMemory ? ":memory:" : `${dir}/state.db`, workerUrl });
      await backend.start();
      try {
        await body(backend);
      } finally {
        await backend.close();
      }
    }));
}

test("a resource is loaded when its objects have been written some times, not at the first", async (backend) => {
  const cacher = new Cacher(backend, storeOver(backend)), key = `${PREFIX}a`;
  await cacher.create(key, widget("a"));
  await increase(cacher, "a");
  assert.equal(cacher.size, undefined);
  for (let i = 0; i < 20; i++) await increase(cacher, "a");
  assert.equal(await sizeOf(cacher), 1);
  assert.equal((await cacher.get(key)).object().n, 21);
  await cacher.delete(key);
  assert.equal(cacher.size, 0);
  cacher.close();
});

test("a resource that is being created is in memory before anybody reads it", async (backend) => {
  const cacher = new Cacher(backend, storeOver(backend));
  await createMany(cacher, 0, 5);
  assert.equal(cacher.size, undefined);
  for (let i = 5; i < 40; i++) await createMany(cacher, i, 1);
  assert.equal(await sizeOf(cacher), 40);
  assert.ok(cacher.getCached(`${PREFIX}w39`));
  cacher.close();
});

test("a large resource is not loaded because of some creates", async (backend) => {
  await createMany(storeOver(backend), 0, 100);
  const cacher = new Cacher(backend, storeOver(backend));
  for (let i = 100; i < 130; i++) await createMany(cacher, i, 1);
  assert.equal(cacher.size, undefined);
  for (let i = 130; i < 300; i++) await createMany(cacher, i, 1);
  assert.equal(await sizeOf(cacher), 300);
  cacher.close();
});

test("objects that expire are not taken into memory when they are created", async (backend) => {
  const cacher = new Cacher(backend, storeOver(backend));
  for (let i = 0; i < 40; i++) await cacher.create(`${PREFIX}w${i}`, widget(`w${i}`), { ttl: 60 });
  assert.equal(cacher.size, undefined);
  cacher.close();
});

test("what nobody reads leaves the memory when it has become much; what was read stays", async (backend) => {
  const cacher = new Cacher(backend, storeOver(backend)), filling = "x".repeat(1_000_000);
  const create = (i: number) => cacher.create(`${PREFIX}w${i}`, { ...widget(`w${i}`), filling });
  for (let i = 0; i < 15; i++) await create(i);
  assert.equal(await sizeOf(cacher), 15);
  for (let i = 15; i < 20; i++) await create(i);
  assert.equal(cacher.size, undefined);
  assert.equal((await cacher.list(PREFIX)).items.length, 20);
  for (let i = 20; i < 24; i++) await create(i);
  assert.equal(cacher.size, 24);
  cacher.close();
}, true);

test("the bytes in memory are those of the objects that there are", async (backend) => {
  const cacher = new Cacher(backend, storeOver(backend));
  await createMany(cacher, 0, 10);
  const sum = async () => (await cacher.list(PREFIX)).items.reduce((bytes, { text }) => bytes + text.length, 0);
  assert.equal(await sum(), cacher.bytes);
  await createMany(cacher, 10, 10);
  for (let i = 0; i < 12; i++) await increase(cacher, "w3");
  await cacher.delete(`${PREFIX}w4`);
  assert.equal(await sum(), cacher.bytes);
  cacher.close();
});

test("others have their turns while a resource is loaded", async (backend) => {
  const store = storeOver(backend);
  for (let i = 0; i < 4000; i += 500) await createMany(store, i, 500);
  const cacher = new Cacher(backend, store);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await cacher.list(PREFIX);
  clearInterval(timer);
  assert.ok(turns > 1, "nothing else was done meanwhile");
  cacher.close();
}, true);

test("single reads and writes do not wait until a resource is loaded", async (backend) => {
  const held = new HeldRanges(backend), cacher = new Cacher(held, storeOver(held));
  await createMany(storeOver(backend), 0, 100);
  for (let i = 0; i < 20; i++) assert.equal((await cacher.get(`${PREFIX}w${i}`)).object().n, 0);
  for (let i = 0; i < 20; i++) await increase(cacher, `w${i}`);
  for (let i = 0; i < 20; i++) assert.equal((await cacher.get(`${PREFIX}w${i}`)).object().n, 1);
  assert.equal(cacher.size, undefined);
  const list = cacher.list(PREFIX);
  held.release();
  assert.equal((await list).items.length, 100);
  for (const i of numbers(0, 20)) assert.equal((cacher.getCached(`${PREFIX}w${i}`))!.object().n, 1);
  cacher.close();
});

test("a resource that cannot be loaded can be read by the object, and is not tried at each", async (backend) => {
  await createMany(storeOver(backend), 0, 20);
  await backend.put(`${PREFIX}broken`, "no object", { expected: 0 });
  const held = new HeldRanges(backend), cacher = new Cacher(held, storeOver(held));
  held.release();
  for (let i = 0; i < 40; i++) assert.equal((await cacher.get(`${PREFIX}w${i % 20}`)).object().n, 0);
  assert.ok(held.ranges <= 4, `it was tried ${held.ranges} times`);
  await assert.rejects(cacher.list(PREFIX));
  cacher.close();
});

test("a cacher that is closed while it loads leaves no watch behind", async (backend) => {
  const held = new HeldRanges(backend), cacher = new Cacher(held, storeOver(held));
  const list = assert.rejects(cacher.list(PREFIX), /closed/);
  await held.asked;
  cacher.close();
  held.release();
  await list;
  assert.equal(held.watching, 0);
  assert.equal(cacher.size, undefined);
});

test("reads, lists and watches are right while a resource is loaded among writes", async (backend) => {
  const COUNT = 1500, store = storeOver(backend), acknowledged = new Map<string, number>();
  for (let i = 0; i < COUNT; i += 500) await createMany(store, i, 500);
  for (const i of numbers(0, COUNT)) acknowledged.set(`w${i}`, 0);
  const cacher = new Cacher(backend, store), { signal, abort } = abortable();
  let loaded = false;
  const write = async (writer: number) => {
    for (let round = 0; !loaded || round < 10; round++) {
      const name = `w${writer + 8 * (round % (COUNT / 8 | 0))}`;
      if (acknowledged.get(name) === undefined) {
        await cacher.create(PREFIX + name, widget(name));
        acknowledged.set(name, 0);
      } else if (round % 5 === 4) {
        await cacher.delete(PREFIX + name);
        acknowledged.delete(name);
      } else {
        acknowledged.set(name, (await increase(cacher, name)).object().n as number);
      }
      const wanted = acknowledged.get(name);
      const found = await cacher.get(PREFIX + name).then((item) => item.object().n, () => undefined);
      assert.equal(found, wanted, `${name} is not as it was left`);
    }
  };
  const writers = numbers(0, 8).map(write);
  const watcher = await cacher.watch(PREFIX, { sendInitialEvents: true, allowWatchBookmarks: true, signal });
  const seen = new Map<string, number>(), watched = follow(watcher, seen);
  loaded = true;
  await Promise.all(writers);
  const { items, revision } = await cacher.list(PREFIX);
  const listed = Object.fromEntries(items.map((item) => [item.key.slice(PREFIX.length), item.object().n]));
  assert.deepEqual(listed, Object.fromEntries(acknowledged));
  assert.deepEqual(items.map(({ text }) => text), (await store.list(PREFIX)).items.map(({ text }) => text));
  assert.equal(revision, await backend.currentRevision());
  await new Promise((resolve) => setTimeout(resolve, 0));
  abort();
  await watched;
  assert.deepEqual(Object.fromEntries([...seen].sort()), Object.fromEntries([...acknowledged].sort()));
  cacher.close();
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** Plays the events of a watch: the state, its end, and changes in the order of their revisions. */
async function follow(watcher: Watcher, state: Map<string, number>): Promise<void> {
  let last: number | undefined;
  for await (const events of watcher) {
    for (const event of events) {
      assert.ok(event.type !== "ERROR");
      if (event.type === "BOOKMARK") {
        last = event.revision;
        continue;
      }
      const { item } = event, name = item.key.slice(PREFIX.length);
      assert.equal(event.type === "ADDED", !state.has(name), `${event.type} of ${name}`);
      if (event.type === "DELETED") state.delete(name);
      else state.set(name, item.object().n as number);
      if (last === undefined) continue;
      assert.ok(item.revision > last, "an event is out of order");
      last = item.revision;
    }
  }
}

/** Answers ranges when it is told to. */
class HeldRanges extends ForwardingBackend {
  readonly #released = Promise.withResolvers<void>();
  readonly #asked = Promise.withResolvers<void>();
  readonly asked = this.#asked.promise;
  ranges = 0;
  watching = 0;

  release(): void {
    this.#released.resolve();
  }

  override async range(...request: Parameters<Backend["range"]>): ReturnType<Backend["range"]> {
    this.ranges++;
    this.#asked.resolve();
    await this.#released.promise;
    return await super.range(...request);
  }

  override watch(...request: Parameters<Backend["watch"]>): BackendWatch {
    const watch = super.watch(...request);
    this.watching++;
    return {
      stop: () => {
        this.watching--;
        watch.stop();
      },
      progress: () => watch.progress(),
    };
  }
}
