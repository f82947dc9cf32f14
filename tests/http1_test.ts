// HTTP/1.1 on the secure port, byte for byte: where requests begin and end, and what becomes of those that do not.
import assert from "node:assert/strict";
import { RawClient } from "./support/raw_client.ts";
import { startServer, type TestServer } from "./support/server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const JSON_BODY = "Content-Type: application/json";

Deno.test("HTTP/1.1", async (t) => {
  const server = await startServer({ args: ["--disable-http2-serving"] });
  try {
    await t.step("requests that come at once are answered in turn", () => pipelined(server));
    await t.step("a request may come in any pieces", () => pieces(server));
    await t.step("bodies in chunks, and what is asked behind them", () => chunked(server));
    await t.step("a request that is none is refused", () => broken(server));
    await t.step("a client that will say no more is answered", () => halfClosed(server));
    await t.step("a watch goes over a WebSocket", () => webSocket(server));
  } finally {
    await server.stop();
  }
});

function body(name: string): string {
  return JSON.stringify({ metadata: { name }, data: { text: "x".repeat(1000) } });
}

/** Creates a ConfigMap with a body of known length. */
function create(client: RawClient, { token }: TestServer, name: string): void {
  const text = body(name);
  client.request("POST", CONFIG_MAPS, token, [JSON_BODY, `Content-Length: ${text.length}`]);
  client.say(text);
}

/** The codes of the answers that were heard. */
function codes(heard: string): number[] {
  return [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
}

async function pipelined(server: TestServer): Promise<void> {
  const client = new RawClient(server);
  create(client, server, "first");
  client.request("GET", `${CONFIG_MAPS}/first`, server.token);
  create(client, server, "second");
  client.request("GET", `${CONFIG_MAPS}/none`, server.token, ["Connection: close"]);
  assert.deepEqual(codes(await client.theEnd()), [201, 200, 201, 404]);
}

async function pieces(server: TestServer): Promise<void> {
  const client = new RawClient(server), text = body("pieces");
  const head = `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.token}\r\n${JSON_BODY}\r\n`;
  const all =
    `${head}Content-Length: ${text.length}\r\n\r\n${text}GET ${CONFIG_MAPS}/pieces HTTP/1.1\r\nHost: a\r\n\r\n`;
  for (let i = 0; i < all.length; i += 7) {
    client.say(all.slice(i, i + 7));
    await new Promise((resolve) => setTimeout(resolve));
  }
  assert.deepEqual(codes(await client.until((heard) => codes(heard).length === 2)), [201, 403]);
  client.close();
}

async function chunked(server: TestServer): Promise<void> {
  const client = new RawClient(server), text = body("chunks");
  client.request("POST", CONFIG_MAPS, server.token, [JSON_BODY, "Transfer-Encoding: chunked"]);
  for (let i = 0; i < text.length; i += 100) {
    const chunk = text.slice(i, i + 100);
    client.say(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  client.say("0\r\n\r\n");
  client.request("GET", `${CONFIG_MAPS}/chunks`, server.token, ["Connection: close"]);
  assert.deepEqual(codes(await client.theEnd()), [201, 200]);
}

async function broken(server: TestServer): Promise<void> {
  for (
    const head of [
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\n no field\r\n\r\n",
      "no request\r\n\r\n",
    ]
  ) {
    const client = new RawClient(server);
    client.say(head);
    assert.deepEqual(codes(await client.theEnd()), [400], head);
  }
}

async function halfClosed(server: TestServer): Promise<void> {
  const client = new RawClient(server);
  client.request("GET", "/version", server.token);
  client.end();
  assert.match(await client.theEnd(), /^HTTP\/1\.1 200 [^]*gitVersion/);
  const silent = new RawClient(server);
  silent.end();
  assert.equal(await silent.theEnd(), "");
}

async function webSocket(server: TestServer): Promise<void> {
  const client = new RawClient(server);
  const key = ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"];
  client.request("GET", `${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name=first`, server.token, [
    "Connection: Upgrade",
    "Upgrade: websocket",
    ...key,
  ]);
  const heard = await client.hears('"first"');
  assert.match(heard, /^HTTP\/1\.1 101 /);
  assert.match(heard, /s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/);
  client.close();
}
