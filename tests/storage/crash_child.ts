// Writes as hard as it can until it is killed, and says on its output what it was told and what it saw.
//   A key revision n   the write of value n to key (-1: a delete) was acknowledged
//   W key n            it was sent
//   E revision key n   a watch that resumes where the last process ended saw it
//   R key revision n   the same as A, of a resource with relaxed durability
import { createStorage } from "../../src/storage/mod.ts";
import type { KubeObject } from "../../src/machinery/types.ts";
import { GADGETS, PREFIX, WIDGETS } from "./resources.ts";

const [path, after] = Deno.args;
const WRITERS = 16, KEYS_OF_EACH = 4;

const factory = await createStorage({
  engine: {
    backend: "sqlite",
    path,
    // Far more often than usual, so that a second holds many.
    checkpointPages: 200,
    relaxedDurability: ["gadgets"],
    workerUrl: new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url),
  },
});
const relaxed = factory.forResource(GADGETS);
const { storage } = factory.forResource(WIDGETS);

const encoder = new TextEncoder();
function say(line: string): void {
  const bytes = encoder.encode(line + "\n");
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

function widget(name: string, n: number): KubeObject {
  return {
    kind: "Widget",
    apiVersion: "example.test/v1",
    metadata: { name, uid: `uid-${name}` },
    spec: { n, text: `${name} ${n} `.repeat(n % 60) },
  };
}

async function watch(): Promise<void> {
  const watcher = await storage.watch(PREFIX, { resourceVersion: after, signal: new AbortController().signal });
  let seen = Number(after);
  for await (const batch of watcher) {
    for (const event of batch) {
      if (event.type === "ERROR") throw event.error;
      if (event.type === "BOOKMARK") continue;
      const { key, revision } = event.item;
      const { n, text } = event.item.object().spec;
      const name = key.slice(PREFIX.length);
      if (text !== `${name} ${n} `.repeat(n % 60)) throw new Error(`${key} is torn: ${event.item.text}`);
      say(`E ${revision} ${name} ${event.type === "DELETED" ? -1 : n}`);
      seen = revision;
    }
    if (Math.random() < 0.05) await factory.backend.compact(Math.max(seen - 300, 1)).catch(() => {});
  }
}

async function write(writer: number): Promise<void> {
  for (let i = 0;; i++) {
    const name = `w${writer}-${i % KEYS_OF_EACH}`, key = PREFIX + name;
    const present = await storage.list(key);
    if (present.items.length > 0 && Math.random() < 0.2) {
      say(`W ${name} -1`);
      say(`A ${name} ${(await storage.delete(key)).revision} -1`);
      continue;
    }
    const n = Math.floor(Math.random() * 1e9);
    say(`W ${name} ${n}`);
    const item = present.items.length > 0
      ? await storage.guaranteedUpdate(key, () => ({ object: widget(name, n) }))
      : await storage.create(key, widget(name, n));
    say(`A ${name} ${item.revision} ${n}`);
  }
}

async function writeRelaxed(name: string): Promise<void> {
  while (true) {
    const n = Math.floor(Math.random() * 1e9);
    const item = await relaxed.storage.guaranteedUpdate(
      `/registry/gadgets/${name}`,
      () => ({ object: widget(name, n) }),
      { ignoreNotFound: true },
    );
    say(`R ${name} ${item.revision} ${n}`);
    // Leases are renewed now and then, and others write in between.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  }
}

await Promise.all([
  watch(),
  writeRelaxed("g0"),
  writeRelaxed("g1"),
  ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
]);
