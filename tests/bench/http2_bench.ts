// What HTTP/2 itself costs: requests that come together on one connection, each answered with the same object, beside
// reading that object's JSON as often; and what a whole server makes of such requests, from the client's bytes to its own.
import facts from "../../src/facts/features.json" with { type: "json" };
import { PLUGINS } from "../../src/admission/plugins.ts";
import { concatBytes } from "../../src/machinery/bytes.ts";
import { ReadyResponse } from "../../src/endpoints/ready_response.ts";
import { createServerChain } from "../../src/server/chain.ts";
import { newServerConfig } from "../../src/server/new_config.ts";
import { Http2Connection, type Http2Options } from "../../src/server/serving/http2/connection.ts";
import { FrameReader } from "../../src/server/serving/http2/frame_reader.ts";
import {
  DEFAULT_FRAME_SIZE,
  Flag,
  FrameType,
  HEADER_LENGTH,
  PREFACE,
  Setting,
  settingsFrame,
  windowUpdateFrame,
  writeFrameHeader,
} from "../../src/server/serving/http2/frames.ts";
import { HpackEncoder } from "../../src/server/serving/http2/hpack/encoder.ts";
import { workerEntry } from "../../src/worker.ts";

const TOGETHER = 16;
const COLLECTION = "/api/v1/namespaces/default/configmaps";

interface BenchRequest {
  method: string;
  path: string;
  body?: string;
}

/** One connection, and as much of a client as is needed to keep it busy. */
class Client {
  readonly #connection: Http2Connection;
  readonly #encoder = new HpackEncoder();
  readonly #reader = new FrameReader(DEFAULT_FRAME_SIZE);
  #streamId = 1;
  #waiting = 0;
  /** Bytes of answers since the server was last given room for as many more. */
  #taken = 0;
  #answered = () => {};

  constructor(handler: Http2Options["handler"]) {
    this.#reader.read(PREFACE, () => {});
    this.#connection = new Http2Connection(
      { write: (bytes) => this.#receive(bytes), end: () => {} },
      { handler, maxConcurrentStreams: 100, onError: (error) => console.error(error) },
    );
    this.#connection.receive(PREFACE);
    this.#connection.receive(settingsFrame([[Setting.initialWindowSize, 1 << 20]]));
  }

  /** Sends requests at once. Resolves when all of them have been answered. */
  async send(requests: readonly BenchRequest[]): Promise<void> {
    const frames = requests.flatMap((request) => this.#frames(request));
    this.#waiting = requests.length;
    const answered = new Promise<void>((resolve) => this.#answered = resolve);
    if (this.#taken > 0) this.#connection.receive(windowUpdateFrame(0, this.#taken));
    this.#taken = 0;
    this.#connection.receive(concatBytes(frames, frames.reduce((sum, frame) => sum + frame.length, 0)));
    await answered;
  }

  #receive(bytes: Uint8Array): boolean {
    this.#reader.read(bytes, ({ type, flags, payload }) => {
      if (type === FrameType.data) this.#taken += payload.length;
      if (type <= FrameType.headers && flags & Flag.endStream && --this.#waiting === 0) this.#answered();
    });
    return true;
  }

  /** A request as client-go's transport sends it: what was said before is referred to. */
  #frames({ method, path, body }: BenchRequest): Uint8Array[] {
    const streamId = this.#streamId;
    this.#streamId += 2;
    const payload = new TextEncoder().encode(body ?? "");
    const block = this.#encoder.encode(200, [
      [":method", method],
      [":scheme", "https"],
      [":authority", "127.0.0.1:6443"],
      [":path", path],
      ["authorization", "Bearer token"],
      ["accept", "application/json"],
      ["user-agent", "kubelet/v1.36.3"],
      ...(body === undefined ? [] : [["content-length", String(payload.length)] as const]),
    ]).slice(1);
    const end = body === undefined ? Flag.endStream : 0;
    const head = frameOf(FrameType.headers, Flag.endHeaders | end, streamId, block);
    return body === undefined ? [head] : [head, frameOf(FrameType.data, Flag.endStream, streamId, payload)];
  }
}

function frameOf(type: number, flags: number, streamId: number, payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEADER_LENGTH + payload.length);
  writeFrameHeader(frame, 0, { length: payload.length, type, flags, streamId });
  frame.set(payload, HEADER_LENGTH);
  return frame;
}

const text = JSON.stringify({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "a", namespace: "default", uid: crypto.randomUUID(), resourceVersion: "1", labels: { app: "web" } },
  data: { key: "v".repeat(600) },
});
const headers = { "content-type": "application/json" };
const client = new Client(() => new ReadyResponse(text, { headers }));
let next = 0;
const get = (): BenchRequest => ({ method: "GET", path: `${COLLECTION}/bench-${next++ % 1000}` });

Deno.bench(`${TOGETHER} requests and answers`, { group: "http2" }, async () => {
  await client.send(Array.from({ length: TOGETHER }, get));
});

Deno.bench(`JSON.parse of ${TOGETHER} such objects`, { group: "http2", baseline: true }, () => {
  for (let i = 0; i < TOGETHER; i++) JSON.parse(text);
});

const onByDefault = new Set(facts.admission_plugins_on_by_default);
const config = newServerConfig();
config.generic.authorization.modes = ["Node", "RBAC"];
config.generic.authentication.tokenFile = {
  file: "",
  rows: [{ token: "token", user: "admin", uid: "", groups: ["system:masters"] }],
};
config.generic.admission.plugins = [...PLUGINS.keys()].filter((p) => onByDefault.has(p) && p !== "ServiceAccount");
const { app } = await createServerChain(config, { workerUrl: workerEntry(), stopped: new AbortController().signal });
const connection = { remoteAddress: "127.0.0.1", secure: true };
const user = new Client((request) => app.fetch(request, connection));

let created = 0;
const create = (name: string): BenchRequest => ({
  method: "POST",
  path: COLLECTION,
  body: JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata: { name }, data: { key: "v".repeat(600) } }),
});
await user.send([{ method: "POST", path: "/api/v1/namespaces", body: '{"metadata":{"name":"default"}}' }]);
for (let i = 0; i < 1000; i++) await user.send([create(`bench-${i}`)]);

Deno.bench(`${TOGETHER} gets of a server`, { group: "server", baseline: true }, async () => {
  await user.send(Array.from({ length: TOGETHER }, get));
});

Deno.bench(`${TOGETHER} creates of a server`, { group: "server" }, async () => {
  await user.send(Array.from({ length: TOGETHER }, () => create(`created-${created++}`)));
});
