import assert from "node:assert/strict";
import { startIssuer, type TestIssuer } from "../../../tests/support/issuer.ts";
import { oidcTokens } from "./authenticator.ts";
import type { JwtAuthenticatorConfig } from "./interface.ts";

type Changes = Partial<JwtAuthenticatorConfig>;

interface World {
  issuer: TestIssuer;
  claims(changes?: Record<string, unknown>): Record<string, unknown>;
  authenticator(changes?: Changes): (token: string) => Promise<Record<string, unknown> | undefined>;
  stop: AbortController;
}

const QUIET = { sanitizeOps: false, sanitizeResources: false };

async function withIssuer(test: (world: World) => Promise<void>): Promise<void> {
  const issuer = await startIssuer(), stop = new AbortController();
  const claims = (changes = {}) => {
    const now = Math.floor(Date.now() / 1000);
    return { aud: "kube", sub: "jane", groups: ["dev"], jti: "1", exp: now + 60, ...changes };
  };
  const authenticator = (changes: Changes = {}) => {
    const { authenticateToken } = oidcTokens({ config: config(issuer, changes), signal: stop.signal });
    return async (token: string) =>
      (await authenticateToken(token, []))?.user as unknown as Record<string, unknown> | undefined;
  };
  try {
    await test({ issuer, claims, authenticator, stop });
  } finally {
    stop.abort();
    await issuer.stop();
  }
}

function config({ url, ca }: TestIssuer, changes: Changes): JwtAuthenticatorConfig {
  return {
    issuer: { url, discoveryUrl: "", certificateAuthority: ca, audiences: ["kube", "other"] },
    algorithms: ["ES256"],
    requiredClaims: {},
    claimRules: [],
    username: { claim: "sub", prefix: "oidc:", expression: "" },
    groups: { claim: "groups", prefix: "g:", expression: "" },
    extra: [],
    userRules: [],
    ...changes,
  };
}

Deno.test("the claims of a token are its user", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator({ uid: { claim: "oid", prefix: "", expression: "" } });
    assert.deepEqual(await ask(issuer.token(claims({ oid: "7" }))), {
      name: "oidc:jane",
      uid: "7",
      groups: ["g:dev"],
      extra: { "authentication.kubernetes.io/credential-id": ["JTI=1"] },
    });
    assert.deepEqual((await ask(issuer.token(claims({ oid: "7", groups: "ops" }))))?.groups, ["g:ops"]);
    await assert.rejects(ask(issuer.token(claims())), /oidc: parse uid claim "oid": claim not present/);
    await assert.rejects(ask(issuer.token(claims({ oid: "7", groups: 5 }))), /oidc: parse groups claim "groups"/);
  });
});

Deno.test("whose issuer is another one is somebody else's to judge", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator();
    assert.equal(await ask(issuer.token(claims({ iss: "https://other.example" }))), undefined);
    assert.equal(await ask("abc"), undefined);
  });
});

Deno.test("a token has its audience, its time and the issuer's signature", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator(), now = Math.floor(Date.now() / 1000);
    assert.ok(await ask(issuer.token(claims({ aud: ["x", "other"] }))));
    assert.ok(await ask(issuer.token(claims({ nbf: now + 50 }))));
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ aud: "x" }, /^Error: oidc: verify token: oidc: expected audience in \["kube" "other"] got \["x"]$/],
      [{ aud: undefined }, /expected audience/],
      [{ exp: now - 1 }, /oidc: token is expired \(Token Expiry: /],
      [{ exp: undefined }, /oidc: token is expired/],
      [{ exp: 1e30 }, /oidc: token is expired/],
      [{ exp: null }, /oidc: failed to unmarshal claims: strconv/],
      [{ iat: "soon" }, /invalid number literal/],
      [{ nbf: now + 90 }, /before the nbf \(not before\) time/],
      [{ sub: 5 }, /cannot unmarshal number into Go struct field idToken.sub of type string$/],
      [{ aud: ["kube", 5] }, /cannot unmarshal number into Go struct field idToken.aud of type string$/],
      [{ nonce: {} }, /cannot unmarshal object into Go struct field idToken.nonce/],
      [{ _claim_names: { groups: 5 } }, /idToken._claim_names of type string$/],
    ];
    for (const [changes, problem] of wrong) await assert.rejects(ask(issuer.token(claims(changes))), problem);
    const [header, payload, signature] = issuer.token(claims()).split(".");
    const forged = btoa(JSON.stringify({ alg: "none" })).replace(/=+$/, "");
    const unsupported = /signed with unsupported algorithm, expected \["ES256"] got "none"$/;
    await assert.rejects(ask(`${forged}.${payload}.`), unsupported);
    const [, others] = issuer.token(claims({ sub: "admin" })).split(".");
    await assert.rejects(ask(`${header}.${others}.${signature}`), /failed to verify signature/);
  });
});

