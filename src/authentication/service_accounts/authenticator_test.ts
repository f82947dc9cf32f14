import assert from "node:assert/strict";
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { KubeObject } from "../../machinery/types.ts";
import type { AuthenticationResponse, ObjectGetter } from "../interface.ts";
import { tokenUnion } from "../union.ts";
import { tokenIssuer } from "./issuer.ts";
import { keyId, VerificationKeys } from "./keys.ts";
import { serviceAccountAuthenticators } from "./mod.ts";
import { signingKeyOf } from "./pem.ts";

const ISSUER = "https://issuer.example";
const AUDIENCES = [ISSUER];

function keyPair(): { key: KeyObject; pem: string; id: string } {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs1", format: "pem" }) as string;
  return { key: signingKeyOf(pem), pem, id: keyId(createPublicKey(pem)) };
}

const MAIN = keyPair(), OLD = keyPair(), STRANGER = keyPair();

function encode(value: unknown): string {
  return new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
}

type Header = Record<string, unknown>;

/** A token with whatever header and signature a test wants. */
function forge(claims: object, { header = {}, key = MAIN, signature }: {
  header?: Header;
  key?: typeof MAIN;
  signature?: (signed: string) => string;
} = {}): string {
  const signed = `${encode({ alg: "RS256", kid: key.id, ...header })}.${encode(claims)}`;
  const rsa = () => sign("sha256", new TextEncoder().encode(signed), key.key).toString("base64url");
  return `${signed}.${signature === undefined ? rsa() : signature(signed)}`;
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    iss: ISSUER,
    sub: "system:serviceaccount:default:robot",
    aud: AUDIENCES,
    exp: now() + 600,
    iat: now(),
    nbf: now(),
    jti: "token-1",
    "kubernetes.io": { namespace: "default", serviceaccount: { name: "robot", uid: "uid-1" } },
    ...changes,
  };
}

function bound(reference: Record<string, unknown>) {
  const account = { namespace: "default", serviceaccount: { name: "robot", uid: "uid-1" } };
  return claims({ "kubernetes.io": { ...account, ...reference } });
}

const ROBOT: KubeObject = { kind: "ServiceAccount", apiVersion: "v1", metadata: { name: "robot", uid: "uid-1" } };

function authenticator(objects: Record<string, KubeObject> = {}) {
  const there: Record<string, KubeObject> = { "serviceaccounts/default/robot": ROBOT, ...objects };
  const labels: Record<string, string>[] = [], uses: string[] = [];
  const getter: ObjectGetter = (resource, namespace, name) => there[`${resource}/${namespace}/${name}`];
  const tokens = tokenUnion(serviceAccountAuthenticators({
    issuers: [ISSUER, "https://before.example"],
    keys: new VerificationKeys([{ pem: MAIN.pem + OLD.pem }]),
    audiences: AUDIENCES,
    lookup: true,
    getter,
    label: (_secret, set) => Promise.resolve(void labels.push(set)),
    count: (use) => void uses.push(use),
  }));
  const ask = async (token: string, audiences: readonly string[] = []): Promise<AuthenticationResponse | undefined> =>
    await tokens.authenticateToken(token, audiences);
  return { ask, labels, uses };
}

const { ask, uses } = authenticator();
const BAD_SIGNATURE = /error in cryptographic primitive/;

Deno.test("a token that the issuer made is its account, with its pod and node", async () => {
  const issue = tokenIssuer({ issuer: ISSUER, signingKey: MAIN.key });
  const own = bound({ pod: { name: "web", uid: "pod-1" }, node: { name: "n", uid: "node-1" } });
  const token = await issue(own as unknown as Parameters<typeof issue>[0]);
  const pod: KubeObject = { kind: "Pod", apiVersion: "v1", metadata: { name: "web", uid: "pod-1" } };
  assert.deepEqual((await authenticator({ "pods/default/web": pod }).ask(token))?.user, {
    name: "system:serviceaccount:default:robot",
    uid: "uid-1",
    groups: ["system:serviceaccounts", "system:serviceaccounts:default"],
    extra: {
      "authentication.kubernetes.io/credential-id": ["JTI=token-1"],
      "authentication.kubernetes.io/node-name": ["n"],
      "authentication.kubernetes.io/node-uid": ["node-1"],
      "authentication.kubernetes.io/pod-name": ["web"],
      "authentication.kubernetes.io/pod-uid": ["pod-1"],
    },
  });
  await assert.rejects(ask(token), /service account token has been invalidated/);
});

