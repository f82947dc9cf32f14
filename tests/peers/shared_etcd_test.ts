// One etcd with Kubelith and kube-apiserver on it: whatever one has written both show in the same bytes.
import assert from "node:assert/strict";
import { RESOURCES } from "../../src/facts/generated/resources.ts";
import { formatGroupResource } from "../../src/machinery/types.ts";
import type { Peer } from "./client.ts";
import { fitted } from "./fit.ts";
import { withValue } from "./generate.ts";
import { type Kind, kindOf, type Obj } from "./kinds.ts";
import { assertSame, inAnyOrder, must, type Pair, pairTest, update } from "./pair.ts";
import { DEFINITIONS, SUBJECTS } from "./patch_subjects.ts";

const PATIENCE_MS = 10_000;
const AT_ONCE = "?gracePeriodSeconds=0&propagationPolicy=Background";

/** The paths of an object in every version that is served. */
function pathsOf(kind: Kind, item: string): string[] {
  const rows = RESOURCES.filter((row) => formatGroupResource(row) === kind.name);
  return rows.map((row) => item.replace(kind.collection, kindOf(row, "")!.collection));
}

/** One server creates, the other writes to it; both show the same each time, and once it is gone. */
async function roundTrip(
  pair: Pair,
  kind: Kind,
  object: Obj,
  status: unknown,
  writer: Peer,
  other: Peer,
): Promise<void> {
  const { collection, seed } = kind, item = `${collection}/${seed.metadata.name}`;
  const same = async () => {
    for (const path of pathsOf(kind, item)) await assertSame(pair, path);
  };
  await must(writer, "POST", collection, object);
  await same();
  await update(other, item, (current) => withValue(current, ["metadata", "labels"], { changed: "yes" }));
  await same();
  if (kind.hasStatus) {
    await update(other, item, (current) => ({ ...current, status }), "/status");
    await same();
  }
  await must(other, "DELETE", item + AT_ONCE);
  if ((await writer.request("GET", item)).status !== 404) await same();
  await remove(writer, kind, item);
  for (const peer of [writer, other]) assert.equal((await peer.request("GET", item)).status, 404);
}

/** Deletes an object and does what the controllers would that keep it. */
async function remove(peer: Peer, kind: Kind, item: string): Promise<void> {
  await peer.request("DELETE", item + AT_ONCE);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const { status, body } = await peer.request("GET", item);
    if (status === 404) return;
    const finalizers = (body.metadata.finalizers ?? []).filter((name: string) => name !== "example.com/x");
    await peer.request("PUT", item, withValue(body, ["metadata", "finalizers"], finalizers));
    if (kind.name === "namespaces") await peer.request("PUT", `${item}/finalize`, { ...body, spec: {} });
  }
}

/** An object and a status with whatever fields the real server takes together. */
async function fullest(kind: Kind, { real: { peer } }: Pair): Promise<[Obj, unknown]> {
  const { collection, seed } = kind, item = `${collection}/${seed.metadata.name}`;
  const object = await fitted(
    kind,
    seed,
    (field) => field !== "status",
    (object) => peer.request("POST", `${collection}?dryRun=All`, object),
  );
  if (!kind.hasStatus) return [object, undefined];
  const created = await must(peer, "POST", collection, seed);
  const { status } = await fitted(
    kind,
    created,
    (field) => field === "status",
    async ({ status }) => {
      const current = await must(peer, "GET", item);
      return peer.request("PUT", `${item}/status?dryRun=All`, { ...current, status });
    },
  );
  await remove(peer, kind, item);
  return [object, status];
}

/** Both servers' watches of one object from a revision to its end. */
async function watched({ kubelith, real }: Pair, kind: Kind, revision: string): Promise<[string, string]> {
  const query = new URLSearchParams({
    watch: "true",
    resourceVersion: revision,
    fieldSelector: `metadata.name=${kind.seed.metadata.name}`,
  });
  const lines = [kubelith, real].map(async ({ peer }) => {
    const { body } = await peer.fetch(`${kind.collection}?${query}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    let text = "";
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (/^\{"type":"DELETED".*\n/m.test(text)) break;
    }
    return text;
  });
  return await Promise.all(lines) as [string, string];
}

const WIDGETS = SUBJECTS.widgets;

/** One server defines and creates, the other writes in another version; both show the same in each. */
async function customRoundTrip(pair: Pair, writer: Peer, other: Peer): Promise<void> {
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition = DEFINITIONS[0] as Obj;
  const path = `${definitions}/${definition.metadata.name}`, { collection, apiVersions, statusParts } = WIDGETS;
  await must(writer, "POST", definitions, definition);
  for (const peer of [writer, other]) await until(peer, collection, 200);
  const versions = apiVersions.map((apiVersion) => collection.replace(apiVersions[0], apiVersion));
  const same = async (item: string) => {
    for (const version of versions) await assertSame(pair, `${version}${item}`, inAnyOrder);
  };
  await must(writer, "POST", collection, {
    apiVersion: apiVersions[0],
    kind: "Widget",
    metadata: { name: "shared", annotations: { "example.com/x": "ü" } },
    spec: {
      count: 7,
      ratio: 0.5,
      target: "50%",
      tags: ["a", "b"],
      rows: [{ name: "r", ports: [{ port: 1, protocol: "UDP" }], extra: { a: 1, b: [1, { c: null }] } }],
      free: { other: { deep: [1e21, -0.1] } },
      object: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { x: 1 } },
    },
  });
  await same("/shared");
  await update(other, `${versions[1]}/shared`, (current) => withValue(current, ["spec", "replicas"], 3));
  await same("/shared");
  await update(writer, `${collection}/shared`, (current) => ({ ...current, ...statusParts[0] }), "/status");
  await same("/shared");
  await same("");
  await assertSame(pair, path);
  await must(other, "DELETE", `${collection}/shared`);
  assert.equal((await writer.request("GET", `${collection}/shared`)).status, 404);
  await must(writer, "DELETE", path);
  for (const peer of [writer, other]) await until(peer, path, 404);
}

async function until(peer: Peer, path: string, wanted: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    if ((await peer.request("GET", path)).status === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${peer.url}${path} never answers ${wanted}`);
}

pairTest("one etcd: what one server writes both show in the same bytes", async (pair, t) => {
  const [ours, theirs] = [pair.kubelith.peer, pair.real.peer];
  for (const row of RESOURCES) {
    const kind = kindOf(row, "shared");
    if (kind === undefined) continue;
    const [object, status] = await fullest(kind, pair);
    for (const [name, writer, other] of [["Kubelith", ours, theirs], ["kube-apiserver", theirs, ours]] as const) {
      await t.step(`${kind.name} written by ${name}`, async () => {
        const { metadata } = await must(writer, "GET", `${kind.collection}?limit=1`);
        await roundTrip(pair, kind, object, status, writer, other);
        const [mine, real] = await watched(pair, kind, metadata.resourceVersion as string);
        assert.equal(mine, real);
      });
    }
  }
});

pairTest("one etcd: custom resources", async (pair, t) => {
  const [ours, theirs] = [pair.kubelith.peer, pair.real.peer];
  for (const [name, writer, other] of [["Kubelith", ours, theirs], ["kube-apiserver", theirs, ours]] as const) {
    await t.step(`defined and written by ${name}`, () => customRoundTrip(pair, writer, other));
  }
});
