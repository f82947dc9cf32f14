import assert from "node:assert/strict";
import { BEARER_PROTOCOL, bearerToken, webSocketToken } from "./bearer_token.ts";
import type { AuthenticationRequest, AuthenticationResponse, TokenAuthenticator } from "./interface.ts";

const asked: { token: string; audiences: readonly string[] }[] = [];

/** Knows `good`; `bad` is its own and wrong. */
const TOKENS: TokenAuthenticator = {
  authenticateToken(token, audiences) {
    asked.push({ token, audiences });
    if (token === "bad") throw new Error("stolen");
    return token === "good" ? { user: { name: "jane", uid: "", groups: [], extra: {} } } : undefined;
  },
};

function request(headers: Record<string, string>, more: Partial<AuthenticationRequest> = {}): AuthenticationRequest {
  return { headers: new Headers(headers), url: new URL("https://server/api"), remoteAddress: "", ...more };
}

function byHeader(authorization: string, more: Partial<AuthenticationRequest> = {}) {
  const found = bearerToken(TOKENS, ["own"]).authenticateRequest(request({ authorization }, more));
  return (found as AuthenticationResponse | undefined)?.user.name;
}

Deno.test("the Authorization header's bearer token is whose it is", () => {
  for (const header of ["Bearer good", "bearer good", "BEARER good", "Bearer good extra"]) {
    assert.equal(byHeader(header), "jane", header);
  }
  for (const header of ["", "Bearer", "Bearer ", "Basic good", "good"]) {
    assert.equal(byHeader(header), undefined, header);
  }
  assert.equal(bearerToken(TOKENS, []).authenticateRequest(request({})), undefined);
});

Deno.test("a token that nobody knows is an error, with what its authenticator says of it", () => {
  assert.throws(() => byHeader("Bearer nobody"), /^Error: invalid bearer token$/);
  assert.throws(() => byHeader("Bearer bad"), /\[invalid bearer token, stolen]/);
});

Deno.test("of several Authorization headers the first counts", () => {
  const headers = new Headers({ authorization: "Bearer good" });
  headers.append("authorization", "Bearer bad");
  const found = bearerToken(TOKENS, []).authenticateRequest({ ...request({}), headers }) as AuthenticationResponse;
  assert.equal(found.user.name, "jane");
});

Deno.test("two spaces before the token make it none, which the client is told", () => {
  const warnings: string[] = [];
  assert.equal(byHeader("Bearer  good", { addWarning: (text) => warnings.push(text) }), undefined);
  assert.match(warnings[0], /contains extra space before the bearer token/);
});

Deno.test("tokens have to be good for the audiences asked for, or else for the server's own", () => {
  asked.length = 0;
  byHeader("Bearer good");
  byHeader("Bearer good", { audiences: ["theirs"] });
  assert.deepEqual(asked.map(({ audiences }) => audiences), [["own"], ["theirs"]]);
});

function encode(token: string): string {
  return BEARER_PROTOCOL + new TextEncoder().encode(token).toBase64({ alphabet: "base64url", omitPadding: true });
}

function bySocket(protocols: string, headers: Record<string, string> = {}) {
  const socket = { upgrade: "websocket", connection: "keep-alive, Upgrade", "sec-websocket-protocol": protocols };
  const found = webSocketToken(TOKENS, []).authenticateRequest(request({ ...socket, ...headers }));
  return (found as AuthenticationResponse | undefined)?.user.name;
}

Deno.test("a WebSocket may bring its token among its subprotocols", () => {
  assert.equal(bySocket(`v4.channel.k8s.io, ${encode("good")}`), "jane");
  assert.equal(bySocket(`${encode("good")},v4.channel.k8s.io`), "jane");
  assert.equal(bySocket("v4.channel.k8s.io"), undefined);
  assert.equal(bySocket(`v4.channel.k8s.io, ${encode("")}`), undefined);
  assert.equal(bySocket(`v4, ${encode("good")}`, { upgrade: "h2c" }), undefined);
  assert.equal(bySocket(`v4, ${encode("good")}`, { connection: "close" }), undefined);
  assert.throws(() => bySocket(`v4, ${encode("nobody")}`), /invalid bearer token/);
});

Deno.test("subprotocols that carry no token as they should", () => {
  assert.throws(() => bySocket(encode("good")), /missing additional subprotocol/);
  assert.throws(
    () => bySocket(`v4, ${encode("good")}, ${encode("good")}`),
    /multiple base64.bearer.authorization tokens/,
  );
  assert.throws(() => bySocket(`v4, ${BEARER_PROTOCOL}g=`), /invalid base64.bearer.authorization token encoding/);
  assert.throws(() => bySocket(`v4, ${BEARER_PROTOCOL}_w`), /invalid base64.bearer.authorization token$/);
});
