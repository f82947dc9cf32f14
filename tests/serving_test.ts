// The listeners of a whole server: what comes at them that is no request, and what they do when they are told to stop.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { freePort, startServer, type TestServer } from "./support/server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

Deno.test("connections that never become TLS leave nothing open", async () => {
  const server = await startServer();
  try {
    const before = openFiles(server.pid);
    for (let i = 0; i < 20; i++) await sendPlainText(server.port);
    // Torn down before the server gets to see them: it stands still meanwhile.
    server.kill("SIGSTOP");
    for (let i = 0; i < 40; i++) await tearDown(server.port);
    server.kill("SIGCONT");
    await eventually(() => openFiles(server.pid) <= before, () => `${openFiles(server.pid)} open, ${before} before`);
    assert.equal((await server.json("GET", "/api/v1/namespaces/default")).kind, "Namespace");
  } finally {
    await server.stop();
  }
});

Deno.test("who goes on with what is no HTTP/2 is cut off", async () => {
  const server = await startServer();
  try {
    const taken = await sendWithoutEnd(server.port, new Uint8Array(256 * 1024));
    assert.ok(taken < 64 * 1024 * 1024, `${taken} bytes`);
  } finally {
    await server.stop();
  }
});

Deno.test("SIGINT: every request that was accepted is answered, watches end cleanly, the exit code is 0", async () => {
  const server = await startServer({ args: ["--shutdown-delay-duration=300ms"] });
  const { dir } = server;
  const acknowledged = new Set<string>(), refused: string[] = [], broken: unknown[] = [];
  let going = true;
  const watches = Array.from({ length: 5 }, () => watchToItsEnd(server));
  const writer = async (id: number) => {
    for (let n = 0; going; n++) {
      const name = `w${id}-${n}`;
      try {
        await server.json("POST", CONFIG_MAPS, { metadata: { name } });
        acknowledged.add(name);
      } catch (e) {
        // After the listener has closed a new connection is refused: that is no accepted request.
        if (/connection refused|tcp connect error/i.test(String((e as Error).cause ?? e) + String(e))) return;
        (/: 429 |: 503 /.test(String(e)) ? refused : broken).push(e as string);
        return;
      }
    }
  };
  const writers = Array.from({ length: 8 }, (_, id) => writer(id));
  await eventually(() => acknowledged.size > 100, () => `${acknowledged.size} written`);
  server.kill("SIGINT");
  server.kill("SIGINT"); // As of Ctrl-C, when whoever started the server passes it on.
  assert.equal(await server.exited, 0);
  going = false;
  await Promise.all(writers);
  assert.deepEqual(broken, []);
  const events = await Promise.all(watches);
  for (const seen of events) assert.ok(seen > 0, "a watch saw nothing");
  await server.stop({ keepDir: true });
  const steps = server.log().match(/(?<=\] ")(Shutting down|Stopped listening|The server has stopped)(?=")/g);
  assert.deepEqual(steps, ["Shutting down", "Stopped listening", "The server has stopped"]);

  const again = await startServer({ dir });
  try {
    const list = await again.json<{ items: { metadata: { name: string } }[] }>("GET", CONFIG_MAPS);
    const names = new Set(list.items.map((item) => item.metadata.name));
    assert.deepEqual([...acknowledged].filter((name) => !names.has(name)), []);
  } finally {
    await again.stop();
  }
});

Deno.test("the insecure port serves plain HTTP, and a server that has one stops in good order", async () => {
  const port = await freePort();
  const server = await startServer({ args: [`--insecure-port=${port}`] });
  const headers = { authorization: `Bearer ${server.token}` };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/default`, { headers });
    assert.equal((await answer.json()).kind, "Namespace");
    const watch = await fetch(`http://127.0.0.1:${port}${CONFIG_MAPS}?watch=1`, { headers });
    server.kill("SIGTERM");
    await watch.text();
    assert.equal(await server.exited, 0, server.log());
  } finally {
    await server.stop();
  }
});

function openFiles(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

function sendPlainText(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    socket.resume();
    socket.once("error", () => {});
    socket.once("close", () => resolve());
  });
}

function tearDown(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.resetAndDestroy());
    socket.once("error", () => {});
    socket.once("close", () => resolve());
  });
}

/** How many bytes an HTTP/2 client could send that hears nothing, until its connection was cut. */
function sendWithoutEnd(port: number, piece: Uint8Array): Promise<number> {
  return new Promise((resolve) => {
    const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    const write = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("secureConnect", write);
    socket.on("drain", write);
    socket.on("error", () => {});
    socket.once("close", () => resolve(socket.bytesWritten));
  });
}

/** The number of events until the server ended the answer; throws when it was cut off instead. */
async function watchToItsEnd(server: TestServer): Promise<number> {
  const response = await server.fetch(`${CONFIG_MAPS}?watch=1`);
  assert.equal(response.status, 200);
  const lines = (await response.text()).trimEnd().split("\n");
  for (const line of lines) JSON.parse(line);
  return lines.length;
}

async function eventually(condition: () => boolean, state: () => string): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(state());
}
