import assert from "node:assert/strict";
import { WebhookError } from "../client/webhook.ts";
import type { AuthorizationAttributes, AuthorizationResult } from "./interface.ts";
import { webhookAuthorizer, type WebhookAuthorizerOptions } from "./webhook.ts";

const ATTRIBUTES: AuthorizationAttributes = {
  user: { name: "jane", uid: "u1", groups: ["dev"], extra: { scope: ["all"] } },
  verb: "list",
  isResourceRequest: true,
  namespace: "ns",
  apiGroup: "apps",
  apiVersion: "v1",
  resource: "deployments",
  subresource: "",
  name: "",
  path: "",
  fieldSelector: "spec.x=y,metadata.name!=z",
  labelSelector: "a in (b,c),!d",
};

function setUp(status: Record<string, unknown> | Error, options: Partial<WebhookAuthorizerOptions> = {}) {
  const bodies: Record<string, unknown>[] = [];
  const authorizer = webhookAuthorizer({
    call: (body) => {
      bodies.push(structuredClone(body) as Record<string, unknown>);
      return status instanceof Error ? Promise.reject(status) : Promise.resolve({ status });
    },
    version: "v1",
    authorizedTtl: 60_000,
    unauthorizedTtl: 0,
    decisionOnError: "no opinion",
    ...options,
  });
  const ask = async (changes: Partial<AuthorizationAttributes> = {}): Promise<AuthorizationResult> =>
    await authorizer.authorize({ ...ATTRIBUTES, ...changes });
  return { ask, bodies };
}

Deno.test("the webhook is sent a SubjectAccessReview with all there is to know", async () => {
  const { ask, bodies } = setUp({ allowed: true, reason: "because" });
  assert.deepEqual(await ask(), { decision: "allow", reason: "because" });
  assert.deepEqual(bodies[0], {
    kind: "SubjectAccessReview",
    apiVersion: "authorization.k8s.io/v1",
    metadata: {},
    spec: {
      resourceAttributes: {
        namespace: "ns",
        verb: "list",
        group: "apps",
        version: "v1",
        resource: "deployments",
        fieldSelector: {
          requirements: [
            { key: "metadata.name", operator: "NotIn", values: ["z"] },
            { key: "spec.x", operator: "In", values: ["y"] },
          ],
        },
        labelSelector: {
          requirements: [{ key: "a", operator: "In", values: ["b", "c"] }, { key: "d", operator: "DoesNotExist" }],
        },
      },
      user: "jane",
      groups: ["dev"],
      extra: { scope: ["all"] },
      uid: "u1",
    },
    status: { allowed: false },
  });
});

Deno.test("v1beta1 has its own word for groups; paths are asked for as such", async () => {
  const { ask, bodies } = setUp({ allowed: false }, { version: "v1beta1" });
  await ask({ isResourceRequest: false, path: "/healthz", verb: "get" });
  assert.equal(bodies[0].apiVersion, "authorization.k8s.io/v1beta1");
  assert.deepEqual(bodies[0].spec, {
    nonResourceAttributes: { path: "/healthz", verb: "get" },
    user: "jane",
    group: ["dev"],
    groups: undefined,
    extra: { scope: ["all"] },
    uid: "u1",
  });
});

Deno.test("answers are remembered as long as they are said to be", async () => {
  const allowed = setUp({ allowed: true });
  await allowed.ask();
  await allowed.ask();
  assert.equal(allowed.bodies.length, 1);
  await allowed.ask({ name: "x" });
  assert.equal(allowed.bodies.length, 2);
  for (let i = 0; i < 2; i++) await allowed.ask({ name: "x".repeat(20_000) });
  assert.equal(allowed.bodies.length, 4);
  const refused = setUp({ allowed: false });
  await refused.ask();
  await refused.ask();
  assert.equal(refused.bodies.length, 2);
});

Deno.test("the webhook may refuse for good", async () => {
  assert.deepEqual(await setUp({ denied: true, reason: "no" }).ask(), { decision: "deny", reason: "no" });
  assert.deepEqual(await setUp({ reason: "hm" }).ask(), { decision: "no opinion", reason: "hm" });
  const both = await setUp({ allowed: true, denied: true }).ask();
  assert.equal(both.decision, "deny");
  assert.match(both.error!, /returned both allow and deny/);
});

Deno.test("without an answer the failure policy decides", async () => {
  const error = new WebhookError("no route", 0, false);
  assert.deepEqual(await setUp(error).ask(), { decision: "no opinion", reason: "", error: "no route" });
  assert.deepEqual(await setUp(error, { decisionOnError: "deny" }).ask(), {
    decision: "deny",
    reason: "",
    error: "no route",
  });
});

Deno.test("conditions keep the webhook out", async () => {
  const out = setUp({ allowed: true }, { matches: () => false });
  assert.equal((await out.ask()).decision, "no opinion");
  const broken = setUp({ allowed: true }, {
    matches: () => {
      throw new Error("no such key");
    },
    decisionOnError: "deny",
  });
  assert.deepEqual(await broken.ask(), { decision: "deny", reason: "", error: "no such key" });
  assert.equal(out.bodies.length + broken.bodies.length, 0);
});
