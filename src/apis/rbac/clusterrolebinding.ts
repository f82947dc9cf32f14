// Cluster role bindings: who has the rights of a cluster role everywhere.
import { bindingKind } from "./bindings.ts";

export const clusterRoleBinding = bindingKind("ClusterRoleBinding", "clusterrolebindings", {
  roleKinds: ["ClusterRole"],
  namespaced: false,
});
