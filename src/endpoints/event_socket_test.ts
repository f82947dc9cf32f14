import assert from "node:assert/strict";
import { hasReason } from "../machinery/errors.ts";
import type { Watcher } from "../storage/interface.ts";
import { isWebSocketRequest, upgradeToEventSocket } from "./event_socket.ts";
import { CONFIG_MAP, itemOf, servedKind } from "./testing.ts";
import { createObjectEncoder, JSON_LINES } from "./watch_encoder.ts";

Deno.test("a watch over a WebSocket sends one message for each event and closes at its end", async () => {
  const item = itemOf({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } });
  let ended = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    assert.ok(isWebSocketRequest(request.headers));
    const watcher: Watcher = {
      stop: () => void ended++,
      async *[Symbol.asyncIterator]() {
        yield [{ type: "ADDED" as const, item }, { type: "DELETED" as const, item }];
      },
    };
    return upgradeToEventSocket(request, watcher, createObjectEncoder(servedKind(CONFIG_MAP), JSON_LINES, undefined), {
      timeout: 60_000,
      signal: new AbortController().signal,
      onEvents: () => {},
      onEnd: () => void ended++,
      asText: true,
    });
  });
  const types: string[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}/`);
  await new Promise<void>((resolve) => {
    socket.onmessage = ({ data }) => types.push(JSON.parse(data).type);
    socket.onclose = () => resolve();
  });
  assert.deepEqual(types, ["ADDED", "DELETED"]);
  await server.shutdown();
  assert.equal(ended, 2);
});

Deno.test("a handshake without a key is refused, and its watch is not left open", () => {
  const request = new Request("http://localhost/", { headers: { connection: "Upgrade", upgrade: "websocket" } });
  assert.ok(isWebSocketRequest(request.headers));
  let stopped = 0;
  const watcher: Watcher = { stop: () => void stopped++, async *[Symbol.asyncIterator]() {} };
  const options = {
    timeout: 60_000,
    signal: new AbortController().signal,
    onEvents: () => {},
    onEnd: () => {},
    asText: true,
  };
  const encoder = createObjectEncoder(servedKind(CONFIG_MAP), JSON_LINES, undefined);
  assert.throws(() => upgradeToEventSocket(request, watcher, encoder, options), (e) => hasReason(e, "BadRequest"));
  assert.equal(stopped, 1);
});

Deno.test("who does not ask for the connection to be upgraded gets a plain watch", () => {
  const asks = (connection: string) => isWebSocketRequest(new Headers({ connection, upgrade: "WebSocket" }));
  assert.deepEqual(["keep-alive, Upgrade", "upgrade", "keep-alive", "no-upgrade"].map(asks), [
    true,
    true,
    false,
    false,
  ]);
});
