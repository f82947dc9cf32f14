// Which answers are compressed, what their headers say, and that they unpack to the same, on Kubelith and kube-apiserver.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { request } from "node:https";
import { gunzipSync } from "node:zlib";
import type { ApiServer } from "./api_servers.ts";
import { must, type Pair, pairTest } from "./pair.ts";

/** Answers of more bytes are compressed. */
const THRESHOLD = 128 * 1024;
const MAPS = "/api/v1/namespaces/default/configmaps";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const HEADERS = ["content-type", "content-encoding", "vary", "cache-control", "warning"];

interface Raw {
  status: number;
  headers: Record<string, unknown>;
  body: Buffer;
}

/** The answer as it comes: nobody unpacks it on the way. */
function raw({ url, ca, peer }: ApiServer, path: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const options = { ca, headers: { authorization: `Bearer ${peer.token}`, ...headers } };
    const sent = request(url + path, options, (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Whether both compress an answer; fails unless they agree on that and on what it says. */
async function compressed({ kubelith, real }: Pair, path: string, headers: Record<string, string>): Promise<boolean> {
  const [ours, theirs] = await Promise.all([kubelith, real].map(async (server) => {
    const { status, headers: got, body } = await raw(server, path, headers);
    const isPacked = got["content-encoding"] === "gzip", plain = isPacked ? gunzipSync(body) : body;
    return { isPacked, shown: [status, ...HEADERS.map((name) => got[name]), plain.length, plain.toString("latin1")] };
  }));
  assert.deepEqual(ours.shown.slice(0, -1), theirs.shown.slice(0, -1), `${path} ${JSON.stringify(headers)}`);
  assert.ok(ours.shown.at(-1) === theirs.shown.at(-1), `${path} ${JSON.stringify(headers)} unpacks to another text`);
  return ours.isPacked;
}

/** Makes a config map whose JSON, with the newline behind it, is of so many bytes. */
async function makeMap({ kubelith: { peer } }: Pair, name: string, size: number): Promise<string> {
  const path = `${MAPS}/${name}`;
  await must(peer, "POST", MAPS, { metadata: { name }, data: { text: "" } });
  for (let length = size / 2, attempt = 0; attempt < 5; attempt++) {
    await must(peer, "PUT", path, {
      metadata: { name },
      data: { text: "text ".repeat(size / 5 + 1).slice(0, length) },
    });
    const { text } = await peer.request("GET", path);
    if (text.length === size) return path;
    length += size - text.length;
  }
  throw new Error(`no config map of ${size} bytes`);
}

const ENCODINGS = [
  "",
  "identity",
  "deflate",
  "br",
  "GZIP",
  "x-gzip",
  "*",
  "gzip;q=0",
  "gzip;q=0.5",
  "deflate, gzip",
  "br,gzip;q=1",
];

pairTest("compression", async (pair, t) => {
  const gzip = { "accept-encoding": "gzip" };
  const large = await makeMap(pair, "large", THRESHOLD + 1);
  await t.step("above the threshold", async () => {
    const small = await makeMap(pair, "small", THRESHOLD);
    assert.equal(await compressed(pair, small, gzip), false);
    assert.equal(await compressed(pair, large, gzip), true);
  });
  for (const encodings of ENCODINGS) {
    await t.step(`accept-encoding: ${encodings}`, async () => {
      await compressed(pair, large, { "accept-encoding": encodings });
    });
  }
  for (const accept of ["application/json", "application/yaml", PROTOBUF, METADATA]) {
    await t.step(`a list as ${accept}`, async () => {
      await compressed(pair, MAPS, { ...gzip, accept });
    });
  }
  for (const path of [`${large}?pretty=true`, `${MAPS}/none`, "/apis"]) {
    await t.step(path, async () => {
      await compressed(pair, path, gzip);
    });
  }
  for (const path of ["/openapi/v2", "/metrics"]) {
    await t.step(path, async () => {
      for (const server of [pair.kubelith, pair.real]) {
        assert.equal((await raw(server, path, gzip)).headers["content-encoding"], "gzip", server.name);
      }
    });
  }
});
