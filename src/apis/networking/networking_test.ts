import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const GROUP = "networking.k8s.io/v1";

Deno.test("a service range has one CIDR of each family and only ever gains the second", async () => {
  const range = (...cidrs: string[]) => ({ apiVersion: GROUP, kind: "ServiceCIDR", spec: { cidrs } });
  await withTrial(async (trial) => {
    assert.match(
      (await trial.refusals(range("10.0.0.0/24", "10.1.0.0/24")))[0],
      /no more than one IP for each IP family/,
    );
    await trial.create(range("10.0.0.0/24"));
    assert.deepEqual(await trial.updateRefusals(range("10.0.0.0/24", "fd00::/112")), []);
    assert.deepEqual(await trial.updateRefusals(range("10.1.0.0/24")), [
      'spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable',
    ]);
  });
});

Deno.test("an address is called by its canonical form and has an owner", async () => {
  const address = (name: string, spec?: object) => ({ apiVersion: GROUP, kind: "IPAddress", metadata: { name }, spec });
  const spec = { parentRef: { resource: "services", namespace: "a", name: "b" } };
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals(address("10.0.0.1", spec)), []);
    assert.deepEqual(await trial.refusals(address("fd00:0::1", spec)), [
      'metadata.name: Invalid value: "fd00:0::1": must be in canonical form ("fd00::1")',
    ]);
    assert.deepEqual(await trial.refusals(address("010.0.0.1")), [
      'metadata.name: Invalid value: "010.0.0.1": must not have leading 0s',
      "spec.parentRef: Required value",
    ]);
  });
});

Deno.test("the paths of an ingress lead to a service or a resource", async () => {
  const paths = [
    { path: "a", pathType: "Exact", backend: { service: { name: "x" } } },
    { path: "/a//b", pathType: "Nope", backend: {} },
  ];
  const rules = ["a", "b", "c", "1.2.3.4"].map((host) => ({ host, http: { paths } }));
  await withTrial(async (trial) => {
    const ingress = { apiVersion: GROUP, kind: "Ingress", spec: { rules: rules.slice(3), tls: [{}] } };
    assert.deepEqual(await trial.refusals(ingress), [
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      'spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path',
      "spec.rules[0].http.paths[0].backend: Required value: port name or number is required",
      'spec.rules[0].http.paths[1].pathType: Unsupported value: "Nope": supported values: "Exact", ' +
      '"ImplementationSpecific", "Prefix"',
      'spec.rules[0].http.paths[1].backend: Invalid value: "": resource or service backend is required',
    ]);
    const row = await trial.row({ ...ingress, spec: { ...ingress.spec, rules } });
    assert.deepEqual([row.Class, row.Hosts, row.Ports], ["<none>", "a,b,c + 1 more...", "80, 443"]);
  });
});

Deno.test("a network policy says which directions it is about", async () => {
  const policy = (spec: object) => ({ apiVersion: GROUP, kind: "NetworkPolicy", spec: { podSelector: {}, ...spec } });
  await withTrial(async (trial) => {
    const stored = await trial.create(policy({ egress: [{ ports: [{ port: 1 }] }] }));
    assert.deepEqual(stored.spec.policyTypes, ["Ingress", "Egress"]);
    assert.deepEqual([stored.spec.egress[0].ports[0].protocol, stored.metadata.generation], ["TCP", 1]);
    const from = [{}, { ipBlock: { cidr: "10.0.0.0/24", except: ["11.0.0.0/25"] }, podSelector: {} }];
    assert.deepEqual(await trial.refusals(policy({ ingress: [{ from, ports: [{ port: 5, endPort: 4 }] }] })), [
      "spec.ingress[0].ports[0].endPort: Invalid value: 5: must be greater than or equal to `port`",
      "spec.ingress[0].from[0]: Required value: must specify a peer",
      'spec.ingress[0].from[1].ipBlock.except[0]: Invalid value: "11.0.0.0/25": must be a strict subset of `cidr`',
      "spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer",
    ]);
  });
});
