// A whole database moves from SQLite to etcd and back. Runs where there is an etcd ($ETCD, or on the PATH).
import assert from "node:assert/strict";
import type { GroupResource } from "../../src/machinery/types.ts";
import { createEncryption, type Encryption } from "../../src/storage/encryption/mod.ts";
import { Connection } from "../../src/storage/etcd3/connection.ts";
import { METHODS } from "../../src/storage/etcd3/messages.ts";
import { Keyspace } from "../../src/storage/etcd3/keyspace.ts";
import { startEtcd } from "../../src/storage/etcd3/testing.ts";
import { DatabaseFileError } from "../../src/storage/mod.ts";
import type { SqliteBackend } from "../../src/storage/sqlite/backend.ts";
import { checkDatabaseFile } from "../../src/storage/sqlite/check.ts";
import { exportEtcd } from "../../src/storage/transfer/export_etcd.ts";
import { importEtcd } from "../../src/storage/transfer/import_etcd.ts";
import { Recoder } from "../../src/storage/transfer/recoder.ts";
import { inTempDir } from "../support/temp_dir.ts";
import { withBackend } from "./with_backend.ts";

const url = await startEtcd();

const PROTOBUF = Uint8Array.of(0x6b, 0x38, 0x73, 0, 10, 1);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const resourceOf = (key: string): GroupResource => ({ group: "", resource: key.split("/")[2] });

function transferTest(name: string, body: (dir: string, keyspace: Keyspace, prefix: string) => Promise<void>): void {
  Deno.test({
    name,
    ignore: url === undefined,
    sanitizeResources: false,
    sanitizeOps: false,
    fn: () =>
      inTempDir(async (dir) => {
        const prefix = `/${crypto.randomUUID()}`;
        const keyspace = new Keyspace({ servers: [url!], prefix, leaseReuseSeconds: 60 });
        try {
          await body(dir, keyspace, prefix);
        } finally {
          keyspace.close();
        }
      }),
  });
}

/** 300 objects, some written twice, one deleted, one that expires, one in protobuf, and keys of the server itself. */
async function fill(backend: SqliteBackend): Promise<void> {
  const keys = Array.from({ length: 300 }, (_, i) => `/registry/configmaps/ns/c${i}`);
  const results = await Promise.all(keys.map((key, i) => backend.put(key, `{"n":${i}}`, { expected: 0 })));
  const first = results[0], second = results[1];
  assert.ok(first.ok && second.ok);
  await backend.put(keys[0], '{"n":"again"}', { expected: first.revision });
  await backend.delete(keys[1], { expected: second.revision });
  await backend.put("/registry/events/ns/e", '{"event":1}', { expected: 0, ttl: 3600 });
  await backend.put("/registry/pods/ns/p", PROTOBUF, { expected: 0 });
  await backend.put("/registry/masterleases/10.0.0.1", "{}", { expected: 0 });
}

function plain(from: string, to: string): Recoder {
  return new Recoder({ resourceOf, from, to });
}

async function contents(keyspace: Keyspace): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { key, value } of keyspace.entries()) found.set(key, text(value));
  return found;
}

