import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const GROUP = "rbac.authorization.k8s.io";
const VERSION = `${GROUP}/v1`;

Deno.test("rules of roles are about resources of one namespace", async () => {
  const rules = [{ verbs: [], nonResourceURLs: ["/"] }, { verbs: ["get"] }];
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals({ apiVersion: VERSION, kind: "Role", metadata: { name: "a%b" }, rules }), [
      "metadata.name: Invalid value: \"a%b\": may not contain '%'",
      "rules[0].verbs: Required value: verbs must contain at least one value",
      'rules[0].nonResourceURLs: Invalid value: ["/"]: namespaced rules cannot apply to non-resource URLs',
      "rules[1].apiGroups: Required value: resource rules must supply at least one api group",
      "rules[1].resources: Required value: resource rules must supply at least one resource",
    ]);
    assert.deepEqual(await trial.refusals({ apiVersion: VERSION, kind: "ClusterRole", aggregationRule: {} }), [
      "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if " +
      "aggregationRule is non-nil",
    ]);
  });
});

Deno.test("a binding keeps its role; its metadata is looked at twice on updates", async () => {
  const binding = { apiVersion: VERSION, kind: "RoleBinding", roleRef: { kind: "Role", name: "a" } };
  await withTrial(async (trial) => {
    const stored = await trial.create({ ...binding, subjects: [{ kind: "User", name: "u" }] });
    assert.deepEqual([stored.roleRef.apiGroup, stored.subjects[0].apiGroup], [GROUP, GROUP]);
    const changed = { ...binding, metadata: { labels: { a: "b c" } }, roleRef: { kind: "Role", name: "b" } };
    const problems = await trial.updateRefusals(changed);
    assert.deepEqual(problems.map((problem) => problem.split(":")[0]), [
      "metadata.labels",
      "metadata.labels",
      "metadata.labels",
      "metadata.labels",
      "roleRef",
    ]);
    assert.equal(
      problems.at(-1),
      `roleRef: Invalid value: {"APIGroup":"${GROUP}","Kind":"Role","Name":"b"}: cannot change roleRef`,
    );
  });
});
