// What clients read first, discovery and OpenAPI, is the same on Kubelith and kube-apiserver: discovery byte for byte,
// OpenAPI but for its descriptions.
import assert from "node:assert/strict";
import { differences } from "./compare.ts";
import type { Peer } from "./client.ts";
import { type Pair, pairTest } from "./pair.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Without texts for people and without hashes of documents that have them. */
function bare(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\?hash=[0-9A-F]+$/, "");
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name, member]) =>
    name !== "description" || typeof member !== "string"
  );
  return Object.fromEntries(members.sort(([a], [b]) => a < b ? -1 : 1).map(([name, member]) => [name, bare(member)]));
}

async function document(peer: Peer, path: string): Promise<unknown> {
  const { status, body } = await peer.request("GET", path);
  assert.equal(status, 200, `${peer.url}${path}`);
  return bare(body);
}

async function assertSameDocument({ kubelith, real }: Pair, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all([kubelith, real].map(({ peer }) => document(peer, path)));
  assert.deepEqual(differences(ours, theirs).slice(0, 10), []);
}

pairTest("discovery and OpenAPI", async (pair, t) => {
  const text = async (peer: Peer, path: string, accept: string) => {
    const response = await peer.fetch(path, { headers: { accept } });
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const assertSameText = async (path: string, accept = "application/json") => {
    const [ours, theirs] = await Promise.all([pair.kubelith, pair.real].map(({ peer }) => text(peer, path, accept)));
    assert.deepEqual(ours, theirs);
  };
  await t.step("aggregated discovery", async () => {
    for (const path of ["/api", "/apis"]) await assertSameText(path, AGGREGATED);
  });
  const { body: { groups } } = await pair.real.peer.request("GET", "/apis");
  const versions: string[] = groups.flatMap((group: { versions: { groupVersion: string }[] }) =>
    group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`)
  );
  await t.step("discovery", async () => {
    const names = groups.map(({ name }: { name: string }) => `/apis/${name}`);
    for (const path of ["/apis", "/api/v1", ...names, ...versions]) await assertSameText(path);
  });
  await t.step("OpenAPI v2", () => assertSameDocument(pair, "/openapi/v2"));
  await t.step("the index of OpenAPI v3", () => assertSameDocument(pair, "/openapi/v3"));
  const { body: { paths } } = await pair.real.peer.request("GET", "/openapi/v3");
  for (const path of Object.keys(paths)) {
    await t.step(`OpenAPI v3 of ${path}`, () => assertSameDocument(pair, `/openapi/v3/${path}`));
  }
});
