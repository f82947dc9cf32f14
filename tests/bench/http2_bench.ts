// What HTTP/2 itself costs: requests that come together on one connection, each answered with the same object, beside
// reading that object's JSON as often.
import { setImmediate } from "node:timers/promises";
import { concatBytes } from "../../src/machinery/bytes.ts";
import { ReadyResponse } from "../../src/endpoints/ready_response.ts";
import { Http2Connection } from "../../src/server/serving/http2/connection.ts";
import {
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

const TOGETHER = 16;
const text = JSON.stringify({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "a", namespace: "x", uid: crypto.randomUUID(), resourceVersion: "1", labels: { app: "web" } },
  data: { key: "v".repeat(600) },
});
const encoder = new HpackEncoder();
let sent = 0, streamId = 1;
const connection = new Http2Connection(
  { write: (bytes) => (sent += bytes.length) > 0, end: () => {} },
  {
    handler: () => Promise.resolve(new ReadyResponse(text, { headers: { "content-type": "application/json" } })),
    maxConcurrentStreams: 100,
    onError: (error) => console.error(error),
  },
);
connection.receive(PREFACE);
connection.receive(settingsFrame([[Setting.initialWindowSize, 1 << 20]]));

/** The head of a GET as client-go's transport sends it: what was said before is referred to. */
function request(): Uint8Array {
  const block = encoder.encode(200, [
    [":method", "GET"],
    [":scheme", "https"],
    [":authority", "127.0.0.1:6443"],
    [":path", `/api/v1/namespaces/x/configmaps/bench-${streamId % 1000}`],
    ["authorization", "Bearer token"],
    ["accept", "application/json"],
    ["user-agent", "kubelet/v1.36.3"],
  ]).slice(1);
  const frame = new Uint8Array(HEADER_LENGTH + block.length);
  const flags = Flag.endHeaders | Flag.endStream;
  writeFrameHeader(frame, 0, { length: block.length, type: FrameType.headers, flags, streamId });
  frame.set(block, HEADER_LENGTH);
  streamId += 2;
  return frame;
}

Deno.bench(`${TOGETHER} requests and answers`, { group: "http2" }, async () => {
  const frames = Array.from({ length: TOGETHER }, request);
  connection.receive(windowUpdateFrame(0, TOGETHER * text.length));
  connection.receive(concatBytes(frames, frames.reduce((sum, frame) => sum + frame.length, 0)));
  await setImmediate();
});

Deno.bench(`JSON.parse of ${TOGETHER} such objects`, { group: "http2", baseline: true }, () => {
  for (let i = 0; i < TOGETHER; i++) JSON.parse(text);
});
