// What is particular to etcd; the suite of storage.Interface runs against it, too. Needs an etcd ($ETCD, or on the PATH).
import assert from "node:assert/strict";
import { EtcdBackend } from "./backend.ts";
import { compactOnce } from "./compactor.ts";
import { Connection } from "./connection.ts";
import { Leases } from "./leases.ts";
import { METHODS } from "./messages.ts";
import { startEtcd } from "./testing.ts";

const etcd = await startEtcd();

function etcdTest(name: string, body: (server: string) => Promise<void>): void {
  Deno.test({ name, ignore: etcd === undefined, fn: () => body(etcd!) });
}

async function withConnection(server: string, body: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = new Connection({ servers: [server] });
  try {
    await body(connection);
  } finally {
    connection.close();
  }
}

async function withBackend(
  server: string,
  prefix: string,
  body: (backend: EtcdBackend) => Promise<void>,
): Promise<void> {
  const options = { prefix, compactionInterval: 0, leaseReuseSeconds: 60, onTrouble() {} };
  const backend = new EtcdBackend({ servers: [server], ...options });
  await backend.start();
  try {
    await body(backend);
  } finally {
    await backend.close();
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

etcdTest("keys stand under the prefix, and those of others are not seen", async (server) => {
  await withBackend(server, "/clusters/a", async (a) => {
    await a.put("/registry/pods/ns/x", "{}", { expected: 0 });
    await withBackend(server, "/clusters/b", async (b) => {
      assert.equal(await b.get("/registry/pods/ns/x"), undefined);
      assert.equal(await b.count("/registry/pods/"), 0);
    });
    assert.deepEqual((await a.range("/registry/pods/", "/registry/pods0")).items.map(({ key }) => key), [
      "/registry/pods/ns/x",
    ]);
  });
  await withConnection(server, async (connection) => {
    const { response } = await connection.call(METHODS.range, { key: bytes("/clusters/a/pods/ns/x") });
    assert.equal(response.count, 1);
  });
});

etcdTest("one of two replicas compacts, up to where it was an interval ago", async (server) => {
  await withConnection(server, async (connection) => {
    const compacted: string[] = [];
    const replica = (name: string) => {
      let state = { version: 0, revision: 0 };
      const onCompacted = (revision: number) => compacted.push(`${name} ${revision}`);
      return async () => state = await compactOnce(connection, state, { onCompacted });
    };
    const a = replica("a"), b = replica("b");
    const first = await a();
    await b();
    assert.deepEqual(compacted, ["b 0"], "the second one only learns what the first one did");
    const key = bytes("/compaction/key");
    const put = { compare: [], success: [{ requestPut: { key, value: key } }], failure: [] };
    await connection.call(METHODS.txn, put);
    await a();
    await b();
    assert.deepEqual(compacted.slice(1), [`a ${first.revision}`, `b ${first.revision}`]);
    const early = connection.call(METHODS.range, { key, revision: first.revision - 1 });
    await assert.rejects(early, /required revision has been compacted/);
  });
});

etcdTest("keys with the same time to live share a lease for a while", async (server) => {
  await withConnection(server, async (connection) => {
    const leases = new Leases(connection, 60);
    const [a, b, c] = [await leases.leaseFor(3600), await leases.leaseFor(3600), await leases.leaseFor(100)];
    assert.equal(a, b);
    assert.notEqual(a, c);
    leases.forget(3600);
    assert.notEqual(await leases.leaseFor(3600), a);
    const unshared = new Leases(connection, 0);
    assert.notEqual(await unshared.leaseFor(50), await unshared.leaseFor(50));
  });
});

Deno.test("an etcd that is not there is named", async () => {
  const connection = new Connection({ servers: ["http://127.0.0.1:1"] });
  try {
    const call = connection.call(METHODS.range, { key: bytes("a") }, { timeout: 200 });
    await assert.rejects(call, /etcd cannot be reached at http:\/\/127.0.0.1:1: /);
  } finally {
    connection.close();
  }
});
