// Roles and cluster roles.
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  type Field,
  nameIsPathSegment,
  selectorHasInvalidValue,
  validateLabelSelector,
} from "../../machinery/validation/mod.ts";
import { NAME } from "../columns.ts";
import type { ClusterRole, Role } from "../generated/types.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { validatePolicyRule } from "./rules.ts";

type RoleObject = KubeObject & Role;
type ClusterRoleObject = KubeObject & ClusterRole;

const CREATED_AT: Column<KubeObject> = {
  name: "Created At",
  type: "date",
  description: "When the object was created.",
  cell: (object) => object.metadata.creationTimestamp ?? null,
};

const common = {
  allowCreateOnUpdate: true,
  validateName: (name: string) => nameIsPathSegment(name, false),
  columns: [NAME, CREATED_AT],
};

function validateRules({ rules }: Role, root: Field, namespaced: boolean): void {
  (rules ?? []).forEach((rule, i) => validatePolicyRule(rule, root.child("rules").index(i), namespaced));
}

function validateRole(role: RoleObject) {
  return collect((root) => validateRules(role, root, true));
}

export const role: KindDefinition<RoleObject> = {
  ...common,
  gvk: { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" },
  resource: "roles",
  validate: validateRole,
  validateUpdate: validateRole,
};

function validateClusterRole(role: ClusterRoleObject, old?: ClusterRoleObject) {
  return collect((root) => {
    validateRules(role, root, false);
    if (!role.aggregationRule) return;
    const at = root.child("aggregationRule", "clusterRoleSelectors");
    const selectors = role.aggregationRule.clusterRoleSelectors ?? [];
    if (selectors.length === 0) {
      at.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    const allowInvalidValues = old?.aggregationRule?.clusterRoleSelectors?.some(selectorHasInvalidValue) ?? false;
    selectors.forEach((selector, i) => {
      const before = at.count;
      validateLabelSelector(selector, at.index(i), { allowInvalidValues });
      if (at.count > before) at.index(i).invalid(null, "invalid label selector.");
    });
  });
}

export const clusterRole: KindDefinition<ClusterRoleObject> = {
  ...common,
  gvk: { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole" },
  resource: "clusterroles",
  validate: (role) => validateClusterRole(role),
  validateUpdate: validateClusterRole,
};
