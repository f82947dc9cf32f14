import assert from "node:assert/strict";
import type { ClusterRole } from "../facts/generated/types.ts";
import type { KubeObject } from "../machinery/types.ts";
import { gatheredRules } from "./cluster_role_aggregation.ts";

type Role = KubeObject & ClusterRole;

function role(name: string, labels: Record<string, string>, resources: string[], gathers?: string): Role {
  const clusterRoleSelectors = [{ matchLabels: { to: gathers ?? "" } }];
  return {
    kind: "ClusterRole",
    apiVersion: "rbac.authorization.k8s.io/v1",
    metadata: { name, labels },
    rules: resources.map((resource) => ({ verbs: ["get"], apiGroups: [""], resources: [resource] })),
    ...gathers !== undefined && { aggregationRule: { clusterRoleSelectors } },
  };
}

function gathered(...roles: Role[]): string[] {
  const byName = new Map(roles.map((r) => [r.metadata.name!, r]));
  return gatheredRules(roles[0], byName).map(({ resources }) => resources!.join());
}

Deno.test("a role gathers the rules of those its selectors choose, equal ones once, by name", () => {
  const all = role("all", { to: "all" }, ["old"], "all");
  const others = [role("z", { to: "all" }, ["pods", "nodes"]), role("a", { to: "all" }, ["secrets", "pods"])];
  assert.deepEqual(gathered(all, ...others, role("no", { to: "x" }, ["events"])), ["secrets", "pods", "nodes"]);
  assert.deepEqual(gathered(all), []);
});
