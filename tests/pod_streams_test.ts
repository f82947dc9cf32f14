// exec, attach and port-forward through the whole server, at a kubelet that speaks no protocol in particular.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { issueCertificate, type IssuedCertificate } from "../src/server/serving/issue.ts";
import { type KubeletRequest, startKubelet } from "./support/kubelet.ts";
import { RawClient } from "./support/raw_client.ts";
import { freePort, startServer, type TestServer } from "./support/server.ts";

const PODS = "/api/v1/namespaces/default/pods";
const SWITCHING =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Kubelet: one\r\n\r\n";
const HOUR = 3_600_000;
const UPGRADE = ["Connection: Upgrade", "Upgrade: SPDY/3.1"];

interface Stage {
  server: TestServer;
  /** What the kubelet was asked, the last one last. */
  asked: KubeletRequest[];
  insecurePort: number;
}

Deno.test("streams between clients and kubelets", async (t) => {
  const asked: KubeletRequest[] = [], dir = await Deno.makeTempDir({ prefix: "kubelith-test-" });
  const ca = issueCertificate({ commonName: "ca", usage: "ca", lifetime: HOUR });
  const kubelet = await startKubelet(kubeletCertificate(ca), ca.cert, (request) => {
    asked.push(request);
    answer(request);
  });
  const stranger = await startKubelet(kubeletCertificate(), ca.cert, answer);
  const impostor = await startKubelet(kubeletCertificate(ca, "192.0.2.1"), ca.cert, answer);
  const insecurePort = await freePort();
  const server = await startServer({ dir, args: [...await kubeletFlags(dir, ca), `--insecure-port=${insecurePort}`] });
  const stage = { server, asked, insecurePort };
  try {
    await createNode(server, "node-a", kubelet.port);
    await createNode(server, "node-gone", await freePort());
    await createNode(server, "node-strange", stranger.port);
    await createNode(server, "node-impostor", impostor.port);
    const nodes = {
      here: "node-a",
      gone: "node-gone",
      strange: "node-strange",
      impostor: "node-impostor",
      nowhere: undefined,
    };
    for (const [name, nodeName] of Object.entries(nodes)) {
      await server.json("POST", PODS, {
        metadata: { name },
        spec: { nodeName, containers: [{ name: "c", image: "i" }] },
      });
    }
    await t.step("the kubelet sees the request, the client its answer, and then each other", () => echo(stage));
    await t.step("what the client says before it has an answer gets there", () => early(stage));
    await t.step("large amounts come through as they are", () => large(stage));
    await t.step("who does not listen makes the other wait", () => waits(stage));
    await t.step("a side that ends ends the other", () => ends(stage));
    await t.step("what a kubelet refuses is told as it tells it", () => refused(stage));
    await t.step("a kubelet that does not answer, or takes it for a request, is an error", () => unreachable(stage));
    await t.step("a stream may be the second request of a connection", () => reused(stage));
    await t.step("the right to get does not do: streams are created", () => authorized(stage));
    await t.step("without an upgrade there is no stream", () => ordinary(stage));
    await t.step("streams are measured while they are open, and counted at their end", () => measured(stage));
    await t.step("open streams do not keep a server that is to stop", () => stops(stage));
  } finally {
    await server.stop();
    await Promise.all([kubelet, stranger, impostor].map((each) => each.close()));
  }
});

function kubeletCertificate(issuer?: IssuedCertificate, address = "127.0.0.1"): IssuedCertificate {
  return issueCertificate({ commonName: "kubelet", names: [address], usage: "server", lifetime: HOUR }, issuer);
}

/** Flags by which the server has a certificate that kubelets take, and takes only theirs. */
async function kubeletFlags(dir: string, ca: IssuedCertificate): Promise<string[]> {
  const client = issueCertificate({ commonName: "apiserver", usage: "client", lifetime: HOUR }, ca);
  const files = { "kubelet-certificate-authority": ca.cert, "kubelet-client-certificate": client.cert };
  return await Promise.all(
    Object.entries({ ...files, "kubelet-client-key": client.key }).map(async ([flag, pem]) => {
      const file = join(dir, `${flag}.pem`);
      await Deno.writeTextFile(file, pem);
      return `--${flag}=${file}`;
    }),
  );
}

