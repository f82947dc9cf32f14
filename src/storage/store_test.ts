// What this process writes it does not read again: the item of a write is the one that its event shows.
import assert from "node:assert/strict";
import { inTempDir } from "../../tests/support/temp_dir.ts";
import type { KubeObject } from "../machinery/types.ts";
import { createEncryption } from "./encryption/mod.ts";
import { createStorage } from "./factory.ts";
import type { Interface } from "./interface.ts";
import type { StoredForm } from "./store.ts";

const PREFIX = "/registry/widgets/";
const WORKER = new URL("./sqlite/writer_entry.ts", import.meta.url);
const ENCRYPTION = JSON.stringify({
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "EncryptionConfiguration",
  resources: [{
    resources: ["widgets"],
    providers: [{ aesgcm: { keys: [{ name: "k", secret: btoa("0123456789abcdef0123456789abcdef") }] } }],
  }],
});
const BYTES: StoredForm = {
  encode: (object) => new TextEncoder().encode(`!${JSON.stringify(object)}`),
  decode: (value) => JSON.parse(new TextDecoder().decode(value.subarray(1))),
  upgrade: () => undefined,
};

interface Way {
  name: string;
  path?: string;
  encrypted?: boolean;
  relaxed?: boolean;
  form?: StoredForm;
}

const WAYS: readonly Way[] = [
  { name: "in a file" },
  { name: "in memory", path: ":memory:" },
  { name: "relaxed", relaxed: true },
  { name: "as bytes", form: BYTES },
  { name: "encrypted", encrypted: true },
  { name: "as bytes, encrypted", encrypted: true, form: BYTES },
];

for (const way of WAYS) {
  Deno.test(`events of this process's own writes are not parsed again (${way.name})`, () =>
    inTempDir(async (dir) => {
      const encryption = way.encrypted ? await createEncryption(ENCRYPTION) : undefined;
      const factory = await createStorage({
        engine: {
          backend: "sqlite",
          path: way.path ?? `${dir}/state.db`,
          workerUrl: WORKER,
          relaxedDurability: way.relaxed ? ["widgets"] : [],
        },
        encryption,
      });
      let read = 0, put = 0;
      const { storage } = factory.forResource({
        prefix: PREFIX,
        resource: { group: "", resource: "widgets" },
        form: way.form,
        attributesOf({ metadata }) {
          read++;
          return { labels: metadata.labels ?? {}, fields: {} };
        },
      });
      try {
        await storage.list(PREFIX);
        const names = Array.from({ length: 20 }, (_, i) => `w${i}`);
        const items = await Promise.all(names.map((name) => storage.create(PREFIX + name, widget(name))));
        put += names.length;
        assert.deepEqual((await storage.list(PREFIX)).items.length, names.length);
        for (const item of items) assert.equal(await storage.get(item.key), item);
        await Promise.all(names.map((name) => increase(storage, name, () => put++)));
        assert.equal(read, put);
        // Writers of one object: whoever is refused reads what was there instead, and nothing else is read.
        let tries = 0;
        await Promise.all(Array.from({ length: 8 }, () => increase(storage, "w0", () => tries++)));
        assert.equal((await storage.get(`${PREFIX}w0`)).object().n, 9);
        const refused = tries - 8;
        assert.equal(read - put, tries + refused);
        await Promise.all(names.map((name) => storage.delete(PREFIX + name)));
        assert.equal(read - put, tries + refused);
      } finally {
        await factory.close();
      }
    }));
}

function widget(name: string): KubeObject {
  return { kind: "Widget", apiVersion: "v1", metadata: { name, uid: name, labels: { app: name } }, n: 0 };
}

function increase(storage: Interface, name: string, onTry: () => void) {
  return storage.guaranteedUpdate(PREFIX + name, (object) => {
    onTry();
    return { object: { ...object, n: object.n as number + 1 } };
  });
}