Deno.test("ECDSA keys sign with the algorithm of their curve", async () => {
  for (const [namedCurve, alg] of [["P-256", "ES256"], ["P-384", "ES384"], ["P-521", "ES512"]]) {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve });
    const pem = privateKey.export({ type: "sec1", format: "pem" }) as string;
    const issue = tokenIssuer({ issuer: ISSUER, signingKey: signingKeyOf(pem) });
    const token = await issue(claims() as unknown as Parameters<typeof issue>[0]);
    assert.equal(JSON.parse(atob(token.split(".")[0])).alg, alg);
    const [, tokens] = serviceAccountAuthenticators({
      issuers: [ISSUER],
      keys: new VerificationKeys([{ pem }]),
      audiences: AUDIENCES,
      lookup: true,
      getter: () => ROBOT,
      label: () => Promise.resolve(),
    });
    assert.equal((await tokens.authenticateToken(token, []))?.user.uid, "uid-1");
  }
});

Deno.test("an old key goes on verifying, with and without a key id", async () => {
  assert.ok(await ask(forge(claims(), { key: OLD })));
  assert.ok(await ask(forge(claims(), { key: OLD, header: { kid: undefined } })));
  assert.ok(await ask(forge(claims({ iss: "https://before.example" }))));
});

Deno.test("what is no token of ours is somebody else's to judge", async () => {
  for (const token of ["abc", "a.b", "a.b.c", forge(claims({ iss: "https://other.example" })), `{"a":1}`]) {
    assert.equal(await ask(token), undefined, token);
  }
});

Deno.test("signatures that no key of ours made are refused", async () => {
  const { pem } = MAIN, publicPem = createPublicKey(pem).export({ type: "spki", format: "pem" }) as string;
  const hmac = (signed: string) => createHmac("sha256", publicPem).update(signed).digest("base64url");
  const stranger = createPublicKey(STRANGER.pem).export({ format: "jwk" });
  const forged: Record<string, string> = {
    "another key under our key id": forge(claims(), { key: STRANGER, header: { kid: MAIN.id } }),
    "another key that brings itself": forge(claims(), { key: STRANGER, header: { kid: MAIN.id, jwk: stranger } }),
    "another key at an address": forge(claims(), { key: STRANGER, header: { kid: undefined, jku: "https://x" } }),
    "algorithm none": forge(claims(), { header: { alg: "none" }, signature: () => "" }),
    "algorithm None": forge(claims(), { header: { alg: "None" } }),
    "no algorithm": forge(claims(), { header: { alg: undefined } }),
    "the public key as a shared secret": forge(claims(), { header: { alg: "HS256" }, signature: hmac }),
    "an algorithm of other keys": forge(claims(), { header: { alg: "ES256" } }),
    "no signature": forge(claims(), { signature: () => "" }),
    "a signature of something else": forge(claims(), { signature: () => forge({}).split(".")[2] }),
    "a critical extension nobody knows": forge(claims(), { header: { crit: ["x"], x: 1 } }),
  };
  for (const [what, token] of Object.entries(forged)) await assert.rejects(ask(token), BAD_SIGNATURE, what);
  await assert.rejects(ask(forge(claims(), { key: STRANGER })), /invalid signature, no keys found/);
  await assert.rejects(ask(forge(claims(), { header: { kid: "../../etc/passwd" } })), /no keys found/);
});

