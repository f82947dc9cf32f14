import assert from "node:assert/strict";
import { startWebhook, type TestWebhook, type WebhookAnswer } from "../../../tests/support/webhook_server.ts";
import type { JsonObject, KubeObject } from "../../machinery/types.ts";
import { webhookConverter } from "./webhook.ts";

const V1 = "example.com/v1", V2 = "example.com/v2";
const QUIET = { sanitizeOps: false, sanitizeResources: false };

interface Request {
  uid: string;
  desiredAPIVersion: string;
  objects: KubeObject[];
}

function widget(name: string, apiVersion = V1): KubeObject {
  return {
    kind: "Widget",
    apiVersion,
    metadata: { name, namespace: "a", uid: name, labels: { l: "1" } },
    spec: { size: 1 },
  };
}

function review(request: Request, response: JsonObject): WebhookAnswer {
  return {
    body: {
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      response: { uid: request.uid, ...response },
    },
  };
}

/** What a good webhook answers. */
function converted({ objects, desiredAPIVersion }: Request): JsonObject {
  const convertedObjects = objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    metadata: { ...object.metadata, labels: { l: "2" }, generation: 7 },
    spec: { width: object.spec.size },
  }));
  return { result: { status: "Success" }, convertedObjects: convertedObjects as never };
}

async function withConverter(
  answer: (request: Request) => WebhookAnswer,
  test: (convert: (...objects: KubeObject[]) => Promise<KubeObject[]>, server: TestWebhook) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-conversion-" });
  const server = await startWebhook(dir, ({ body }) => answer(body.request as Request), { anonymous: true });
  try {
    const caBundle = btoa(await Deno.readTextFile(`${dir}/webhook-ca.crt`));
    const converter = webhookConverter({
      strategy: "Webhook",
      webhook: { clientConfig: { url: server.url, caBundle }, conversionReviewVersions: ["v9", "v1"] },
    }, () => Promise.reject(new Error("no services here")));
    await test(async (...objects) => await converter.convert(objects, V2), server);
  } finally {
    await server.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test(
  "objects are converted in one call; of their metadata only labels and annotations may change",
  QUIET,
  async () => {
    await withConverter((request) => review(request, converted(request)), async (convert, { calls }) => {
      const [a, b] = await convert(widget("a"), widget("b"));
      assert.deepEqual(a, {
        kind: "Widget",
        apiVersion: V2,
        metadata: { name: "a", namespace: "a", uid: "a", labels: { l: "2" } },
        spec: { width: 1 },
      });
      assert.equal(b.metadata.name, "b");
      assert.equal(calls.length, 1);
      const { request, ...body } = calls[0].body as { request: Request };
      assert.deepEqual(body, { kind: "ConversionReview", apiVersion: "apiextensions.k8s.io/v1" });
      assert.equal(request.desiredAPIVersion, V2);
    });
  },
);

Deno.test("answers that cannot be used are refused with what is wrong", QUIET, async () => {
  const cases: [answer: (request: Request) => WebhookAnswer, message: string][] = [
    [(r) => review(r, { result: { status: "Failure", message: "no way" } }), "failed: no way"],
    [(r) => review(r, { result: {} }), "failed: response.result.status was '', not 'Success'"],
    [(r) => review(r, { result: { status: "Success" }, convertedObjects: [] }), "returned 0 objects, expected 1"],
    [(r) => review({ ...r, uid: "other" }, converted(r)), "failed: expected response.uid="],
    [
      (r) => ({ body: { kind: "Thing", apiVersion: "v1", response: converted(r) } }),
      'failed: no kind "Thing" is registered for version "v1" in scheme',
    ],
    [
      (r) => review(r, { ...converted(r), convertedObjects: [widget("a", "example.com/v3")] as never }),
      "returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)",
    ],
    [
      (r) => review(r, { ...converted(r), convertedObjects: [{ ...widget("a", V2), kind: "X" }] as never }),
      "returned invalid object at index 0: invalid kind (expected Widget, received X)",
    ],
    [
      (r) => review(r, { ...converted(r), convertedObjects: [widget("b", V2)] as never }),
      "returned invalid object: must have the same name: a != b",
    ],
    [
      (r) => {
        const bad = widget("a", V2);
        bad.metadata.labels = { "a b": "c" };
        return review(r, { ...converted(r), convertedObjects: [bad] as never });
      },
      'returned invalid metadata: metadata.labels: Invalid value: "a b": name part must consist of',
    ],
  ];
  for (const [answer, message] of cases) {
    await withConverter(answer, async (convert) => {
      await assert.rejects(convert(widget("a")), (error: Error) => {
        const start = `conversion webhook for ${V1}, Kind=Widget ${message}`;
        assert.equal(error.message.slice(0, start.length), start);
        return true;
      });
    });
  }
});

Deno.test("a webhook that nobody can reach is a failure", QUIET, async () => {
  const converter = webhookConverter({
    strategy: "Webhook",
    webhook: { clientConfig: { service: { namespace: "a", name: "b" } }, conversionReviewVersions: ["v1"] },
  }, () => Promise.reject(new Error('service "b" not found')));
  await assert.rejects(
    async () => await converter.convert([widget("a")], V2),
    /^\S*Error: conversion webhook for example\.com\/v1, Kind=Widget failed: Post "https:\/\/b\.a\.svc:443\/\?timeout=30s": service "b" not found$/,
  );
});
