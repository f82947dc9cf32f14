// Roles: rights inside of one namespace.
import type { KubeObject } from "../../machinery/types.ts";
import { collect } from "../../machinery/validation/mod.ts";
import type { Role } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMetaUpdate } from "../meta.ts";
import { ROLE_COMMON, validateRules } from "./roles.ts";

type RoleObject = KubeObject & Role;

function validateRole(role: RoleObject, old?: RoleObject) {
  return collect((root) => {
    validateRules(role, root, true);
    if (old !== undefined) checkMetaUpdate(role, old, root);
  });
}

export const role: KindDefinition<RoleObject> = {
  ...ROLE_COMMON,
  gvk: { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" },
  resource: "roles",
  validate: (role) => validateRole(role),
  validateUpdate: validateRole,
};
