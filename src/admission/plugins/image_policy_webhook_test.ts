import assert from "node:assert/strict";
import { startWebhook } from "../../../tests/support/webhook_server.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { contextOf, requestOf } from "../testing.ts";
import { imagePolicyWebhook } from "./image_policy_webhook.ts";

// Connections are kept for the next call.
const QUIET = { sanitizeOps: false, sanitizeResources: false };

interface Review {
  spec: { containers: { image: string }[]; annotations?: Record<string, string>; namespace: string };
}

async function withPolicy(
  settings: Record<string, unknown>,
  answer: (review: Review) => { code?: number; status?: Record<string, unknown> },
  test: (plugin: AdmissionPlugin, reviews: Review[]) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-images-" });
  const reviews: Review[] = [];
  const server = await startWebhook(dir, ({ body }) => {
    const review = body as unknown as Review;
    reviews.push(review);
    const { code, status } = answer(review);
    return { code, body: { ...body, status } };
  });
  try {
    const configuration = { imagePolicy: { kubeConfigFile: server.kubeconfig, retryBackoff: 1, ...settings } };
    await test(await imagePolicyWebhook(contextOf({ configuration: configuration as never })), reviews);
  } finally {
    await server.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

function pod(image: string) {
  const metadata = { name: "p", namespace: "n", annotations: { "my.image-policy.k8s.io/ticket": "1", other: "2" } };
  return requestOf({ object: { metadata, spec: { containers: [{ name: "c", image }] } } });
}

Deno.test("images are allowed or denied, and the answer is remembered", QUIET, async () => {
  const answer = ({ spec }: Review) =>
    spec.containers[0].image === "good"
      ? { status: { allowed: true, auditAnnotations: { a: "b" } } }
      : { status: { allowed: false, reason: "old" } };
  await withPolicy({}, answer, async (plugin, reviews) => {
    const good = pod("good");
    await plugin.validate!(good);
    await plugin.validate!(pod("good"));
    assert.deepEqual(good.told.annotations, { "imagepolicywebhook.image-policy.k8s.io/a": "b" });
    assert.deepEqual(reviews.map(({ spec }) => spec), [{
      containers: [{ image: "good" }],
      annotations: { "my.image-policy.k8s.io/ticket": "1" },
      namespace: "n",
    }]);
    await assert.rejects(
      async () => await plugin.validate!(pod("bad")),
      /pods "p" is forbidden: image policy webhook backend denied one or more images: old/,
    );
  });
});

Deno.test("without an answer, a pod passes where that is the default", QUIET, async () => {
  await withPolicy({ defaultAllow: true }, () => ({ code: 400 }), async (plugin) => {
    const request = pod("any");
    await plugin.validate!(request);
    assert.equal(request.object!.metadata.annotations!["alpha.image-policy.k8s.io/failed-open"], "true");
  });
  await withPolicy({}, () => ({ code: 400 }), async (plugin) => {
    await assert.rejects(async () => await plugin.validate!(pod("any")), /pods "p" is forbidden: /);
  });
});

Deno.test("settings have to be there and make sense", async () => {
  await assert.rejects(imagePolicyWebhook(contextOf()), /no config specified/);
  const configuration = { imagePolicy: { kubeConfigFile: "/none", allowTTL: 99999 } };
  await assert.rejects(imagePolicyWebhook(contextOf({ configuration })), /valid value is between/);
});
