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

const QUIET = { sanitizeOps: false, sanitizeResources: false };

Deno.test("a webhook is called over HTTPS with the client's certificate", QUIET, async () => {
  await withWebhook(({ body }) => ({ body: { seen: body.a } }), async ({ call, calls }) => {
    assert.deepEqual(await call({ a: "ü" }), { seen: "ü" });
    assert.equal(calls[0].client, "kube-apiserver");
    assert.equal(calls[0].headers["content-type"], "application/json");
  });
});

Deno.test("what may pass is tried again, what does not is an error", QUIET, async () => {
  let failures = 2;
  await withWebhook(() => failures-- > 0 ? { code: 500, body: "" } : { body: {} }, async ({ call, calls }) => {
    await call({});
    assert.equal(calls.length, 3);
  });
  const status = { kind: "Status", message: "go away" };
  await withWebhook(() => ({ code: 403, body: status }), async ({ call, calls }) => {
    await assert.rejects(call({}), /go away/);
    assert.equal(calls.length, 1);
  });
  await withWebhook(() => ({ code: 500, body: "" }), async ({ call, calls }) => {
    await assert.rejects(call({}), /the webhook answered 500/);
    assert.equal(calls.length, 5);
  });
  await withWebhook(() => ({ body: "[]x" }), async ({ call }) => {
    await assert.rejects(call({}), /is no JSON object/);
  });
});

Deno.test("a webhook that does not answer, or is somebody else, is an error", QUIET, async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  await withWebhook(() => held.then(() => ({ body: {} })), async ({ call }) => {
    await assert.rejects(call({}), /context deadline exceeded/);
    release();
  }, { timeout: 50 });
  await withWebhook(() => ({ body: {} }), async ({ dir }) => {
    const text = Deno.readTextFileSync(`${dir}/webhook.kubeconfig`).replace(/, certificate-authority[^}]*/, "");
    const config = await readKubeconfig("/x", () => text);
    await assert.rejects(webhook(config, { timeout: 5000 })({}), /certificate/i);
  });
});
