// The endpoints of the `kubernetes` service name every server of an etcd, Kubelith and kube-apiserver, while it lives.
import assert from "node:assert/strict";
import type { Peer } from "./client.ts";
import { assertSame, pairTest } from "./pair.ts";

const ADDRESSES = { kubelith: "192.0.2.11", "kube-apiserver": "192.0.2.12" };
const ENDPOINTS = "/api/v1/namespaces/default/endpoints/kubernetes";
const SLICE = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
/** A server looks every ten seconds. */
const PATIENCE_MS = 30_000;

async function untilNamed(peer: Peer, wanted: string[]): Promise<void> {
  let named: unknown;
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const [endpoints, slice] = await Promise.all([ENDPOINTS, SLICE].map((path) => peer.request("GET", path)));
    named = [
      endpoints.body.subsets?.flatMap(({ addresses }: { addresses: { ip: string }[] }) =>
        addresses.map(({ ip }) => ip)
      ),
      slice.body.endpoints?.flatMap(({ addresses }: { addresses: string[] }) => addresses),
    ];
    if (JSON.stringify(named) === JSON.stringify([wanted, wanted])) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.deepEqual(named, [wanted, wanted]);
}

pairTest("endpoints of the kubernetes service", async (pair, t) => {
  const { kubelith, real } = pair, both = Object.values(ADDRESSES);
  await t.step("name both servers", async () => {
    await untilNamed(kubelith.peer, both);
    await assertSame(pair, ENDPOINTS);
    await assertSame(pair, SLICE);
  });
  await t.step("and stay so", async () => {
    const versions = [];
    for (let i = 0; i < 3; i++) {
      versions.push((await real.peer.request("GET", ENDPOINTS)).body.metadata.resourceVersion);
      await new Promise((resolve) => setTimeout(resolve, 6000));
    }
    assert.equal(new Set(versions).size, 1, `written again and again: ${versions}`);
  });
  await t.step("without the one that goes", async () => {
    await kubelith.stop();
    await untilNamed(real.peer, [ADDRESSES["kube-apiserver"]]);
  });
}, (_dir, server) => [`--advertise-address=${ADDRESSES[server]}`]);
