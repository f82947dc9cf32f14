// Admission under races: as much as allowed, never one more.
import assert from "node:assert/strict";
import { startServer, type TestServer } from "./support/server.ts";

const CONFIG_MAP = { kind: "ConfigMap", apiVersion: "v1", metadata: { generateName: "c-" } };

async function statusOf(server: TestServer, method: string, path: string, body?: unknown): Promise<number> {
  const response = await server.fetch(path, {
    method,
    headers: { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}

function namespace(name: string): unknown {
  return { kind: "Namespace", apiVersion: "v1", metadata: { name } };
}

Deno.test("a hundred creates at once against quotas of ten and twenty: ten, however often it is tried", async () => {
  const server = await startServer();
  try {
    await server.json("POST", "/api/v1/namespaces", namespace("q"));
    for (const [name, most] of [["ten", "10"], ["twenty", "20"]]) {
      const hard = { "count/configmaps": most }, used = { "count/configmaps": "0" };
      const quota = { kind: "ResourceQuota", apiVersion: "v1", metadata: { name }, spec: { hard } };
      const path = "/api/v1/namespaces/q/resourcequotas";
      await server.json("POST", path, quota);
      await server.json("PUT", `${path}/${name}/status`, { ...quota, status: { hard, used } });
    }
    const path = "/api/v1/namespaces/q/configmaps";
    const results = await Promise.all(Array.from({ length: 100 }, () => statusOf(server, "POST", path, CONFIG_MAP)));
    assert.equal(results.filter((status) => status === 201).length, 10);
    assert.equal(results.filter((status) => status === 403).length, 90);
    const { items } = await server.json<{ items: { metadata: { name: string } }[] }>("GET", path);
    // The controller's own came before the quotas, or was refused by them.
    assert.equal(items.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt").length, 10);
    for (const name of ["ten", "twenty"]) {
      const quota = await server.json<{ status: { used: Record<string, string> } }>(
        "GET",
        `/api/v1/namespaces/q/resourcequotas/${name}`,
      );
      assert.equal(quota.status.used["count/configmaps"], "10");
    }
  } finally {
    await server.stop();
  }
});

const ROUNDS = Number(Deno.env.get("KUBELITH_RACE_ROUNDS") ?? 50);

Deno.test("nothing is left in a namespace that was deleted while objects were made in it", async () => {
  const server = await startServer();
  try {
    const one = async (round: number) => {
      const name = `n-${round}`, path = `/api/v1/namespaces/${name}`;
      await server.json("POST", "/api/v1/namespaces", namespace(name));
      const creates = Array.from({ length: 4 }, () => statusOf(server, "POST", `${path}/configmaps`, CONFIG_MAP));
      const deleted = statusOf(server, "DELETE", path);
      const later = Array.from({ length: 4 }, () => statusOf(server, "POST", `${path}/configmaps`, CONFIG_MAP));
      for (const status of await Promise.all([...creates, ...later])) assert.ok([201, 403, 404].includes(status));
      assert.equal(await deleted, 200);
      while (await statusOf(server, "GET", path) === 200) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    let next = 0;
    const work = async () => {
      while (next < ROUNDS) await one(next++);
    };
    await Promise.all(Array.from({ length: 8 }, work));
    const { items } = await server.json<{ items: { metadata: { namespace: string } }[] }>("GET", "/api/v1/configmaps");
    assert.deepEqual(items.filter(({ metadata }) => metadata.namespace.startsWith("n-")), []);
  } finally {
    await server.stop();
  }
});
