import assert from "node:assert/strict";
import { startWebhook, type WebhookAnswer, type WebhookCall } from "../../tests/support/webhook_server.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { webhook, type WebhookOptions } from "./webhook.ts";

async function withWebhook(
  answer: (call: WebhookCall) => WebhookAnswer | Promise<WebhookAnswer>,
  test: (parts: { call: ReturnType<typeof webhook>; calls: WebhookCall[]; dir: string }) => Promise<void>,
  options: Partial<WebhookOptions> = {},
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-webhook-" });
  const server = await startWebhook(dir, answer);
  try {
    const config = await readKubeconfig(server.kubeconfig, Deno.readTextFileSync);
    const call = webhook(config, { timeout: 5000, backoff: 1, ...options });
    await test({ call, calls: server.calls, dir });
  } finally {
    await server.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

const REVIEW = { kind: "Review", apiVersion: "example.com/v1" };
const QUIET = { sanitizeOps: false, sanitizeResources: false };

Deno.test("a webhook is called over HTTPS with the client's certificate", QUIET, async () => {
  await withWebhook(({ body }) => ({ body: { seen: body.a } }), async ({ call, calls }) => {
    assert.deepEqual(await call({ ...REVIEW, a: "ü" }), { seen: "ü" });
    assert.equal(calls[0].client, "kube-apiserver");
    assert.equal(calls[0].headers["content-type"], "application/json");
  });
});

Deno.test("what may pass is tried again, what does not is an error", QUIET, async () => {
  let failures = 2;
  await withWebhook(() => failures-- > 0 ? { code: 500, body: "" } : { body: {} }, async ({ call, calls }) => {
    await call(REVIEW);
    assert.equal(calls.length, 3);
  });
  const status = { kind: "Status", status: "Failure", message: "go away" };
  await withWebhook(() => ({ code: 403, body: status }), async ({ call, calls }) => {
    await assert.rejects(call(REVIEW), /go away/);
    assert.equal(calls.length, 1);
  });
  await withWebhook(() => ({ code: 500, body: "" }), async ({ call, calls }) => {
    await assert.rejects(
      call(REVIEW),
      /an error on the server \("unknown"\) has prevented the request from succeeding/,
    );
    assert.equal(calls.length, 5);
  });
  await withWebhook(() => ({ body: { kind: "Other", apiVersion: "v1" } }), async ({ call }) => {
    await assert.rejects(call(REVIEW), /no kind "Other" is registered for version "v1"/);
  });
  await withWebhook(() => ({ body: "[]x" }), async ({ call }) => {
    await assert.rejects(call(REVIEW), /couldn't get version\/kind; json parse error: /);
  });
});

Deno.test("a status of other types than it should have is an error", QUIET, async () => {
  const review = { kind: "SubjectAccessReview", apiVersion: "authorization.k8s.io/v1beta1" };
  for (const allowed of ["yes", 1, {}]) {
    await withWebhook(() => ({ body: { ...review, status: { allowed } } }), async ({ call }) => {
      await assert.rejects(call(review), /json: cannot unmarshal \w+ into .*\.status\.allowed of type bool/);
    });
  }
  const tokens = { kind: "TokenReview", apiVersion: "authentication.k8s.io/v1" };
  const user = { username: "jane", groups: null, extra: null };
  await withWebhook(
    () => ({ body: { ...tokens, status: { authenticated: true, user, more: 1 } } }),
    async ({ call }) => {
      assert.deepEqual((await call(tokens)).status, { authenticated: true, user: { username: "jane" } });
    },
  );
});

Deno.test("a webhook that does not answer, or is somebody else, is an error", QUIET, async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  let answers = 1;
  await withWebhook(() => answers-- > 0 ? { body: {} } : held.then(() => ({ body: {} })), async ({ call }) => {
    await call(REVIEW);
    // Over the connection that was kept.
    await assert.rejects(call(REVIEW), /context deadline exceeded/);
    release();
  }, { timeout: 200 });
  await withWebhook(() => ({ body: {} }), async ({ dir }) => {
    const text = Deno.readTextFileSync(`${dir}/webhook.kubeconfig`).replace(/, certificate-authority[^}]*/, "");
    const config = await readKubeconfig("/x", () => text);
    await assert.rejects(webhook(config, { timeout: 5000 })(REVIEW), /certificate/i);
  });
});
