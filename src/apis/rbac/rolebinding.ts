// Role bindings: who has the rights of a role inside of one namespace.
import { bindingKind } from "./bindings.ts";

export const roleBinding = bindingKind("RoleBinding", "rolebindings", {
  roleKinds: ["Role", "ClusterRole"],
  namespaced: true,
});
