// Services get addresses and node ports of their own, however many come at once and however the server ends.
import assert from "node:assert/strict";
import { startServer, type TestServer } from "./support/server.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
const COUNT = 200;

interface Service {
  metadata: { name: string };
  spec: { clusterIP: string; ports: { nodePort: number }[] };
}

interface Failure {
  code: number;
  reason: string;
  message: string;
}

function create(server: TestServer, name: string, query = ""): Promise<Service> {
  return server.json<Service>("POST", SERVICES + query, {
    metadata: { name },
    spec: { type: "NodePort", ports: [{ port: 80 }] },
  });
}

async function heldAddresses(server: TestServer): Promise<string[]> {
  const { items } = await server.json<{ items: { metadata: { name: string } }[] }>("GET", ADDRESSES);
  return items.map(({ metadata }) => metadata.name).sort();
}

async function failure(server: TestServer, body: unknown): Promise<Failure> {
  const response = await server.fetch(SERVICES, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await response.json();
}

function all(server: TestServer): Promise<Service[]> {
  return Promise.all(Array.from({ length: COUNT }, (_, i) => create(server, `s-${i}`)));
}

Deno.test("200 services at once get different addresses and ports, give them back, and lose none to kill -9", async () => {
  const args = [`--service-node-port-range=30000-${30000 + COUNT - 1}`];
  let server = await startServer({ args });
  const { dir, port } = server;
  for (let round = 0; round < 2; round++) {
    const services = await all(server);
    assert.equal(new Set(services.map(({ spec }) => spec.clusterIP)).size, COUNT);
    assert.equal(new Set(services.map(({ spec }) => spec.ports[0].nodePort)).size, COUNT);
    assert.equal((await heldAddresses(server)).length, COUNT + 1, "each has an IPAddress, and so has kubernetes");
    const full = await failure(server, {
      metadata: { name: "late" },
      spec: { type: "NodePort", ports: [{ port: 80 }] },
    });
    assert.equal(full.message, "Internal error occurred: failed to allocate a nodePort: range is full");
    assert.equal(full.reason, "InternalError");
    assert.equal((await heldAddresses(server)).length, COUNT + 1, "who gets no port keeps no address");
    const { spec } = services[0];
    const taken = await failure(server, {
      metadata: { name: "late" },
      spec: { clusterIP: spec.clusterIP, ports: [{ port: 80 }] },
    });
    assert.equal(
      taken.message,
      `Service "late" is invalid: spec.clusterIPs: Invalid value: ["${spec.clusterIP}"]: failed to allocate IP ` +
        `${spec.clusterIP}: provided IP is already allocated`,
    );
    await Promise.all(services.map(({ metadata: { name } }) => server.json("DELETE", `${SERVICES}/${name}`)));
    assert.equal((await heldAddresses(server)).length, 1);
  }
  const dry = await create(server, "dry", "?dryRun=All");
  assert.equal(dry.spec.clusterIP, "10.0.0.0", "a dry run shows the network's own address, as kube-apiserver does");
  assert.equal((await heldAddresses(server)).length, 1);

  // Writes that are cut off leave addresses of services that there are not; every service keeps its own.
  const writes = Array.from({ length: COUNT }, (_, i) => create(server, `cut-${i}`).catch(() => {}));
  await Promise.race(writes);
  server.kill("SIGKILL");
  await server.exited;
  await Promise.all(writes);
  await server.stop({ keepDir: true });
  server = await startServer({ dir, port, args });
  const { items } = await server.json<{ items: Service[] }>("GET", SERVICES);
  assert.ok(items.length > 1);
  const held = new Set(await heldAddresses(server));
  for (const { spec, metadata } of items) assert.ok(held.has(spec.clusterIP), `${metadata.name} lost its address`);
  const ports = items.flatMap(({ spec }) => spec.ports.map((p) => p.nodePort).filter(Boolean));
  const left = COUNT - ports.length;
  const more = await Promise.all(
    Array.from({ length: Math.min(left, 253 - held.size) }, (_, i) => create(server, `m-${i}`)),
  );
  const used = [...ports, ...more.map(({ spec }) => spec.ports[0].nodePort)];
  assert.equal(new Set(used).size, used.length, "a node port was given out twice");
  await server.stop();
});

Deno.test("addresses come from other ServiceCIDRs when the cluster's own range is full", async () => {
  const server = await startServer({ args: ["--service-cluster-ip-range=10.0.0.0/29"] });
  const clusterIP = async (name: string) =>
    (await server.json<Service>("POST", SERVICES, { metadata: { name }, spec: { ports: [{ port: 80 }] } })).spec
      .clusterIP;
  for (let i = 0; i < 5; i++) assert.match(await clusterIP(`own-${i}`), /^10\.0\.0\./);
  const full = await failure(server, { metadata: { name: "late" }, spec: { ports: [{ port: 80 }] } });
  assert.equal(
    full.message,
    'Internal error occurred: failed to allocate a serviceIP for Service "late": range is full',
  );
  await server.json("POST", "/apis/networking.k8s.io/v1/servicecidrs", {
    metadata: { name: "more" },
    spec: { cidrs: ["10.9.0.0/28"] },
  });
  assert.match(await clusterIP("late"), /^10\.9\.0\.\d+$/);
  await server.stop();
});

Deno.test("endpoints of the kubernetes service name the advertised address, unless nobody keeps them", async () => {
  const endpoints = "/api/v1/namespaces/default/endpoints/kubernetes";
  const args = ["--advertise-address=192.0.2.1"];
  const server = await startServer({ args });
  const { subsets } = await server.json<{ subsets: unknown }>("GET", endpoints);
  const ports = [{ name: "https", port: server.port, protocol: "TCP" }];
  assert.deepEqual(subsets, [{ addresses: [{ ip: "192.0.2.1" }], ports }]);
  await server.stop();
  const without = await startServer({ args: [...args, "--endpoint-reconciler-type=none"] });
  const answer = await without.fetch(endpoints);
  assert.equal(answer.status, 404);
  await answer.body?.cancel();
  await without.stop();
});

Deno.test("the kubernetes service stays as it is when the server comes back at another port", async () => {
  const path = `${SERVICES}/kubernetes`;
  const server = await startServer();
  const before = await server.json<{ spec: unknown; metadata: unknown }>("GET", path);
  await server.stop({ keepDir: true });
  const again = await startServer({ dir: server.dir });
  assert.deepEqual(await again.json("GET", path), before);
  await again.stop();
});
