// Validating admission policies: what requests have to keep to, in expressions (KEP-3488).
import type { KindDefinition } from "../kind.ts";

export const validatingAdmissionPolicy: KindDefinition = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicy" },
  resource: "validatingadmissionpolicies",
  generation: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  statusResetFields: [["metadata"], ["spec"]],
};