function answer({ line, socket }: KubeletRequest): void {
  if (line.includes("refuse")) {
    return void socket.end("HTTP/1.1 403 Forbidden\r\nX-Why: not you\r\nContent-Length: 6\r\n\r\nnot so");
  }
  if (line.includes("ordinary")) return void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  if (line.includes("/containerLogs/")) {
    socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello ");
    return flood(socket);
  }
  if (line.includes("gone")) return void socket.write(SWITCHING, () => socket.destroy());
  socket.write(`${SWITCHING}hello `);
  if (line.includes("silent")) return; // Nor does it listen.
  if (line.includes("flood")) return flood(socket);
  if (line.includes("bye")) return void socket.end("and bye");
  socket.pipe(socket);
}

async function createNode(server: TestServer, name: string, port: number): Promise<void> {
  const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } };
  await server.json("POST", "/api/v1/nodes", { metadata: { name }, status });
}

function open({ server }: Stage, path: string, fields: string[] = UPGRADE, method = "POST"): RawClient {
  const client = new RawClient(server);
  client.request(method, path, server.token, fields);
  return client;
}

async function echo(stage: Stage): Promise<void> {
  const query = "?command=echo&command=a%20b&stdin=true&stdout=true&tty=false";
  const fields = [
    ...UPGRADE,
    "X-Stream-Protocol-Version: v5.channel.k8s.io",
    "X-Stream-Protocol-Version: v4.channel.k8s.io",
  ];
  const client = open(stage, `${PODS}/here/exec${query}`, fields);
  await client.hears("hello ");
  client.say("and how are you?");
  assert.equal(await client.hears("you?"), `${SWITCHING}hello and how are you?`);
  client.close();
  const { line, fields: seen } = stage.asked.at(-1)!;
  assert.equal(line, "POST /exec/default/here/c?command=echo&command=a+b&input=1&output=1");
  const lower = seen.map((field) => field.toLowerCase());
  assert.deepEqual(lower.filter((field) => /^(authorization|x-forwarded-for|upgrade|host):/.test(field)).sort(), [
    "host: localhost",
    "upgrade: spdy/3.1",
    "x-forwarded-for: 127.0.0.1",
  ]);
  assert.deepEqual(lower.filter((field) => field.startsWith("x-stream")), [
    "x-stream-protocol-version: v5.channel.k8s.io",
    "x-stream-protocol-version: v4.channel.k8s.io",
  ]);
  for (
    const [path, expected] of [
      ["attach?container=c&stderr=1", "/attach/default/here/c?error=1"],
      ["portforward?ports=80&ports=81", "/portForward/default/here?port=80%2C81"],
    ]
  ) {
    const other = open(stage, `${PODS}/here/${path}`, ["connection: upgrade", "upgrade: websocket"], "GET");
    await other.hears("hello ");
    assert.equal(stage.asked.at(-1)!.line, `GET ${expected}`);
    other.close();
  }
}

async function early(stage: Stage): Promise<void> {
  const client = open(stage, `${PODS}/here/exec?command=x`);
  client.say("first words");
  assert.equal(await client.hears("words"), `${SWITCHING}hello first words`);
  client.close();
}

async function large(stage: Stage): Promise<void> {
  const client = open(stage, `${PODS}/here/exec?command=x`);
  await client.hears("hello ");
  const line = "0123456789abcdef".repeat(4096), times = 100;
  for (let i = 0; i < times; i++) client.say(line);
  client.say("end.");
  const heard = await client.hears("end.");
  assert.ok(heard === `${SWITCHING}hello ${line.repeat(times)}end.`, `${heard.length} bytes`);
  client.close();
}

const FLOOD = 96 * 1024 * 1024, PIECE = new Uint8Array(64 * 1024);

/** Bytes that sockets have been flooded with. */
const floods = new WeakMap<TLSSocket, number>();

