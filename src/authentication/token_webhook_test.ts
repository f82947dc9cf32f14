import assert from "node:assert/strict";
import { tokenWebhook } from "./token_webhook.ts";

function setUp(status: Record<string, unknown> | Error, version: "v1" | "v1beta1" = "v1") {
  const bodies: unknown[] = [];
  const call = (body: unknown) => {
    bodies.push(body);
    return status instanceof Error ? Promise.reject(status) : Promise.resolve({ status });
  };
  return { bodies, tokens: tokenWebhook({ call, version, audiences: ["own"] }) };
}

const JANE = { authenticated: true, user: { username: "jane", groups: ["dev"], extra: { a: ["b"] } } };

Deno.test("the webhook says whose a token is", async () => {
  const { bodies, tokens } = setUp(JANE, "v1beta1");
  assert.deepEqual(await tokens.authenticateToken("t", ["own"]), {
    user: { name: "jane", uid: "", groups: ["dev"], extra: { a: ["b"] } },
    audiences: ["own"],
  });
  assert.deepEqual(bodies, [{
    kind: "TokenReview",
    apiVersion: "authentication.k8s.io/v1beta1",
    metadata: {},
    spec: { token: "t", audiences: ["own"] },
    status: { user: {} },
  }]);
});

Deno.test("a token has to be for one of the audiences asked for", async () => {
  const granted = { ...JANE, audiences: ["a", "b"] };
  assert.deepEqual((await setUp(granted).tokens.authenticateToken("t", ["b", "c"]))?.audiences, ["b"]);
  assert.equal(await setUp(granted).tokens.authenticateToken("t", ["own"]), undefined);
  assert.equal(await setUp(JANE).tokens.authenticateToken("t", ["other"]), undefined);
  assert.equal((await setUp(JANE).tokens.authenticateToken("t", []))?.audiences, undefined);
});

Deno.test("a token that it does not know, or says is wrong", async () => {
  assert.equal(await setUp({ authenticated: false }).tokens.authenticateToken("t", []), undefined);
  await assert.rejects(async () => await setUp({ error: "stolen" }).tokens.authenticateToken("t", []), /stolen/);
  await assert.rejects(async () => await setUp(new Error("down")).tokens.authenticateToken("t", []), /down/);
});
