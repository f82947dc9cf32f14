import assert from "node:assert/strict";
import { inTempDir } from "../../../tests/support/temp_dir.ts";
import { SqliteBackend } from "../sqlite/backend.ts";
import { Store } from "../store.ts";
import { Cacher } from "./cacher.ts";

const PREFIX = "/registry/widgets/";
const workerUrl = new URL("../sqlite/writer_entry.ts", import.meta.url);

Deno.test("a resource is loaded when its objects have been written some times, not at the first", () =>
  inTempDir(async (dir) => {
    const backend = new SqliteBackend({ path: `${dir}/state.db`, workerUrl });
    await backend.start();
    const attributesOf = () => ({ labels: {}, fields: {} });
    const cacher = new Cacher(backend, new Store(backend, { prefix: PREFIX, attributesOf }));
    const key = `${PREFIX}a`;
    await cacher.create(key, { kind: "Widget", apiVersion: "v1", metadata: { name: "a" }, n: 0 });
    const increase = () =>
      cacher.guaranteedUpdate(key, (object) => ({ object: { ...object, n: object.n as number + 1 } }));
    await increase();
    assert.equal(cacher.size, undefined);
    for (let i = 0; i < 20; i++) await increase();
    assert.equal(cacher.size, 1);
    assert.equal((await cacher.get(key)).object().n, 21);
    await cacher.delete(key);
    assert.equal(cacher.size, 0);
    cacher.close();
    await backend.close();
  }));
