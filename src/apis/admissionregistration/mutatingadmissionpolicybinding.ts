// Bindings of mutating admission policies: where a policy holds.
import type { KindDefinition } from "../kind.ts";

export const mutatingAdmissionPolicyBinding: KindDefinition = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingAdmissionPolicyBinding" },
  resource: "mutatingadmissionpolicybindings",
  generation: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
};