/** Writes as fast as the other side takes it. */
function flood(socket: TLSSocket): void {
  let sent = 0;
  const more = () => {
    while (sent < FLOOD && !socket.destroyed) {
      sent += PIECE.length;
      if (!socket.write(PIECE)) break;
    }
    floods.set(socket, sent);
  };
  socket.on("drain", more);
  more();
}

async function waits(stage: Stage): Promise<void> {
  for (const [method, path] of [["POST", "exec?command=flood"], ["GET", "log?follow=true"]]) {
    const deaf = open(stage, `${PODS}/here/${path}`, method === "POST" ? UPGRADE : [], method);
    await deaf.hears("hello ");
    deaf.listen(false);
    const { socket } = stage.asked.at(-1)!;
    assert.ok(await standstill(() => floods.get(socket)!) < FLOOD, path);
    deaf.listen(true);
    await deaf.until((heard) => heard.length >= FLOOD + SWITCHING.length);
    deaf.close();
  }

  const loud = open(stage, `${PODS}/here/exec?command=silent`);
  await loud.hears("hello ");
  flood(loud.socket);
  assert.ok(await standstill(() => floods.get(loud.socket)!) < FLOOD);
  loud.close();
}

/** A number that grows, once it does no more. */
async function standstill(number: () => number): Promise<number> {
  for (let last = -1, still = 0; still < 10;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    still = number() === last ? still + 1 : 0;
    last = number();
  }
  return number();
}

async function ends(stage: Stage): Promise<void> {
  const byKubelet = open(stage, `${PODS}/here/exec?command=bye`);
  assert.equal(await byKubelet.theEnd(), `${SWITCHING}hello and bye`);
  const atOnce = open(stage, `${PODS}/here/exec?command=gone`);
  assert.equal(await atOnce.theEnd(), SWITCHING);
  for (const leave of ["end", "close"] as const) {
    const byClient = open(stage, `${PODS}/here/exec?command=x`);
    await byClient.hears("hello ");
    const { socket } = stage.asked.at(-1)!;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    byClient[leave]();
    await closed;
  }
}

async function refused(stage: Stage): Promise<void> {
  const heard = await open(stage, `${PODS}/here/exec?command=refuse`).theEnd();
  assert.match(heard, /^HTTP\/1\.1 403 Forbidden\r\n/);
  assert.match(heard, /\r\nx-why: not you\r\n/i);
  assert.match(heard, /\r\nconnection: close\r\n/i);
  assert.match(heard, /\r\n\r\nnot so$/);
}

async function unreachable(stage: Stage): Promise<void> {
  const gone = await open(stage, `${PODS}/gone/exec?command=x`).theEnd();
  assert.match(gone, /^HTTP\/1\.1 500 /);
  assert.match(
    statusOf(gone).message,
    /^error dialing backend: dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/,
  );
  const unverified = "error dialing backend: tls: failed to verify certificate: x509: certificate";
  for (const [pod, why] of [["strange", "signed by unknown authority"], ["impostor", "is not valid for 127.0.0.1"]]) {
    const { code, message } = statusOf(await open(stage, `${PODS}/${pod}/exec?command=x`).theEnd());
    assert.deepEqual([code, message], [500, `${unverified} ${why}`]);
  }
  const ordinary = statusOf(await open(stage, `${PODS}/here/exec?command=ordinary`).theEnd());
  assert.deepEqual([ordinary.code, ordinary.message], [500, "invalid upgrade response: status code 200"]);
  const nowhere = statusOf(await open(stage, `${PODS}/nowhere/exec?command=x`).theEnd());
  assert.deepEqual([nowhere.code, nowhere.message], [400, "pod nowhere does not have a host assigned"]);
}

