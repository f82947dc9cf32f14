import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Http1Backend } from "./backend.ts";
import { Http1Connection } from "./connection.ts";

/** Runs `test` with a function that makes connections to a server that answers with the length of a request's body. */
async function withServer(test: (connected: () => Socket) => Promise<void>): Promise<void> {
  const handler = async (request: Request) => new Response(`${(await request.bytes()).length} bytes`);
  const info = { remoteAddress: "127.0.0.1", secure: true }, backend = new Http1Backend(handler);
  const options = { backend, handler, mayUpgrade: () => false, upgraded: () => {} };
  const server = createServer({ allowHalfOpen: true }, (socket) => new Http1Connection(socket, info, options));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await test(() => connect({ port, host: "127.0.0.1", allowHalfOpen: true }));
  server.close();
  await once(server, "close");
  await backend.shutdown();
}

/** What is answered to what is said, until the server closes. */
async function answerOf(client: Socket): Promise<string> {
  let answer = "";
  client.on("data", (chunk) => answer += chunk);
  client.on("error", () => {});
  await Promise.race([once(client, "end"), once(client, "close")]);
  client.destroy();
  return answer;
}

Deno.test("a client that ends right behind its request is answered, and nothing of it stays open", () =>
  withServer(async (connected) => {
    for (let i = 0; i < 5; i++) {
      const client = connected();
      client.end("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      assert.match(await answerOf(client), /^HTTP\/1\.1 200 OK\r\n[^]*0 bytes$/);
    }
  }));

Deno.test("a request behind a body in chunks is found, and trailers without end are not kept", () =>
  withServer(async (connected) => {
    const head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n";
    const one = connected();
    one.end(`${head}X: y\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(await answerOf(one), /3 bytes[^]*0 bytes$/);
    const endless = connected();
    endless.write(head);
    endless.write("X-Field: value\r\n".repeat(1000));
    assert.equal(await answerOf(endless), "");
  }));
