import assert from "node:assert/strict";
import { abacAuthorizer, parsePolicies } from "./abac.ts";
import type { AuthorizationAttributes } from "./interface.ts";

const VERSIONED = '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":';

function wanted(changes: Partial<AuthorizationAttributes> & { as?: string; groups?: string[] }) {
  const { as = "jane", groups = ["system:authenticated"], ...rest } = changes;
  return {
    user: { name: as, uid: "", groups, extra: {} },
    verb: "get",
    isResourceRequest: true,
    namespace: "ns",
    apiGroup: "",
    apiVersion: "v1",
    resource: "pods",
    subresource: "",
    name: "",
    path: "",
    ...rest,
  };
}

const POLICIES = `
# who may what
${VERSIONED}{"user":"jane","namespace":"ns","resource":"pods","apiGroup":"","readonly":true}}
${VERSIONED}{"group":"ops","namespace":"*","resource":"*","apiGroup":"*","nonResourcePath":"/metrics/*"}}
${VERSIONED}{"user":"kim","group":"dev","namespace":"*","resource":"secrets","apiGroup":"*"}}
${VERSIONED}{"user":"*","nonResourcePath":"/version"}}
{"user":"old","readonly":true}
{"apiVersion":"abac.authorization.kubernetes.io/v0","kind":"Policy","user":"older","resource":"pods"}
`;

Deno.test("the first policy that matches allows", async () => {
  const abac = abacAuthorizer(parsePolicies(POLICIES));
  const asks: [Parameters<typeof wanted>[0], boolean][] = [
    [{}, true],
    [{ verb: "watch" }, true],
    [{ verb: "delete" }, false],
    [{ namespace: "other" }, false],
    [{ as: "older", namespace: "other", verb: "delete" }, true],
    [{ as: "older", resource: "secrets" }, false],
    [{ resource: "secrets" }, false],
    [{ as: "olga", groups: ["ops"], verb: "delete", apiGroup: "apps", resource: "deployments" }, true],
    [{ as: "olga", groups: ["ops"], isResourceRequest: false, path: "/metrics/slis" }, true],
    [{ as: "olga", groups: ["ops"], isResourceRequest: false, path: "/logs" }, false],
    [{ as: "kim", groups: ["dev"], resource: "secrets" }, true],
    [{ as: "kim", resource: "secrets" }, false],
    [{ as: "anybody", isResourceRequest: false, path: "/version" }, true],
    [{ as: "system:anonymous", groups: ["system:unauthenticated"], isResourceRequest: false, path: "/version" }, false],
    [{ as: "old", resource: "nodes", namespace: "" }, true],
    [{ as: "old", isResourceRequest: false, path: "/anything" }, true],
    [{ as: "old", verb: "create" }, false],
  ];
  for (const [ask, allowed] of asks) {
    const { decision, reason } = await abac.authorize(wanted(ask));
    assert.equal(decision === "allow", allowed, JSON.stringify(ask));
    assert.equal(reason, allowed ? "" : "No policy matched.");
  }
  assert.deepEqual(await abac.rulesFor(wanted({}).user, "ns"), {
    resourceRules: [{ verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["pods"] }],
    nonResourceRules: [],
    incomplete: false,
  });
});

Deno.test("a line that is no policy is named", () => {
  assert.throws(() => parsePolicies("\n{"), /^Error: error reading policy at line 2: \{: /);
  assert.throws(() => parsePolicies(`${VERSIONED.replace("v1beta1", "v9")}{}}`), /is no Policy of/);
  assert.throws(() => parsePolicies('{"user": 5}'), /user is no string/);
});