transferTest(
  "everything is in etcd, also while the server runs, and back in a new file",
  async (dir, keyspace, prefix) => {
    const path = `${dir}/state.db`, shares: number[] = [];
    const options = {
      recoder: plain("/registry", prefix),
      progress: (done: number) => shares.push(done),
      replace: false,
    };
    await withBackend(path, async (backend) => {
      await fill(backend);
      assert.deepEqual(await exportEtcd(path, keyspace, options), { objects: 301, unchanged: 0, removed: 0 });
    });
    assert.equal(shares.at(-1), 1);
    assert.ok(shares.every((share, i) => i === 0 || share >= shares[i - 1]), "progress goes back");
    const found = await contents(keyspace);
    assert.equal(found.size, 301);
    assert.equal(found.get("/registry/configmaps/ns/c0"), '{"n":"again"}');
    assert.equal(found.get("/registry/pods/ns/p"), text(PROTOBUF));
    assert.equal(found.has("/registry/masterleases/10.0.0.1"), false);
    const back = `${dir}/back.db`, revision = await keyspace.revision();
    const importing = { recoder: plain(prefix, "/registry"), progress: () => {}, replace: false };
    const { objects, skipped, ...rest } = await importEtcd(keyspace, back, importing);
    assert.deepEqual([objects, skipped, rest.revision], [301, 0, revision]);
    assert.deepEqual((await checkDatabaseFile(back, () => {})).problems, []);
    await withBackend(back, async (backend) => {
      for await (const entry of keyspace.entries()) {
        const there = await backend.get(entry.key);
        assert.equal(there?.revision, entry.revision);
        assert.equal(typeof there!.value === "string" ? there!.value : text(there!.value), text(entry.value));
      }
      assert.equal(
        (await backend.put("/registry/a/new", "{}", { expected: 0 }) as { revision: number }).revision,
        revision + 1,
      );
    });
    await assert.rejects(
      importEtcd(keyspace, back, importing),
      (e) => e instanceof DatabaseFileError && /exists/.test(e.message),
    );
    const { replaced } = await importEtcd(keyspace, back, { ...importing, replace: true });
    assert.ok(replaced !== undefined && (await checkDatabaseFile(replaced, () => {})).objects === 302);
  },
);

transferTest("keys that one transaction wrote get revisions of their own", async (dir, keyspace, prefix) => {
  const connection = new Connection({ servers: [url!] });
  const keys = ["a", "b", "c"].map((name) => `/registry/pods/ns/${name}`);
  const success = keys.map((key) => {
    const encode = (part: string) => new TextEncoder().encode(part);
    return { requestPut: { key: encode(prefix + key.slice("/registry".length)), value: encode("{}") } };
  });
  await connection.call(METHODS.txn, { compare: [], success, failure: [] });
  connection.close();
  const revision = await keyspace.revision(), path = `${dir}/state.db`;
  const options = { recoder: plain(prefix, "/registry"), progress: () => {}, replace: false };
  const imported = await importEtcd(keyspace, path, options);
  assert.deepEqual([imported.objects, imported.revision], [3, revision + 2]);
  await withBackend(path, async (backend) => {
    const { items } = await backend.range("/registry/pods/", "/registry/pods0");
    assert.deepEqual(items.map((item) => item.revision), [revision, revision + 1, revision + 2]);
    assert.equal(await backend.currentRevision(), revision + 2);
  });
  assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
});

transferTest("what expires does so in both directions", async (dir, keyspace, prefix) => {
  const path = `${dir}/state.db`;
  await withBackend(path, async (backend) => {
    await backend.put("/registry/events/ns/e", "{}", { expected: 0, ttl: 3600 });
    await backend.put("/registry/events/ns/f", "{}", { expected: 0, ttl: 1 });
  });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const { objects } = await exportEtcd(path, keyspace, {
    recoder: plain("/registry", prefix),
    progress: () => {},
    replace: false,
  });
  assert.equal(objects, 1);
  for await (const { lease } of keyspace.entries()) {
    const left = await keyspace.ttlOf(lease);
    assert.ok(left > 3500 && left <= 3700, `${left} seconds`);
  }
  const back = `${dir}/back.db`;
  await importEtcd(keyspace, back, { recoder: plain(prefix, "/registry"), progress: () => {}, replace: false });
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(back, { readOnly: true });
  const expires = db.prepare("SELECT expires FROM objects").get()!.expires as number;
  db.close();
  assert.ok(expires > Date.now() + 3_500_000 && expires < Date.now() + 3_700_000);
});

transferTest("an etcd with keys is refused, unless they may go", async (dir, keyspace, prefix) => {
  const path = `${dir}/state.db`, options = { recoder: plain("/registry", prefix), progress: () => {}, replace: false };
  await withBackend(path, fill);
  await keyspace.put("/registry/pods/ns/other", new TextEncoder().encode("{}"));
  await keyspace.put("/registry/configmaps/ns/c5", new TextEncoder().encode("{}"));
  await keyspace.flush();
  await assert.rejects(
    exportEtcd(path, keyspace, options),
    /^Error: etcd holds keys under this prefix already: give --replace/,
  );
  assert.equal(await keyspace.count(), 2);
  const replacing = { ...options, replace: true };
  assert.deepEqual(await exportEtcd(path, keyspace, replacing), { objects: 301, unchanged: 0, removed: 1 });
  assert.equal((await contents(keyspace)).get("/registry/configmaps/ns/c5"), '{"n":5}');
  assert.deepEqual(await exportEtcd(path, keyspace, replacing), { objects: 301, unchanged: 301, removed: 0 });
  await assert.rejects(exportEtcd(path, keyspace, options), /give --replace/);
});

