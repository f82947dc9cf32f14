// What stands in an etcd, with every field set and with none, Kubelith and kube-apiserver show in the same bytes.
import assert from "node:assert/strict";
import { RESOURCES } from "../../src/facts/generated/resources.ts";
import { modelOf } from "../../src/apis/scheme.ts";
import { encodeProtobuf } from "../../src/machinery/protobuf/encode.ts";
import { apiVersionOf, formatGroupResource, type KubeObject } from "../../src/machinery/types.ts";
import { Connection } from "../../src/storage/etcd3/connection.ts";
import { METHODS } from "../../src/storage/etcd3/messages.ts";
import { run } from "../support/server.ts";
import { assertSame, type Pair, pairTest } from "./pair.ts";
import { findProgram } from "./programs.ts";

type Row = typeof RESOURCES[number];

/** Kept as JSON. */
const NO_PROTOBUF = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);
/** kube-apiserver ends at one without a type. */
const NEVER_BARE = new Set(["prioritylevelconfigurations.flowcontrol.apiserver.k8s.io"]);
/** What is never stored without. */
const ALWAYS: Readonly<Record<string, Record<string, string>>> = {
  "daemonsets.apps": { "deprecated.daemonset.template.generation": "1" },
};

/** Resources by the kind that is stored: each once, in the version that clients prefer. */
function storedRows(): Row[] {
  const rows = new Map<string, Row>();
  for (const row of RESOURCES) {
    if (row.prefix === "" || NO_PROTOBUF.has(row.group)) continue;
    if (!rows.has(row.prefix) || row.version === row.stored.version) rows.set(row.prefix, row);
  }
  return [...rows.values()];
}

/** Fully populated objects of every kind. */
async function populated(): Promise<KubeObject[]> {
  const file = await Deno.open(new URL("../testdata/protobuf.json.gz", import.meta.url));
  const text = new Response(file.readable.pipeThrough(new DecompressionStream("gzip")));
  return (await text.json()).map(({ object }: { object: KubeObject }) => object);
}

function pathOf({ group, version, resource, namespaced }: Row, { namespace, name }: KubeObject["metadata"]): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? `/namespaces/${namespace}` : ""}/${resource}/${name}`;
}

/** Puts an object of the kind into the etcd and gives its path. */
async function put(etcd: Connection, row: Row, { metadata, ...fields }: Pick<KubeObject, "metadata">): Promise<string> {
  const { stored, prefix, namespaced } = row,
    annotations = { ...metadata.annotations, ...ALWAYS[formatGroupResource(row)] };
  const object = {
    kind: stored.kind,
    apiVersion: apiVersionOf(stored),
    metadata: { ...metadata, annotations },
    ...fields,
  };
  const key = new TextEncoder().encode(`${prefix}/${namespaced ? `${metadata.namespace}/` : ""}${metadata.name}`);
  const value = encodeProtobuf(modelOf(stored), object);
  await etcd.call(METHODS.txn, { compare: [], success: [{ requestPut: { key, value } }], failure: [] });
  return pathOf(row, metadata);
}

async function withEtcd({ etcd }: Pair, body: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = new Connection({ servers: [etcd] });
  try {
    await body(connection);
  } finally {
    connection.close();
  }
}

pairTest("objects that stand in an etcd", (pair, t) =>
  withEtcd(pair, async (etcd) => {
    const full = await populated();
    for (const row of storedRows()) {
      const name = formatGroupResource(row), { kind } = row.stored, apiVersion = apiVersionOf(row.stored);
      await t.step(`${name} with every field`, async () => {
        const object = full.find((object) => object.kind === kind && object.apiVersion === apiVersion);
        await assertSame(pair, await put(etcd, row, object!));
      });
      if (NEVER_BARE.has(name)) continue;
      await t.step(`${name} with none`, async () => {
        const metadata = { name: "bare", namespace: row.namespaced ? "stored" : undefined, uid: "u" };
        await assertSame(pair, await put(etcd, row, { metadata }));
      });
    }
    await t.step("all of them through kubectl", async () => {
      const names = storedRows().map(formatGroupResource).join(",");
      const [ours, theirs] = await Promise.all([pair.kubelith, pair.real].map(({ kubeconfig }) =>
        run(findProgram("kubectl")!, ["--kubeconfig", kubeconfig, "get", names, "-A", "-o", "json"])
      ));
      assert.equal(theirs.code, 0, theirs.stderr);
      assert.deepEqual(ours, theirs);
    });
  }));