Deno.test("what could be read in two ways is no token", async () => {
  const [header, payload, signature] = forge(claims()).split(".");
  for (const token of [`${header}.${payload}.${signature}=`, `${header}.${payload}=.${signature}`]) {
    assert.equal(await ask(token), undefined);
  }
  const rawHeader = (text: string) => {
    const encoded = new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
    const signed = `${encoded}.${payload}`;
    return `${signed}.${sign("sha256", new TextEncoder().encode(signed), MAIN.key).toString("base64url")}`;
  };
  for (const text of ['{"alg":"none","alg":"RS256"}', '{"alg":"RS256"} x', '\ufeff{"alg":"RS256"}', '{"alg":5}']) {
    assert.equal(await ask(rawHeader(text)), undefined, text);
  }
  assert.equal((await ask(rawHeader('{"alg":"RS256"}')))?.user.name, "system:serviceaccount:default:robot");
  for (const header of [{ kid: 5 }, { kid: ["a"] }, { nonce: 5 }]) {
    assert.equal(await ask(forge(claims(), { header })), undefined);
  }
  for (const header of [{ b64: false }, { b64: false, crit: ["b64"] }, { crit: ["x"], x: 1 }]) {
    await assert.rejects(ask(forge(claims(), { header })), /error in cryptographic primitive/);
  }
});

Deno.test("claims of other types than they should be are refused, null is as good as absent", async () => {
  const account = { namespace: "default", serviceaccount: { name: "robot", uid: "uid-1" } };
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ sub: 5 }, /cannot unmarshal number into Go value of type string/],
    [{ jti: {} }, /cannot unmarshal object into Go value of type string/],
    [{ exp: 1e30 }, /has expired/],
    [{ "kubernetes.io": [] }, /cannot unmarshal array into Go value of type serviceaccount.kubernetes/],
    [{ "kubernetes.io": { ...account, namespace: true } }, /cannot unmarshal bool into Go value of type string/],
    [{ "kubernetes.io": { ...account, pod: "x" } }, /cannot unmarshal string into Go value of type serviceaccount.ref/],
    [{ "kubernetes.io": { ...account, serviceaccount: null } }, /resource name may not be empty/],
    [{ "kubernetes.io": { ...account, warnafter: "x" } }, /expected number value/],
  ];
  for (const [changes, problem] of wrong) await assert.rejects(ask(forge(claims(changes))), problem);
  const nulls = { exp: null, nbf: null, iat: null, "kubernetes.io": { ...account, pod: null, warnafter: null } };
  assert.equal((await ask(forge(claims(nulls))))?.user.uid, "uid-1");
});

Deno.test("a token has its time, give or take a minute", async () => {
  assert.ok(await ask(forge(claims({ exp: now() - 30, nbf: now() + 30, iat: now() + 30 }))));
  await assert.rejects(ask(forge(claims({ exp: now() - 90 }))), /service account token has expired/);
  await assert.rejects(ask(forge(claims({ nbf: now() + 90 }))), /service account token is not valid yet/);
  await assert.rejects(ask(forge(claims({ iat: now() + 90 }))), /service account token is issued in the future/);
  await assert.rejects(ask(forge(claims({ exp: "tomorrow" }))), /expected number value/);
});

Deno.test("a token is good for its audiences, one without any for the server's own", async () => {
  assert.deepEqual((await ask(forge(claims({ aud: ["a", "b"] })), ["b", "c"]))?.audiences, ["b"]);
  assert.deepEqual((await ask(forge(claims({ aud: "a" })), ["a"]))?.audiences, ["a"]);
  const without = await ask(forge(claims({ aud: undefined })));
  assert.deepEqual(without?.audiences, AUDIENCES);
  assert.equal(
    without?.auditAnnotations?.["authentication.k8s.io/legacy-token"],
    "system:serviceaccount:default:robot",
  );
  await assert.rejects(
    ask(forge(claims({ aud: ["vault"] }))),
    /token audiences \["vault"\] is invalid for the target audiences \["https:\/\/issuer.example"\]/,
  );
  await assert.rejects(ask(forge(claims({ aud: null }))), /expected string or array value/);
});

