import assert from "node:assert/strict";
import { parseAuthorizationConfiguration } from "./configuration.ts";

const HEAD = "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n";
const WEBHOOK = "{timeout: 3s, subjectAccessReviewVersion: v1, failurePolicy: Deny, " +
  "connectionInfo: {type: KubeConfigFile, kubeConfigFile: /etc/webhook}}";

function parse(authorizers: string) {
  return parseAuthorizationConfiguration(`${HEAD}authorizers: ${authorizers}`);
}

Deno.test("authorizers come in the order of the file", async () => {
  const entries = await parse(`[{type: Webhook, name: w, webhook: ${WEBHOOK}}, {type: Node, name: node}]`);
  assert.deepEqual(entries, [
    {
      type: "Webhook",
      name: "w",
      webhook: {
        timeout: 3000,
        version: "v1",
        failurePolicy: "Deny",
        authorizedTtl: 300_000,
        unauthorizedTtl: 30_000,
        kubeConfigFile: "/etc/webhook",
        matches: undefined,
      },
    },
    { type: "Node", name: "node" },
  ]);
  const never = WEBHOOK.replace("{", "{cacheAuthorizedRequests: false, unauthorizedTTL: 1m, ");
  const [{ webhook }] = await parse(`[{type: Webhook, name: w, webhook: ${never}}]`);
  assert.deepEqual([webhook!.authorizedTtl, webhook!.unauthorizedTtl], [0, 60_000]);
  const conditions =
    "{matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression: request.user == 'a'}], ";
  const [conditional] = await parse(`[{type: Webhook, name: w, webhook: ${WEBHOOK.replace("{", conditions)}}]`);
  assert.equal(conditional.webhook!.matches!({ user: "a" }), true);
  assert.equal(conditional.webhook!.matches!({ user: "b" }), false);
});

Deno.test("what is wrong is said by its place", async () => {
  const wrong: [string, RegExp][] = [
    ["[]", /^Error: authorizers: Required value: at least one authorization mode must be defined$/],
    ["[{type: RBAC}]", /authorizers\[0]\.name: Required value/],
    ["[{type: Magic, name: m}]", /authorizers\[0]\.type: Unsupported value: "Magic"/],
    ["[{type: RBAC, name: a}, {type: RBAC, name: b}]", /authorizers\[1]\.type: Duplicate value: "RBAC"/],
    ["[{type: RBAC, name: a}, {type: Node, name: a}]", /authorizers\[1]\.name: Duplicate value: "a"/],
    ["[{type: RBAC, name: A}]", /authorizer name is invalid/],
    ["[{type: RBAC, name: a, webhook: {}}]", /may only be specified when type=Webhook/],
    ["[{type: Webhook, name: a}]", /authorizers\[0]\.webhook: Required value: required when type=Webhook/],
    ["[{type: Webhook, name: a, webhook: {timeout: 31s}}]", /timeout: Invalid value: "31s": must be > 0s and <= 30s/],
    ["[{type: Webhook, name: a, webhook: {timeout: soon}}]", /timeout is no duration: "soon"/],
    [`[{type: Webhook, name: a, webhook: ${WEBHOOK.replace("/etc/", "")}}]`, /must be an absolute path/],
    ["[{type: RBAC, name: n}]", /authorizers\[0]\.name has to be a string/],
    [
      `[{type: Webhook, name: a, webhook: ${WEBHOOK.replace("{", "{matchConditions: [{expression: x}], ")}}]`,
      /matchConditionSubjectAccessReviewVersion: Required.*matchConditions\[0]\.expression: Invalid value: "x": compilation/,
    ],
    ["[{type: RBAC, name: a}]", /expected name rbac for authorizer RBAC instead of a$/],
    ["[{type: RBAC, name: a, mode: x}]", /unknown field "authorizers\[0]\.mode"/],
  ];
  for (const [authorizers, problem] of wrong) await assert.rejects(parse(authorizers), problem);
  await assert.rejects(parseAuthorizationConfiguration("kind: X"), /expected a AuthorizationConfiguration of/);
});
