import assert from "node:assert/strict";
import { parseAuthenticationConfiguration } from "./configuration.ts";

const ISSUER = "{url: https://issuer.example, audiences: [kube]}";
const USERNAME = '{username: {claim: sub, prefix: ""}}';

function parse(jwt: string, rest = "") {
  const head = "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n";
  return parseAuthenticationConfiguration(`${head}jwt: ${jwt}\n${rest}`, ["https://own.example"]);
}

Deno.test("issuers, what becomes of their claims, and who may be anonymous", async () => {
  const { jwt: [first], anonymous } = await parse(
    `[{issuer: ${ISSUER}, claimMappings: {username: {claim: sub, prefix: "x:"}, groups: {claim: g, prefix: ""}, ` +
      `uid: {claim: oid}}, claimValidationRules: [{claim: hd, requiredValue: example.com}]}]`,
    "anonymous: {enabled: true, conditions: [{path: /healthz}]}",
  );
  assert.deepEqual(first.username, { claim: "sub", prefix: "x:", expression: "" });
  assert.deepEqual(first.groups, { claim: "g", prefix: "", expression: "" });
  assert.equal(first.uid?.claim, "oid");
  assert.deepEqual(first.requiredClaims, { hd: "example.com" });
  assert.deepEqual(anonymous, { enabled: true, paths: ["/healthz"] });
  assert.deepEqual(await parse("[]"), { jwt: [], anonymous: undefined });
});

Deno.test("what is wrong is said by its place", async () => {
  const jwt = (issuer: string, mappings = USERNAME, rest = "") =>
    `[{issuer: ${issuer}, claimMappings: ${mappings}${rest}}]`;
  const wrong: [string, RegExp][] = [
    [jwt("{audiences: [a]}"), /^Error: jwt\[0]\.issuer\.url: Required value$/],
    [
      jwt("{url: http://x, audiences: [a]}"),
      /jwt\[0]\.issuer\.url: Invalid value: "http:\/\/x": URL scheme must be https/,
    ],
    [
      jwt("{url: https://own.example, audiences: [a]}"),
      /URL must not overlap with disallowed issuers: \[https:\/\/own/,
    ],
    [jwt('{url: "https://u:p@x/?q#f", audiences: [a]}'), /username or password.*a query.*a fragment/],
    [jwt("{url: https://x}"), /at least one jwt\[0]\.issuer\.audiences is required/],
    [jwt("{url: https://x, audiences: [a, b]}"), /audienceMatchPolicy must be MatchAny for multiple audiences/],
    [jwt("{url: https://x, discoveryURL: https://x/, audiences: [a]}"), /discoveryURL must be different from URL/],
    [
      jwt("{url: https://x, certificateAuthority: x, audiences: [a]}"),
      /certificateAuthority: Invalid value: "<omitted>"/,
    ],
    [jwt(ISSUER, "{}"), /jwt\[0]\.claimMappings\.username: Required value: claim or expression is required/],
    [jwt(ISSUER, "{username: {claim: sub}}"), /username\.prefix: Required value: prefix is required when claim is set/],
    [jwt(ISSUER, "{username: {claim: a, expression: b}}"), /claim and expression can't both be set/],
    [jwt(ISSUER, USERNAME, ", claimValidationRules: [{}]"), /claim or expression is required/],
    [jwt(ISSUER, USERNAME, ", userValidationRules: [{}]"), /userValidationRules\[0]\.expression: Required value/],
    [
      jwt(ISSUER, "{username: {expression: claims.}}"),
      /username\.expression: Invalid value: "claims\."\: compilation failed/,
    ],
    [jwt(ISSUER, "{username: {expression: claims.email}}"), /claims\.email_verified must be used in/],
    [jwt(ISSUER, USERNAME, ", claimValidationRules: [{expression: claims.a}]"), /must evaluate to bool/],
    [jwt(ISSUER, USERNAME, ", userValidationRules: [{expression: user.name}]"), /undefined field 'name'/],
    [
      jwt(ISSUER, '{username: {claim: sub, prefix: ""}, extra: [{key: A.io/b, valueExpression: "1"}]}'),
      /must be lowercase/,
    ],
    [
      jwt(ISSUER, '{username: {claim: sub, prefix: ""}, extra: [{key: k8s.io/b, valueExpression: "1"}]}'),
      /are reserved/,
    ],
    [jwt(ISSUER, USERNAME, ", users: []"), /unknown field "jwt\[0]\.users"/],
    [`[{issuer: ${ISSUER}, claimMappings: ${USERNAME}}, {issuer: ${ISSUER}, claimMappings: ${USERNAME}}]`, /Duplicate/],
  ];
  for (const [text, problem] of wrong) await assert.rejects(parse(text), problem, text);
  await assert.rejects(
    parse("[]", "anonymous: {enabled: false, conditions: [{path: /x}]}"),
    /enabled should be set to true when conditions are defined/,
  );
});