Deno.test("claims that have to be there", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator({ requiredClaims: { hd: "example.com" } });
    assert.ok(await ask(issuer.token(claims({ hd: "example.com" }))));
    await assert.rejects(ask(issuer.token(claims())), /required claim hd not present in ID token/);
    await assert.rejects(
      ask(issuer.token(claims({ hd: "x" }))),
      /required claim hd value does not match. Got = x, want = example.com/,
    );
    const byMail = authenticator({ username: { claim: "email", prefix: "", expression: "" } });
    const mail = { email: "jane@example.com" };
    assert.equal((await byMail(issuer.token(claims(mail))))?.name, "jane@example.com");
    assert.ok(await byMail(issuer.token(claims({ ...mail, email_verified: true }))));
    await assert.rejects(byMail(issuer.token(claims({ ...mail, email_verified: false }))), /oidc: email not verified/);
  });
});

Deno.test("null is as good as absent where Go takes it so", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator({ uid: { claim: "oid", prefix: "", expression: "" } });
    assert.deepEqual(await ask(issuer.token(claims({ sub: null, oid: null, groups: null, nbf: null, jti: null }))), {
      name: "oidc:",
      uid: "",
      groups: [],
      extra: {},
    });
  });
});

Deno.test("tokens with keys that nobody has make the server ask for keys now and then only", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator(), [header, payload, signature] = issuer.token(claims()).split(".");
    const kid = (kid: string) => {
      const changed = { ...JSON.parse(atob(header)), kid };
      return `${btoa(JSON.stringify(changed)).replace(/=+$/, "")}.${payload}.${signature}`;
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => assert.rejects(ask(kid(`${i}`)), /failed to verify/)));
    assert.equal(issuer.requests.get("/keys"), 1);
  });
});

Deno.test("keys are fetched once, and again when the issuer signs with another one", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator();
    for (let i = 0; i < 3; i++) await ask(issuer.token(claims()));
    assert.equal(issuer.requests.get("/keys"), 1);
    issuer.rotate();
    const deadline = Date.now() + 15_000;
    const token = issuer.token(claims());
    while (await ask(token).catch(() => undefined) === undefined) {
      assert.ok(Date.now() < deadline, "the new key was never found");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.equal(issuer.requests.get("/keys"), 2);
  });
});

Deno.test("groups that the issuer keeps elsewhere are fetched", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const ask = authenticator();
    issuer.pages.set("/groups", (authorization) => {
      return authorization === "Bearer key" ? issuer.token(claims({ groups: ["far"] })) : "no";
    });
    const elsewhere = (endpoint: string) =>
      claims({
        groups: undefined,
        _claim_names: { groups: "src" },
        _claim_sources: { src: { endpoint: `${issuer.url}${endpoint}`, access_token: "key" } },
      });
    assert.deepEqual((await ask(issuer.token(elsewhere("/groups"))))?.groups, ["g:far"]);
    await assert.rejects(ask(issuer.token(elsewhere("/nowhere"))), /could not expand distributed claims/);
  });
});

Deno.test("expressions make the user out of the claims and judge both", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    const mapping = (expression: string) => ({ claim: "", prefix: "", expression });
    const ask = authenticator({
      username: mapping("'ext:' + claims.sub"),
      groups: mapping("claims.groups.map(g, 'x-' + g) + (has(claims.role) ? [claims.role] : [])"),
      uid: mapping("claims.?oid.orValue('none')"),
      extra: [{ key: "example.com/tenant", expression: "claims.tenant" }],
      claimRules: [{ expression: "claims.exp - claims.iat <= 90", message: "too long" }],
      userRules: [{ expression: "!user.username.startsWith('ext:system:')", message: "reserved" }],
    });
    const iat = Math.floor(Date.now() / 1000);
    assert.deepEqual(await ask(issuer.token(claims({ iat, role: "admin", tenant: ["a", ""] }))), {
      name: "ext:jane",
      groups: ["x-dev", "admin"],
      uid: "none",
      extra: { "authentication.kubernetes.io/credential-id": ["JTI=1"], "example.com/tenant": ["a"] },
    });
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ iat: iat - 60, tenant: "a" }, /claim validation expression: validation expression .* failed: too long$/],
      [
        { iat, tenant: "a", sub: "system:masters" },
        /user info validation rule: validation expression .* failed: reserved/,
      ],
      [{ iat }, /error evaluating extra claim expression: .* no such key: tenant/],
      [{ iat, tenant: 5 }, /expression must return a string or a list of strings/],
      [{ iat, tenant: "a", sub: null }, /error evaluating username claim expression: .* no such overload/],
    ];
    for (const [changes, problem] of wrong) await assert.rejects(ask(issuer.token(claims(changes))), problem);
  });
});

Deno.test("an issuer that is another one than it says is not taken", QUIET, async () => {
  await withIssuer(async ({ issuer, claims, authenticator }) => {
    issuer.pages.set("/discovery", () => JSON.stringify({ issuer: "https://other", jwks_uri: `${issuer.url}/keys` }));
    const { url, ca } = issuer;
    const ask = authenticator({
      issuer: { url, discoveryUrl: `${url}/discovery`, certificateAuthority: ca, audiences: ["kube"] },
    });
    await assert.rejects(ask(issuer.token(claims())), /oidc: authenticator not initialized/);
  });
});