async function reused(stage: Stage): Promise<void> {
  const { server } = stage, { token } = server;
  const after = new RawClient(server);
  after.request("GET", "/version", token);
  await after.hears("gitVersion");
  after.request("POST", `${PODS}/here/exec?command=x`, token, UPGRADE);
  await after.hears("hello ");
  after.say("again");
  assert.match(await after.hears("again"), /^HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 101 Switching[^]*hello again$/);
  after.close();
  const body = JSON.stringify({ metadata: { name: "sent" } });
  const behind = new RawClient(server);
  behind.request("POST", "/api/v1/namespaces/default/configmaps", token, [
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ]);
  behind.say(body);
  assert.match(await behind.hears('"sent"'), /^HTTP\/1\.1 201 /);
  behind.request("POST", `${PODS}/here/exec?command=x`, token, UPGRADE);
  assert.match(await behind.hears("hello "), /HTTP\/1\.1 101 [^]*hello $/);
  behind.close();
}

async function authorized(stage: Stage): Promise<void> {
  const { server } = stage, roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const apiGroup = "rbac.authorization.k8s.io";
  await server.json("POST", `${roles}/roles`, {
    metadata: { name: "reader" },
    rules: [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["get"] }],
  });
  await server.json("POST", `${roles}/rolebindings`, {
    metadata: { name: "reader" },
    roleRef: { apiGroup, kind: "Role", name: "reader" },
    subjects: [{ apiGroup, kind: "User", name: "jane" }],
  });
  const fields = ["Connection: Upgrade", "Upgrade: websocket", "Impersonate-User: jane"];
  const refused = statusOf(await open(stage, `${PODS}/here/exec?command=x`, fields, "GET").theEnd());
  assert.deepEqual([refused.code, refused.message], [403, 'pods "here" is forbidden: ']);
}

async function ordinary({ server, insecurePort }: Stage): Promise<void> {
  const response = await server.fetch(`${PODS}/here/exec?command=x`, { method: "POST" });
  assert.deepEqual([response.status, (await response.json()).message], [400, "Upgrade request required"]);
  const insecure = connect(insecurePort, "127.0.0.1");
  const lines = [`POST ${PODS}/here/exec?command=x HTTP/1.1`, "Host: a", `Authorization: Bearer ${server.token}`];
  insecure.end([...lines, ...UPGRADE, "Connection: close", "", ""].join("\r\n"));
  const chunks: Uint8Array[] = [];
  for await (const chunk of insecure) chunks.push(chunk);
  assert.match(
    Buffer.concat(chunks).toString(),
    /^HTTP\/1\.1 400 [^]*"unable to upgrade: only HTTP\/1\.1 connections to/,
  );
}

async function measured(stage: Stage): Promise<void> {
  const labels = 'verb="CONNECT",group="",version="v1",resource="pods",subresource="attach",scope="resource"';
  const value = async (metric: string) => {
    const lines = (await (await stage.server.fetch("/metrics")).text()).split("\n");
    const line = lines.find((line) => line.startsWith(`apiserver_${metric}{${labels}`) && !/code="[^1]/.test(line));
    return Number(line?.split(" ").at(-1) ?? 0);
  };
  const comes = async (metric: string, wanted: number) => {
    for (const deadline = Date.now() + 20_000; await value(metric) !== wanted;) {
      assert.ok(Date.now() < deadline, `${metric} never came to ${wanted}`);
    }
  };
  await comes("longrunning_requests", 0);
  const before = await value("request_total"), client = open(stage, `${PODS}/here/attach?container=c`);
  await client.hears("hello ");
  await comes("longrunning_requests", 1);
  assert.equal(await value("request_total"), before);
  client.close();
  await comes("longrunning_requests", 0);
  await comes("request_total", before + 1);
}

async function stops(stage: Stage): Promise<void> {
  const client = open(stage, `${PODS}/here/exec?command=x`);
  await client.hears("hello ");
  const idle = new RawClient(stage.server);
  stage.server.kill("SIGTERM");
  assert.equal(await stage.server.exited, 0);
  assert.equal(await client.theEnd(), `${SWITCHING}hello `);
  idle.close();
}

function statusOf(heard: string): { code: number; message: string } {
  return JSON.parse(heard.slice(heard.indexOf("\r\n\r\n") + 4));
}
