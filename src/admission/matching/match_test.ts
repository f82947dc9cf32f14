import assert from "node:assert/strict";
import { contextOf, lookupOf, requestOf } from "../testing.ts";
import { isExempt, matchRequest } from "./match.ts";

const EVERYTHING = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
const PODS = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
const context = contextOf({
  lookup: lookupOf({ namespaces: [{ metadata: { name: "n", labels: { team: "red" } } }] }),
  equivalentsOf: (resource) =>
    resource.resource !== "deployments" ? [] : [{
      resource: { group: "extensions", version: "v1beta1", resource: "deployments" },
      kind: { group: "extensions", version: "v1beta1", kind: "Deployment" },
    }],
});

async function matches(rule: Record<string, unknown>, request = requestOf()): Promise<boolean> {
  return await matchRequest({ rules: [{ ...PODS, ...rule }] }, request, context) !== undefined;
}

Deno.test("rules choose by operation, group, version, resource and scope", async () => {
  assert.equal(await matches({}), true);
  assert.equal(await matches({ operations: ["UPDATE"] }), false);
  assert.equal(await matches({ apiGroups: ["apps"] }), false);
  assert.equal(await matches({ apiVersions: ["v2"] }), false);
  assert.equal(await matches({ resources: ["*"] }), true);
  assert.equal(await matches({ resources: ["pods/status"] }), false);
  assert.equal(await matches({ scope: "Cluster" }), false);
  assert.equal(await matches({ resourceNames: ["q"] }), false);
  const status = requestOf({ subresource: "status" });
  assert.equal(await matches({}, status), false);
  for (const resource of ["pods/status", "pods/*", "*/status", "*/*"]) {
    assert.equal(await matches({ resources: [resource] }, status), true, resource);
  }
});

Deno.test("a namespace is cluster-scoped, and its selector looks at what is being written", async () => {
  const request = requestOf({
    kind: { group: "", version: "v1", kind: "Namespace" },
    resource: { group: "", version: "v1", resource: "namespaces" },
    object: { metadata: { name: "n", labels: { team: "blue" } } },
  });
  const rules = [{ ...EVERYTHING, resources: ["*"], scope: "Cluster" }];
  const selected = (team: string) =>
    matchRequest({ rules, namespaceSelector: { matchLabels: { team } } }, request, context);
  assert.ok(await selected("blue"));
  assert.equal(await selected("red"), undefined);
});

Deno.test("selectors look at the namespace, and at the object and what it was", async () => {
  const rules = [EVERYTHING], request = requestOf({ operation: "UPDATE", oldObject: requestOf().object });
  request.oldObject!.metadata.labels = { app: "web" };
  const team = (values: string[]) => ({ matchExpressions: [{ key: "team", operator: "In", values }] });
  assert.ok(await matchRequest({ rules, namespaceSelector: team(["red"]) }, request, context));
  assert.equal(await matchRequest({ rules, namespaceSelector: team(["blue"]) }, request, context), undefined);
  assert.ok(await matchRequest({ rules, objectSelector: { matchLabels: { app: "web" } } }, request, context));
  assert.equal(
    await matchRequest({ rules, objectSelector: { matchLabels: { app: "db" } } }, request, context),
    undefined,
  );
  const elsewhere = requestOf({ namespace: "gone" });
  await assert.rejects(
    matchRequest({ rules, namespaceSelector: team(["red"]) }, elsewhere, context),
    /namespaces "gone" not found/,
  );
});

Deno.test("an equivalent version matches unless the policy is exact", async () => {
  const request = requestOf({
    kind: { group: "apps", version: "v1", kind: "Deployment" },
    resource: { group: "apps", version: "v1", resource: "deployments" },
  });
  const rules = [{ ...EVERYTHING, apiGroups: ["extensions"] }];
  const match = await matchRequest({ rules, matchPolicy: "Equivalent" }, request, context);
  assert.equal(match?.kind.group, "extensions");
  assert.equal(await matchRequest({ rules, matchPolicy: "Exact" }, request, context), undefined);
});

Deno.test("excluded requests do not match, and configurations of admission never do", async () => {
  const excludeRules = [{ ...PODS, resourceNames: ["p"] }];
  assert.equal(await matchRequest({ rules: [EVERYTHING], excludeRules }, requestOf(), context), undefined);
  const kind = { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicy" };
  assert.equal(isExempt(requestOf({ kind })), true);
  assert.equal(isExempt(requestOf()), false);
});
