// Bindings of validating admission policies: where a policy holds, and what a refusal means.
import type { KindDefinition } from "../kind.ts";

export const validatingAdmissionPolicyBinding: KindDefinition = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicyBinding" },
  resource: "validatingadmissionpolicybindings",
  generation: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
};
