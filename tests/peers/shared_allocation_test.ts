// Kubelith and kube-apiserver over one etcd give out addresses of services that nobody has yet.
import assert from "node:assert/strict";
import { must, pairTest } from "./pair.ts";

const SERVICES = "/api/v1/namespaces/default/services";

function service(name: string, clusterIP?: string): unknown {
  return { metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } };
}

pairTest("addresses of services", async ({ kubelith, real }, t) => {
  const addresses: string[] = [];
  await t.step("are given once", async () => {
    for (let i = 0; i < 20; i++) {
      const { peer } = i % 2 === 0 ? kubelith : real;
      const { spec } = await must(peer, "POST", SERVICES, service(`s${i}`));
      addresses.push((spec as { clusterIP: string }).clusterIP);
    }
    assert.equal(new Set(addresses).size, 20);
  });
  for (const [i, giver, other] of [[0, kubelith, real], [1, real, kubelith]] as const) {
    await t.step(`${other.name} refuses what ${giver.name} has given, until it is free`, async () => {
      const refused = await other.peer.request("POST", SERVICES, service("taken", addresses[i]));
      assert.equal(refused.status, 422, refused.text);
      await must(other.peer, "DELETE", `${SERVICES}/s${i}`);
      await must(giver.peer, "POST", SERVICES, service("again", addresses[i]));
      await must(giver.peer, "DELETE", `${SERVICES}/again`);
    });
  }
});
