import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { ConnectionInfo } from "../../../endpoints/env.ts";
import { type BackendConnection, Http1Backend } from "./backend.ts";

const ALICE: ConnectionInfo = { remoteAddress: "192.0.2.1", secure: true };
const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

function connectAs(backend: Http1Backend, client: ConnectionInfo): Promise<BackendConnection> {
  return new Promise((resolve, reject) => backend.connect(client, resolve, () => reject(new Error("not connected"))));
}

async function answerTo(request: string, socket: Socket): Promise<string> {
  let answer = "";
  socket.on("data", (chunk) => answer += chunk);
  socket.write(request);
  await once(socket, "end");
  return answer;
}

Deno.test({
  name: "who takes a client's port at another address of the loopback network is not taken for the client",
  ignore: Deno.build.os !== "linux", // Elsewhere the network has one address.
  async fn() {
    const backend = new Http1Backend((_request, { remoteAddress }) => new Response(remoteAddress));
    const ours = await connectAs(backend, ALICE);
    const { remotePort: port, localPort } = ours.socket;
    const stranger = connect({ port: port!, host: "127.0.0.1", localAddress: "127.0.0.2", localPort });
    await once(stranger, "connect");
    assert.match(await answerTo(REQUEST, stranger), /^HTTP\/1\.1 403 (?![^]*192\.0\.2\.1)/);
    stranger.destroy();
    assert.match(await answerTo(REQUEST, ours.socket), /^HTTP\/1\.1 200 [^]*192\.0\.2\.1$/);
    ours.close();
    await backend.shutdown();
  },
});
