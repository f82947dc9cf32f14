// Where a policy that changes objects is in force, with which parameters.
import { bindingKind } from "./bindings.ts";
import { checkMutable } from "./match_resources.ts";

export const mutatingAdmissionPolicyBinding = bindingKind(
  "MutatingAdmissionPolicyBinding",
  "mutatingadmissionpolicybindings",
  ({ matchResources }, at) => checkMutable(matchResources, at.child("matchResources")),
);