transferTest("an export that was cut off goes on, and an import leaves nothing", async (dir, keyspace, prefix) => {
  const path = `${dir}/state.db`;
  await withBackend(path, fill);
  let left = 250;
  const failing = {
    read: (_: string, value: Uint8Array) => Promise.resolve(value),
    readBack: (_: string, value: Uint8Array) => Promise.resolve(value),
    seal: (_: string, value: Uint8Array) => left-- > 0 ? Promise.resolve(value) : Promise.reject(new Error("cut off")),
  } as Pick<Recoder, "read" | "readBack" | "seal"> as Recoder;
  const options = { recoder: failing, progress: () => {}, replace: false };
  await assert.rejects(
    exportEtcd(path, keyspace, options),
    /cut off; not all is in etcd yet: give the same command again/,
  );
  const written = await keyspace.count();
  assert.ok(written > 0 && written < 301, `${written} keys`);
  left = 1;
  const fresh = `${dir}/new.db`;
  await assert.rejects(importEtcd(keyspace, fresh, options), /cut off/);
  assert.deepEqual(
    [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) => /^new\.db(?!-lock)/.test(name)),
    [],
  );
  const again = await exportEtcd(path, keyspace, { ...options, recoder: plain("/registry", prefix) });
  assert.deepEqual(again, { objects: 301, unchanged: written, removed: 0 });
});

function encryption(): Promise<Encryption> {
  const keys = [{ name: "one", secret: btoa("0123456789abcdef") }];
  return createEncryption(JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [{ resources: ["secrets"], providers: [{ aesgcm: { keys } }, { identity: {} }] }],
  }));
}

transferTest("what is encrypted stays so, and is encrypted anew where it goes", async (dir, keyspace, prefix) => {
  const path = `${dir}/state.db`, key = "/registry/secrets/ns/s", enc = await encryption();
  const here = (place: string) => new TextEncoder().encode(place);
  const sealed = await enc.transformerFor({ group: "", resource: "secrets" }).seal(here('{"secret":1}'), here(key));
  await withBackend(path, async (backend) => {
    await backend.put(key, sealed, { expected: 0 });
    await backend.put("/registry/secrets/ns/plain", '{"secret":2}', { expected: 0 });
  });
  const progress = () => {}, replace = false;
  const unable = { recoder: plain("/registry", prefix), progress, replace };
  await assert.rejects(
    exportEtcd(path, keyspace, unable),
    /secrets\/ns\/s is encrypted, .*--encryption-provider-config/,
  );
  const able = new Recoder({ encryption: enc, resourceOf, from: "/registry", to: prefix });
  assert.equal((await exportEtcd(path, keyspace, { recoder: able, progress, replace })).objects, 2);
  for await (const entry of keyspace.entries()) {
    assert.match(text(entry.value), /^k8s:enc:aesgcm:v1:one:/);
    const opened = await enc.transformerFor(resourceOf(entry.key))
      .open(entry.value, here(prefix + entry.key.slice("/registry".length)));
    assert.match(text(opened.value), /^\{"secret":[12]\}$/);
  }
  const back = `${dir}/back.db`, recoder = new Recoder({ encryption: enc, resourceOf, from: prefix, to: "/registry" });
  await importEtcd(keyspace, back, { recoder, progress, replace });
  await withBackend(back, async (backend) => {
    const { value } = (await backend.get(key))!;
    const opened = await enc.transformerFor(resourceOf(key)).open(value as Uint8Array, here(key));
    assert.equal(text(opened.value), '{"secret":1}');
  });
  enc.close();
});