Deno.test("a token dies with its account and with what it is bound to", async () => {
  const reference = (uid: string) => ({ name: "x", uid });
  await assert.rejects(ask(forge(bound({ secret: reference("1") }))), /has been invalidated/);
  const secret: KubeObject = { kind: "Secret", apiVersion: "v1", metadata: { name: "x", uid: "2" } };
  const node: KubeObject = { kind: "Node", apiVersion: "v1", metadata: { name: "x", uid: "2" } };
  const there = authenticator({ "secrets/default/x": secret, "nodes//x": node });
  assert.ok(await there.ask(forge(bound({ secret: reference("2") }))));
  assert.ok(await there.ask(forge(bound({ node: reference("2") }))));
  await assert.rejects(
    there.ask(forge(bound({ secret: reference("1") }))),
    /secret UID \(2\) does not match service account secret ref claim \(1\)/,
  );
  await assert.rejects(
    ask(forge(bound({ serviceaccount: { name: "robot", uid: "uid-0" } }))),
    /service account UID \(uid-1\) does not match claim \(uid-0\)/,
  );
  const gone = { ...ROBOT, metadata: { ...ROBOT.metadata, deletionTimestamp: "2020-01-01T00:00:00Z" } };
  const without = authenticator({ "serviceaccounts/default/robot": gone });
  await assert.rejects(without.ask(forge(claims())), /service account default\/robot has been deleted/);
});

Deno.test("an injected token goes on beyond its end, which the audit log is told", async () => {
  const found = await ask(forge(bound({ warnafter: now() - 5 })));
  assert.equal(uses.at(-1), "staleTokens");
  assert.match(
    found?.auditAnnotations?.["authentication.k8s.io/stale-token"] ?? "",
    /^subject: system:serviceaccount:default:robot, seconds after warning threshold: [5-9]$/,
  );
});

Deno.test("a legacy token is good as long as its secret holds it", async () => {
  const prefix = "kubernetes.io/serviceaccount/";
  const token = forge({
    iss: "kubernetes/serviceaccount",
    sub: "system:serviceaccount:default:robot",
    [`${prefix}namespace`]: "default",
    [`${prefix}secret.name`]: "robot-token",
    [`${prefix}service-account.name`]: "robot",
    [`${prefix}service-account.uid`]: "uid-1",
  });
  const secret = (data: string, labels = {}): KubeObject => ({
    kind: "Secret",
    apiVersion: "v1",
    metadata: { name: "robot-token", namespace: "default", labels },
    data: { token: btoa(data) },
  });
  const key = "secrets/default/robot-token", today = new Date().toISOString().slice(0, 10);
  const good = authenticator({ [key]: secret(token) });
  const found = await good.ask(token);
  assert.equal(found?.user.name, "system:serviceaccount:default:robot");
  assert.deepEqual(found?.user.extra, {});
  assert.deepEqual(good.uses, ["legacyManualTokens", "legacyTokens"]);
  assert.deepEqual(good.labels, [{ "kubernetes.io/legacy-token-last-used": today }]);
  const generated = { ...ROBOT, secrets: [{ name: "robot-token" }] };
  const warned = authenticator({ [key]: secret(token), "serviceaccounts/default/robot": generated });
  assert.match((await warned.ask(token))?.warnings?.[0] ?? "", /^Use tokens from the TokenRequest API/);
  assert.deepEqual(warned.uses, ["legacyAutoTokens", "legacyTokens"]);
  await assert.rejects(authenticator().ask(token), /Token has been invalidated/);
  await assert.rejects(authenticator({ [key]: secret("x") }).ask(token), /Token does not match server's copy/);
  const marked = { "kubernetes.io/legacy-token-invalid-since": "2020-01-01" };
  await assert.rejects(authenticator({ [key]: secret(token, marked) }).ask(token), /has been marked invalid/);
});
