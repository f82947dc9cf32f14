// kill -9 under a load of writes: whatever was acknowledged is there after the restart, and nothing is half there.
import assert from "node:assert/strict";
import { freePort, startServer } from "./support/server.ts";

/** Few by default; KUBELITH_CRASH_ROUNDS=20 and more by hand. */
const ROUNDS = Number(Deno.env.get("KUBELITH_CRASH_ROUNDS") ?? "2");
const WRITERS = 8;
const COLLECTION = "/api/v1/namespaces/default/configmaps";

interface ConfigMapList {
  items: { metadata: { name: string }; data: Record<string, string> }[];
}

Deno.test("acknowledged objects outlive kill -9", async () => {
  const port = await freePort();
  let server = await startServer({ port });
  const { dir } = server;
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const enough = Promise.withResolvers<void>();
    let count = 0;
    const write = async (writer: number) => {
      for (let n = 0;; n++) {
        const name = `r${round}-w${writer}-${n}`, data = { value: crypto.randomUUID(), again: name };
        try {
          await server.json("POST", COLLECTION, { metadata: { name }, data });
          acknowledged.set(name, data.value);
          if (++count === 150 + 37 * round) enough.resolve();
        } catch {
          return;
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, i) => write(i));
    await enough.promise;
    server.kill("SIGKILL");
    await server.exited;
    await Promise.all(writers);
    await server.stop({ keepDir: true });
    server = await startServer({ dir, port });
    const { items } = await server.json<ConfigMapList>("GET", COLLECTION);
    const found = new Map(items.map(({ metadata, data }) => [metadata.name, data]));
    for (const [name, value] of acknowledged) assert.equal(found.get(name)?.value, value, `${name} is lost`);
    for (const [name, data] of found) if (data.again !== undefined) assert.equal(data.again, name);
  }
  await server.stop();
});
