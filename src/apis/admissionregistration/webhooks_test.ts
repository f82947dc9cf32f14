import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const HOOK = {
  name: "a.example.com",
  clientConfig: { url: "https://a/" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};

function configuration(webhook: object, kind = "ValidatingWebhookConfiguration") {
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, webhooks: [{ ...HOOK, ...webhook }] };
}

Deno.test("webhooks fail closed and wait ten seconds unless they say otherwise", async () => {
  await withTrial(async (trial) => {
    const { webhooks: [webhook] } = await trial.create(configuration({}, "MutatingWebhookConfiguration"));
    const { failurePolicy, matchPolicy, timeoutSeconds, reinvocationPolicy } = webhook;
    assert.deepEqual([failurePolicy, matchPolicy, timeoutSeconds, reinvocationPolicy], [
      "Fail",
      "Equivalent",
      10,
      "Never",
    ]);
  });
});

Deno.test("webhooks have names of three parts, one way to be reached, known versions", async () => {
  const webhook = {
    name: "a",
    clientConfig: {},
    sideEffects: "Some",
    admissionReviewVersions: ["v2", "v2"],
    timeoutSeconds: 31,
  };
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals(configuration(webhook)), [
      'webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots',
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
      "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
      'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
    ]);
  });
});

Deno.test("match conditions compile to booleans; unchanged ones are not looked at again", async () => {
  const matchConditions = [
    { name: "a", expression: "request.name == 1" },
    { name: "a", expression: "object.x" },
    { name: "c", expression: " authorizer.requestResource.check('get').allowed() && oldObject != null" },
  ];
  await withTrial(async (trial) => {
    const at = "webhooks[0].matchConditions";
    assert.deepEqual(await trial.refusals(configuration({ matchConditions })), [
      `${at}[0].expression: Invalid value: "request.name == 1": compilation failed: ERROR: <input>:1:14: found no ` +
      "matching overload for '_==_' applied to '(string, int)'\n | request.name == 1\n | .............^",
      `${at}[1].expression: Invalid value: "object.x": must evaluate to bool but got dyn`,
      `${at}[1].name: Duplicate value: "a"`,
    ]);
    assert.deepEqual(await trial.refusals(configuration({ matchConditions: matchConditions.slice(2) })), []);
  });
});
