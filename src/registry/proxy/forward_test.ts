import assert from "node:assert/strict";
import { createServer } from "node:net";
import { StatusError } from "../../machinery/errors.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { ConnectRequest } from "../rest.ts";
import { escapePath, forward } from "./forward.ts";
import { UpgradedResponse } from "./upgraded_response.ts";
import { isGlobalUnicast, parseProxyTarget } from "./location.ts";

const PREFIX = "/api/v1/namespaces/default/pods/p:8080/proxy";

const context: RequestContext = {
  user: { name: "admin", uid: "", groups: [], extra: {} },
  namespace: "default",
  userAgent: "test",
  verb: "",
  signal: new AbortController().signal,
  addWarning() {},
  addAuditAnnotation() {},
};

function connectRequest(path: string, init: RequestInit = {}): ConnectRequest {
  const url = new URL(`https://api.example:6443${PREFIX}${path}`);
  const headers = new Headers(init.headers);
  headers.set("host", url.host);
  const [pathname] = `${PREFIX}${path}`.split("?");
  const request = new Request(url, { ...init, headers });
  return {
    options: {},
    request,
    url: { pathname, search: url.search },
    remoteAddress: "192.0.2.1",
    upgradable: false,
    path: decodeURIComponent(pathname).slice(PREFIX.length),
  };
}

/** Forwards one request to a backend that answers with `handle`. */
async function proxied(path: string, handle: Deno.ServeHandler, init?: RequestInit): Promise<Response> {
  const backend = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handle);
  try {
    const { port } = backend.addr;
    const answer = await forward(context, connectRequest(path, init), { scheme: "http", host: "127.0.0.1", port });
    const body = [204, 304].includes(answer.status) ? null : await answer.arrayBuffer();
    return new Response(body, answer);
  } finally {
    await backend.shutdown();
  }
}

Deno.test("a proxied request keeps its method, path, query and body, and loses its credentials", async () => {
  const echo: Deno.ServeHandler = async (request) => {
    const { pathname, search } = new URL(request.url);
    return Response.json({
      method: request.method,
      pathname,
      search,
      body: await request.text(),
      headers: [...request.headers],
    });
  };
  const answer = await proxied("/a%20b/?q=1", echo, {
    method: "POST",
    body: "hello",
    headers: {
      authorization: "Bearer secret",
      connection: "x-private",
      "x-private": "1",
      "x-kept": "1",
      "x-remote-user": "admin",
      "x-remote-extra-scopes": "all",
      "impersonate-group": "system:masters",
    },
  });
  const seen = await answer.json();
  assert.deepEqual([seen.method, seen.pathname, seen.search, seen.body], ["POST", "/a%20b/", "?q=1", "hello"]);
  const headers = new Headers(seen.headers);
  assert.equal(headers.get("authorization"), null);
  assert.equal(headers.get("x-private"), null);
  for (const name of headers.keys()) assert.doesNotMatch(name, /^(x-remote|impersonate)-/);
  assert.equal(headers.get("x-kept"), "1");
  assert.equal(headers.get("host"), "api.example:6443");
  assert.equal(headers.get("x-forwarded-for"), "192.0.2.1");
  assert.equal(headers.get("x-forwarded-uri"), `${PREFIX}/a%20b/`);
});

Deno.test("a path that climbs ends at the backend's root", async () => {
  const answer = await proxied("/a/../../b//c/", (request) => new Response(new URL(request.url).pathname));
  assert.equal(await answer.text(), "/b/c/");
});

Deno.test("a path that ends at the proxy is redirected to its root", async () => {
  const answer = await forward(context, connectRequest(""), { scheme: "http", host: "127.0.0.1", port: 1 });
  assert.equal(answer.status, 301);
  assert.equal(answer.headers.get("location"), `${PREFIX}/`);
});

Deno.test("redirects and links of pages lead through the proxy", async () => {
  const redirect = await proxied("/x", () => new Response(null, { status: 302, headers: { location: "/login?a=1" } }));
  assert.equal(redirect.headers.get("location"), `${PREFIX}/login?a=1`);
  const html =
    '<!doctype html><body><a href="/x?y=1">1</a><a href=rel>2</a><img src="http://other/i.png"><p title="/p">';
  const page = await proxied(
    "/",
    () => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } }),
  );
  assert.equal(
    await page.text(),
    `<!doctype html><body><a href="${PREFIX}/x?y=1">1</a><a href="rel">2</a><img src="http://other/i.png"><p title="/p">`,
  );
});

Deno.test("answers without a body and unusual codes come back as they are", async () => {
  assert.equal((await proxied("/x", () => new Response(null, { status: 204 }))).status, 204);
  const teapot = await proxied("/x", () => new Response("short", { status: 418 }));
  assert.deepEqual([teapot.status, await teapot.text()], [418, "short"]);
});

