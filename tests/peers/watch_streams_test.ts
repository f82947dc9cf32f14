// Watches of one history in every form are the same bytes on Kubelith and kube-apiserver.
import assert from "node:assert/strict";
import type { Peer } from "./client.ts";
import { must, pairTest } from "./pair.ts";

const PODS = "/api/v1/namespaces/default/pods", LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const META = "v=v1;g=meta.k8s.io";
const FORMS = [
  "application/json",
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf",
  "application/vnd.kubernetes.protobuf;stream=watch",
  `application/json;as=PartialObjectMetadata;${META}`,
  `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;${META}`,
  `application/vnd.kubernetes.protobuf;as=Table;${META}`,
  "application/yaml",
  "application/cbor",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
];

interface Streamed {
  status: number;
  type: string | null;
  bytes: string;
}

/** Everything that a watch tells until its time is up. */
async function streamed(peer: Peer, path: string, accept: string): Promise<Streamed> {
  const response = await peer.fetch(path, { headers: { accept } });
  const bytes = (await response.bytes()).toBase64();
  return { status: response.status, type: response.headers.get("content-type"), bytes };
}

/** Pods and leases come, change their labels and go; gives the revision before. */
async function history(peer: Peer): Promise<string> {
  const { metadata } = await must(peer, "GET", `${PODS}?limit=1`);
  const spec = { containers: [{ name: "c", image: "example.com/c:1" }], terminationGracePeriodSeconds: 0 };
  for (const name of ["a", "b", "c"]) {
    await must(peer, "POST", PODS, { metadata: { name, labels: { kept: name } }, spec });
    await must(peer, "POST", LEASES, { metadata: { name }, spec: { renewTime: "2024-01-02T03:04:05.000006Z" } });
  }
  for (const labels of [{ kept: "b", hidden: "yes" }, { kept: "b" }]) {
    const pod = await must(peer, "GET", `${PODS}/b`);
    await must(peer, "PUT", `${PODS}/b`, { ...pod, metadata: { ...pod.metadata, labels } });
  }
  await must(peer, "DELETE", `${PODS}/a`);
  return metadata.resourceVersion as string;
}

pairTest("watch streams", async (pair, t) => {
  const { kubelith, real } = pair, revision = await history(kubelith.peer);
  const selections = {
    "since a revision": `resourceVersion=${revision}`,
    "of labels": `resourceVersion=${revision}&labelSelector=kept,!hidden`,
    "of a name": `resourceVersion=${revision}&fieldSelector=metadata.name%3Db`,
    "from any state": "resourceVersion=0",
    "from the newest state": "",
    "with initial events": "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
    "of a wrong revision": "resourceVersion=x",
    "with a contradiction": "sendInitialEvents=true",
  };
  for (const collection of [PODS, LEASES]) {
    for (const [name, query] of Object.entries(selections)) {
      await t.step(`${collection} ${name}`, async () => {
        await Promise.all(FORMS.map(async (accept) => {
          const path = `${collection}?watch=true&timeoutSeconds=1&${query}`;
          const [ours, theirs] = await Promise.all([kubelith, real].map(({ peer }) => streamed(peer, path, accept)));
          assert.deepEqual(ours, theirs, accept);
        }));
      });
    }
  }
});
