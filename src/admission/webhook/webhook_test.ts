import assert from "node:assert/strict";
import { startWebhook, type WebhookCall } from "../../../tests/support/webhook_server.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { contextOf, lookupOf, requestOf } from "../testing.ts";
import type { Webhook } from "./hooks.ts";
import { mutatingAdmissionWebhook } from "./mutating.ts";
import { validatingAdmissionWebhook } from "./validating.ts";

type Request = Record<string, unknown> & { uid: string };
/** The response to a request, or a whole answer with a code. */
type Respond = (request: Request, call: number) => Record<string, unknown> | { code: number; body: string };

const EVERYTHING = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }];
// Connections are kept for the next call.
const QUIET = { sanitizeOps: false, sanitizeResources: false };

/** The test server wants to see a client certificate. */
function credentials(kubeConfigFile: string) {
  return { apiVersion: "apiserver.config.k8s.io/v1", kind: "WebhookAdmissionConfiguration", kubeConfigFile };
}

interface Parts {
  mutating: AdmissionPlugin;
  validating: AdmissionPlugin;
  requests: Request[];
}

/** Both plugins with the same hooks, which all lead to one server. */
async function withHooks(hooks: Partial<Webhook>[], respond: Respond, test: (parts: Parts) => Promise<void>) {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-admission-" });
  const requests: Request[] = [];
  const server = await startWebhook(dir, ({ body }: WebhookCall) => {
    const { request, ...review } = body as { request: Request };
    requests.push(request);
    const response = respond(request, requests.length);
    return "code" in response
      ? response as never
      : { body: { ...review, response: { uid: request.uid, ...response } } };
  });
  try {
    const caBundle = btoa(await Deno.readTextFile(`${dir}/webhook-ca.crt`));
    const webhooks = hooks.map((hook, i) => ({
      name: `w${i}.example.com`,
      clientConfig: { url: server.url, caBundle },
      rules: EVERYTHING,
      failurePolicy: "Fail",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...hook,
    }));
    const configuration = { metadata: { name: "c", uid: "1" }, webhooks };
    const lookup = lookupOf({
      mutatingwebhookconfigurations: [configuration],
      validatingwebhookconfigurations: [configuration],
    });
    const context = contextOf({ lookup, configuration: credentials(server.kubeconfig) });
    await test({
      mutating: await mutatingAdmissionWebhook(context),
      validating: await validatingAdmissionWebhook(context),
      requests,
    });
  } finally {
    await server.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

function patchOf(...operations: Record<string, unknown>[]) {
  return { allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(operations)) };
}

const LABEL = { op: "add", path: "/metadata/labels", value: { seen: "yes" } };

Deno.test("a webhook gets a review and lets the request pass, with warnings and audit annotations", QUIET, async () => {
  const response = { allowed: true, warnings: ["careful"], auditAnnotations: { key: "value" } };
  await withHooks([{}], () => response, async ({ validating, requests }) => {
    const request = requestOf({ operation: "UPDATE", oldObject: requestOf().object });
    await validating.validate!(request);
    assert.deepEqual(request.told.warnings, ["careful"]);
    assert.deepEqual(request.told.annotations, { "w0.example.com/key": "value" });
    const { uid: _, ...seen } = requests[0];
    const { object, oldObject } = request;
    assert.deepEqual(seen, {
      kind: { group: "", version: "v1", kind: "Pod" },
      resource: { group: "", version: "v1", resource: "pods" },
      requestKind: { group: "", version: "v1", kind: "Pod" },
      requestResource: { group: "", version: "v1", resource: "pods" },
      name: "p",
      namespace: "n",
      operation: "UPDATE",
      userInfo: { username: "u" },
      object,
      oldObject,
      dryRun: false,
      options: null,
    });
  });
});

Deno.test("a webhook says no in words of its own or without any", QUIET, async () => {
  const answers = [{ allowed: false }, { allowed: false, status: { message: "because", reason: "Teapot", code: 418 } }];
  await withHooks([{}], (_, call) => answers[call - 1], async ({ validating, mutating }) => {
    await assert.rejects(async () => await validating.validate!(requestOf()), {
      message: 'admission webhook "w0.example.com" denied the request without explanation',
      code: 400,
    });
    await assert.rejects(async () => await mutating.admit!(requestOf()), {
      message: 'admission webhook "w0.example.com" denied the request: because',
      code: 418,
      reason: "Teapot",
    });
  });
});

Deno.test("a failure refuses the request or is ignored, as the policy says", QUIET, async () => {
  await withHooks([{}], () => ({ code: 404, body: "" }), async ({ validating }) => {
    await assert.rejects(async () => await validating.validate!(requestOf()), {
      message:
        'Internal error occurred: failed calling webhook "w0.example.com": failed to call webhook: the server could not find the requested resource',
    });
  });
  await withHooks([{ failurePolicy: "Ignore" }], () => ({ code: 500, body: "" }), async ({ validating, mutating }) => {
    const request = requestOf();
    await validating.validate!(request);
    await mutating.admit!(request);
    assert.equal(
      request.told.annotations["failed-open.validating.webhook.admission.k8s.io/round_0_index_0"],
      "w0.example.com",
    );
  });
});

Deno.test("an answer that is not to the question is a failure", QUIET, async () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ uid: "other", allowed: true }, /expected response\.uid="[^"]+", got "other"/],
    [{ allowed: true, patch: btoa("[]"), patchType: "JSONPatch" }, /validating webhook may not return response\.patch/],
  ];
  for (const [response, message] of cases) {
    await withHooks([{}], () => response, async ({ validating }) => {
      await assert.rejects(async () => await validating.validate!(requestOf()), message);
    });
  }
});