Deno.test("a backend does not open the server to other origins", async () => {
  const headers = { "access-control-allow-origin": "*", "access-control-allow-methods": "GET", "x-own": "1" };
  const answer = await proxied("/", () => new Response("", { headers }));
  assert.equal(answer.headers.get("x-own"), "1");
  assert.deepEqual([...answer.headers.keys()].filter((name) => name.startsWith("access-control")), []);
});

Deno.test("a backend that is not there is 503", async () => {
  const refused = forward(context, connectRequest("/"), { scheme: "http", host: "127.0.0.1", port: 1 });
  await assert.rejects(refused, (error) => {
    assert(error instanceof StatusError);
    assert.equal(error.code, 503);
    assert.equal(error.message, "error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused");
    return true;
  });
});

Deno.test("what stands in place of the object's name", () => {
  assert.deepEqual(parseProxyTarget("p"), { scheme: "http", name: "p", port: "" });
  assert.deepEqual(parseProxyTarget("p:80"), { scheme: "http", name: "p", port: "80" });
  assert.deepEqual(parseProxyTarget("https:p:"), { scheme: "https", name: "p", port: "" });
  for (const text of ["", ":80", "ftp:p:21", "a:b:c:d"]) assert.equal(parseProxyTarget(text), undefined);
});

Deno.test("the server's own addresses are not reached through it", () => {
  for (const address of ["10.1.2.3", "192.0.2.1", "2001:db8::1"]) assert(isGlobalUnicast(address), address);
  for (
    const address of [
      "",
      "name",
      "127.0.0.1",
      "::1",
      "169.254.1.1",
      "fe80::1",
      "224.0.0.1",
      "0.0.0.0",
      "::ffff:127.0.0.1",
    ]
  ) {
    assert(!isGlobalUnicast(address), address);
  }
});

Deno.test("paths are escaped as Go escapes them", () => {
  assert.equal(escapePath("/a b/ü?#!'()*[x]$&+,:;=@~"), "/a%20b/%C3%BC%3F%23%21%27%28%29%2A%5Bx%5D$&+,:;=@~");
});

/** A request for a WebSocket, and the head that a backend which answers with `answer` saw of it. */
async function upgraded(answer: string, headers: HeadersInit, upgradable = true) {
  let head = "";
  const backend = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (chunk) => {
      head = chunk.toString();
      socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
  const { port } = backend.address() as { port: number };
  const all = { connection: "Upgrade", upgrade: "websocket", ...Object.fromEntries(new Headers(headers)) };
  try {
    const request = { ...connectRequest("/chat?room=1", { headers: all }), upgradable };
    const response = await forward(context, request, { scheme: "http", host: "127.0.0.1", port });
    if (response instanceof UpgradedResponse) response.socket.destroy();
    return { response, head };
  } finally {
    await new Promise((resolve) => backend.close(resolve));
  }
}

const SWITCHING =
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Mixed: Case\r\n\r\n";

Deno.test("a WebSocket goes through: its request without the client's token, its answer as it is", async () => {
  const { response, head } = await upgraded(`${SWITCHING}first words`, {
    authorization: "Bearer secret",
    "sec-websocket-key": "a2V5",
    "sec-websocket-protocol": "base64url.bearer.authorization.k8s.io.c2VjcmV0, chat.example, other",
  });
  assert.ok(response instanceof UpgradedResponse);
  assert.equal(response.status, 101);
  assert.equal(new TextDecoder().decode(response.received), `${SWITCHING}first words`);
  const [line, ...fields] = head.toLowerCase().trimEnd().split("\r\n");
  assert.equal(line, "get /chat?room=1 http/1.1");
  assert.deepEqual(fields.sort(), [
    "connection: upgrade",
    "host: api.example:6443",
    "sec-websocket-key: a2v5",
    "sec-websocket-protocol: chat.example, other",
    "upgrade: websocket",
    "x-forwarded-for: 192.0.2.1",
  ]);
});

Deno.test("a WebSocket that is refused, and one that cannot be", async () => {
  const refusal = "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX-Why: so\r\nConnection: close\r\n\r\nno";
  const { response } = await upgraded(refusal, {});
  assert.deepEqual([response.status, response.headers.get("x-why"), await response.text()], [403, "so", "no"]);
  assert.equal(response.headers.get("connection"), null);
  const ordinary = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  await assert.rejects(upgraded(ordinary, {}), { code: 500, message: "invalid upgrade response: status code 200" });
  await assert.rejects(upgraded(SWITCHING, {}, false), { code: 400 });
});
