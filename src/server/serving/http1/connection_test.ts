import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Http1Backend } from "./backend.ts";
import { Http1Connection } from "./connection.ts";

Deno.test("a client that ends right behind its request is answered, and nothing of it stays open", async () => {
  const handler = () => new Response("hello"), backend = new Http1Backend(handler);
  const info = { remoteAddress: "127.0.0.1", secure: true };
  const options = { backend, handler, mayUpgrade: () => false, upgraded: () => {} };
  const server = createServer({ allowHalfOpen: true }, (socket) => new Http1Connection(socket, info, options));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  for (let i = 0; i < 5; i++) {
    const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
    let answer = "";
    client.on("data", (chunk) => answer += chunk);
    client.end("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(client, "end");
    client.destroy();
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[^]*hello$/);
  }
  server.close();
  await once(server, "close");
  await backend.shutdown();
});
