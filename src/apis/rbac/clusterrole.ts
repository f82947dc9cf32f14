// Cluster roles: rights in every namespace and outside of them.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, selectorHasInvalidValue, validateLabelSelector } from "../../machinery/validation/mod.ts";
import type { ClusterRole } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMetaUpdate } from "../meta.ts";
import { ROLE_COMMON, validateRules } from "./roles.ts";

type ClusterRoleObject = KubeObject & ClusterRole;

function validateClusterRole(role: ClusterRoleObject, old?: ClusterRoleObject) {
  return collect((root) => {
    validateRules(role, root, false);
    checkAggregation(role, root, old);
    if (old !== undefined) checkMetaUpdate(role, old, root);
  });
}
function checkAggregation({ aggregationRule }: ClusterRoleObject, root: Field, old?: ClusterRoleObject): void {
  if (!aggregationRule) return;
  const at = root.child("aggregationRule", "clusterRoleSelectors");
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) at.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
  const allowInvalidValues = old?.aggregationRule?.clusterRoleSelectors?.some(selectorHasInvalidValue) ?? false;
  selectors.forEach((selector, i) => {
    const before = at.count;
    validateLabelSelector(selector, at.index(i), { allowInvalidValues });
    if (at.count > before) at.index(i).invalid(null, "invalid label selector.");
  });
}

export const clusterRole: KindDefinition<ClusterRoleObject> = {
  ...ROLE_COMMON,
  gvk: { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole" },
  resource: "clusterroles",
  validate: (role) => validateClusterRole(role),
  validateUpdate: validateClusterRole,
};
