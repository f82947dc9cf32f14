// Mutating admission policies: how requests are changed, in expressions (KEP-3962).
import type { KindDefinition } from "../kind.ts";

export const mutatingAdmissionPolicy: KindDefinition = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingAdmissionPolicy" },
  resource: "mutatingadmissionpolicies",
  generation: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
};
