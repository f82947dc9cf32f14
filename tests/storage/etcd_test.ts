// A cluster of three etcd members with two processes over it: one member is killed under load, then one process.
// Runs where there is an etcd ($ETCD, or on the PATH).
import assert from "node:assert/strict";
import { createStorage, type Interface, type StorageFactory, type Watcher } from "../../src/storage/mod.ts";
import { type Cluster, killProcess, program, withCluster } from "../support/etcd.ts";
import { PREFIX, WIDGETS } from "./resources.ts";

async function open(servers: string[]): Promise<{ factory: StorageFactory; storage: Interface }> {
  const engine = { backend: "etcd3", servers, overrides: [], prefix: "/registry", leaseReuseSeconds: 60 } as const;
  const factory = await createStorage({ engine });
  return { factory, storage: factory.forResource(WIDGETS).storage };
}

/** Counts an object up until told to stop; gives the last number that was acknowledged. */
async function countUp(storage: Interface, name: string, stop: () => boolean): Promise<number> {
  const key = PREFIX + name;
  let n = 0;
  const widget = () => ({ kind: "Widget", apiVersion: "v1", metadata: { name, uid: name }, spec: { n } });
  await storage.create(key, widget());
  while (!stop()) {
    n++;
    await storage.guaranteedUpdate(key, ({ spec }) => {
      assert.equal(spec.n, n - 1, "an update was lost, or was done twice");
      return { object: widget() };
    });
  }
  return n;
}

/** Reads a watch and gives the numbers that it saw, by name. */
async function follow(watcher: Watcher): Promise<Map<string, number[]>> {
  const seen = new Map<string, number[]>();
  for await (const batch of watcher) {
    for (const event of batch) {
      assert.ok("item" in event, JSON.stringify(event));
      const { metadata, spec } = event.item.object();
      seen.set(metadata.name!, [...seen.get(metadata.name!) ?? [], spec.n]);
    }
  }
  return seen;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Kills one member after the other under load; every acknowledged write is there, and every watch saw each once. */
async function killUnderLoad({ servers, members }: Cluster): Promise<void> {
  const first = await open(servers), second = await open([...servers].reverse());
  const abort = new AbortController();
  const watchers = [first, second].map(({ storage }) => storage.watch(PREFIX, { signal: abort.signal }));
  const watches = (await Promise.all(watchers)).map(follow);
  let stop = false;
  const names = ["a", "b", "c", "d"];
  const counting = names.map((name, i) => countUp((i % 2 === 0 ? first : second).storage, name, () => stop));
  await pause(300);
  for (const member of members) {
    await killProcess(member.process);
    await pause(1500);
    member.process = await member.restart();
    await pause(1500);
  }
  stop = true;
  const counts = await Promise.all(counting);
  // The watches have nothing more to come once they have seen the last write of each.
  const end = { kind: "Widget", apiVersion: "v1", metadata: { name: "end", uid: "end" }, spec: { n: 0 } };
  const last = await first.storage.create(`${PREFIX}end`, end);
  while ((await second.storage.list(PREFIX)).revision < last.revision) await pause(20);
  await pause(300);
  abort.abort();
  for (const watch of watches) {
    const seen = await watch;
    for (const [i, name] of names.entries()) {
      assert.ok(counts[i] > 10, `${name} was counted up to ${counts[i]} only`);
      assert.deepEqual(seen.get(name), Array.from({ length: counts[i] + 1 }, (_, n) => n), "each event once");
    }
  }
  await first.factory.close();
  assert.equal((await second.storage.get(`${PREFIX}a`)).object().spec.n, counts[0]);
  await second.factory.close();
}

const CLUSTERS = [
  { size: 3, name: "clients carry on when a member dies and comes back, and when the other process goes" },
  { size: 1, name: "clients carry on when the only etcd is stopped and started under load" },
];

for (const { size, name } of CLUSTERS) {
  Deno.test({
    name,
    ignore: program === undefined,
    sanitizeResources: false,
    sanitizeOps: false,
    fn: () => withCluster(size, killUnderLoad),
  });
}

Deno.test({
  name: "an etcd that does not answer makes errors, and none any more once it is back",
  ignore: program === undefined,
  sanitizeResources: false,
  sanitizeOps: false,
  fn: () =>
    withCluster(1, async ({ servers, members }) => {
      const { factory, storage } = await open(servers);
      const widget = (name: string) => ({ kind: "Widget", apiVersion: "v1", metadata: { name, uid: name } });
      await storage.create(`${PREFIX}a`, widget("a"));
      await storage.list(PREFIX);
      await killProcess(members[0].process);
      await assert.rejects(factory.healthy(300), /etcd cannot be reached at http:/);
      // From memory, for who takes any state.
      assert.equal((await storage.list(PREFIX, { resourceVersion: "0" })).items.length, 1);
      const write = storage.create(`${PREFIX}b`, widget("b"));
      await pause(500);
      members[0].process = await members[0].restart();
      await write;
      assert.equal((await storage.list(PREFIX)).items.length, 2);
      await factory.healthy(2000);
      await factory.close();
    }),
});
