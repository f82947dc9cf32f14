import assert from "node:assert/strict";
import type { KubeObject } from "../machinery/types.ts";
import { bootstrapTokens } from "./bootstrap_token.ts";

const ID = "abcdef", SECRET = "0123456789abcdef";
const NOW = Date.parse("2030-01-01T00:00:00Z");

function secret(changes: Record<string, string | undefined> = {}, rest: Partial<KubeObject> = {}): KubeObject {
  const data = { "token-id": ID, "token-secret": SECRET, "usage-bootstrap-authentication": "true", ...changes };
  return {
    kind: "Secret",
    apiVersion: "v1",
    metadata: { name: `bootstrap-token-${ID}`, namespace: "kube-system" },
    type: "bootstrap.kubernetes.io/token",
    data: Object.fromEntries(Object.entries(data).flatMap(([k, v]) => v === undefined ? [] : [[k, btoa(v)]])),
    ...rest,
  };
}

async function ask(object: KubeObject, token = `${ID}.${SECRET}`) {
  const there = "secrets/kube-system/bootstrap-token-abcdef";
  const tokens = bootstrapTokens((...path) => path.join("/") === there ? object : undefined, () => NOW);
  return (await tokens.authenticateToken(token, []))?.user;
}

Deno.test("a bootstrap token is its id among the bootstrappers", async () => {
  const extra = {
    "auth-extra-groups": "system:bootstrappers:b,system:bootstrappers:a",
    "expiration": "2030-01-01T00:00:01Z",
  };
  assert.deepEqual(await ask(secret(extra)), {
    name: "system:bootstrap:abcdef",
    uid: "",
    groups: ["system:bootstrappers", "system:bootstrappers:a", "system:bootstrappers:b"],
    extra: {},
  });
});

Deno.test("whatever is wrong with the secret, it is nobody's token", async () => {
  const wrong: Record<string, KubeObject> = {
    "another secret": secret({ "token-secret": "0123456789abcdeX" }),
    "no secret": secret({ "token-secret": undefined }),
    "another id": secret({ "token-id": "fedcba" }),
    "over": secret({ expiration: "2030-01-01T00:00:00Z" }),
    "no time": secret({ expiration: "tomorrow" }),
    "not for signing in": secret({ "usage-bootstrap-authentication": "false" }),
    "a group of others": secret({ "auth-extra-groups": "system:masters" }),
    "another type": secret({}, { type: "Opaque" }),
    "no data": secret({}, { data: undefined }),
    "being deleted": secret({}, { metadata: { name: "x", deletionTimestamp: "2030-01-01T00:00:00Z" } }),
  };
  for (const [what, object] of Object.entries(wrong)) assert.equal(await ask(object), undefined, what);
  for (const token of ["abcdef", `ABCDEF.${SECRET}`, `${ID}.${SECRET}x`, `${ID}.${SECRET}\n`, `000000.${SECRET}`]) {
    assert.equal(await ask(secret(), token), undefined, token);
  }
});