Deno.test("a webhook that does not answer in its time is given up", QUIET, async () => {
  const slow = Promise.withResolvers<void>();
  const dir = await Deno.makeTempDir({ prefix: "kubelith-admission-" });
  const server = await startWebhook(dir, async () => {
    await slow.promise;
    return { body: {} };
  });
  try {
    const webhook = {
      name: "w.example.com",
      clientConfig: { url: server.url, caBundle: btoa(await Deno.readTextFile(`${dir}/webhook-ca.crt`)) },
      rules: EVERYTHING,
      timeoutSeconds: 0.05,
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const lookup = lookupOf({ validatingwebhookconfigurations: [{ metadata: { name: "c" }, webhooks: [webhook] }] });
    const configuration = credentials(server.kubeconfig);
    const { validate } = await validatingAdmissionWebhook(contextOf({ lookup, configuration }));
    await assert.rejects(async () => await validate!(requestOf()), /\?timeout=0\.05s": context deadline exceeded/);
  } finally {
    slow.resolve();
    await server.stop();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("patches change the object, one webhook after the other", QUIET, async () => {
  const operations = [LABEL, { op: "replace", path: "/metadata/labels/seen", value: "twice" }];
  await withHooks([{}, {}], (_, call) => patchOf(operations[call - 1]), async ({ mutating, requests }) => {
    const request = requestOf(), { object } = request;
    await mutating.admit!(request);
    assert.equal(request.object, object);
    assert.deepEqual(object!.metadata.labels, { seen: "twice" });
    assert.deepEqual((requests[1].object as AdmissionAttributes["object"])!.metadata.labels, { seen: "yes" });
    assert.equal(
      request.told.annotations["mutation.webhook.admission.k8s.io/round_0_index_1"],
      '{"configuration":"c","webhook":"w1.example.com","mutated":true}',
    );
  });
});

Deno.test("a patch that does not fit, or that has nothing to change, is an error", QUIET, async () => {
  const missing = patchOf({ op: "remove", path: "/metadata/annotations/a" });
  await withHooks([{}], () => missing, async ({ mutating }) => {
    await assert.rejects(async () => await mutating.admit!(requestOf()), {
      message:
        'Internal error occurred: remove operation does not apply: doc is missing path: "/metadata/annotations/a": missing value',
    });
    const request = requestOf({ operation: "DELETE", oldObject: requestOf().object });
    await assert.rejects(async () => await mutating.admit!(request), /which is not supported for this operation/);
  });
});

Deno.test("webhooks that want to are called again when others changed the object after them", QUIET, async () => {
  const hooks = [{ reinvocationPolicy: "IfNeeded" }, { reinvocationPolicy: "Never" }];
  const respond: Respond = (_, call) => call === 2 ? patchOf(LABEL) : { allowed: true };
  await withHooks(hooks, respond, async ({ mutating, requests }) => {
    const request = requestOf();
    await mutating.admit!(request);
    assert.equal(request.reinvocation.shouldReinvoke, true);
    request.reinvocation.isReinvoke = true;
    await mutating.admit!(request);
    assert.equal(requests.length, 3);
    assert.deepEqual((requests[2].object as AdmissionAttributes["object"])!.metadata.labels, { seen: "yes" });
  });
});

Deno.test("match conditions leave requests out; mistakes in them are for the failure policy", QUIET, async () => {
  const hook = (expression: string, failurePolicy = "Fail") => ({
    failurePolicy,
    matchConditions: [{ name: "c", expression }],
  });
  const called = async (hooks: Partial<Webhook>[]) => {
    let count = 0;
    await withHooks(hooks, () => ({ allowed: true }), async ({ validating, requests }) => {
      await validating.validate!(requestOf());
      count = requests.length;
    });
    return count;
  };
  const mistake = "object.nothing == 1";
  assert.equal(await called([hook("object.metadata.name == 'p'"), hook("request.operation == 'DELETE'")]), 1);
  assert.equal(await called([hook("authorizer.requestResource.check('create').allowed()")]), 1);
  assert.equal(await called([hook(mistake, "Ignore")]), 0);
  await assert.rejects(called([hook(mistake)]), {
    message: `pods "p" is forbidden: expression '${mistake}' resulted in error: no such key: nothing`,
  });
});

Deno.test("options of what is connected to are shown without metadata", QUIET, async () => {
  await withHooks([{}], () => ({ allowed: true }), async ({ validating, requests }) => {
    const kind = { group: "", version: "v1", kind: "PodExecOptions" };
    await validating.validate!(requestOf({ operation: "CONNECT", kind, subresource: "exec", object: { stdin: true } }));
    assert.deepEqual(requests[0].object, { kind: "PodExecOptions", apiVersion: "v1", stdin: true });
  });
});

Deno.test("a dry run is not sent to webhooks with side effects", QUIET, async () => {
  await withHooks([{ sideEffects: "Some" }], () => ({ allowed: true }), async ({ validating, requests }) => {
    await assert.rejects(async () => await validating.validate!(requestOf({ dryRun: true })), {
      message: 'admission webhook "w0.example.com" does not support dry run',
      code: 400,
    });
    assert.equal(requests.length, 0);
  });
});

Deno.test("a service without an address, and a server with another certificate, are told", QUIET, async () => {
  const service = { namespace: "n", name: "gone", path: "/hook" };
  await withHooks([{ clientConfig: { service } }], () => ({ allowed: true }), async ({ validating }) => {
    await assert.rejects(
      async () => await validating.validate!(requestOf()),
      /Post "https:\/\/gone\.n\.svc:443\/hook\?timeout=10s": service "gone" not found/,
    );
  });
});
