// Where a policy that refuses objects is in force, with which parameters, and what it does about mistakes.
import type { Field } from "../../machinery/validation/mod.ts";
import type { ValidatingAdmissionPolicyBindingSpec } from "../../facts/generated/types.ts";
import { bindingKind } from "./bindings.ts";
import { checkOneOf } from "./one_of.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];

export const validatingAdmissionPolicyBinding = bindingKind<ValidatingAdmissionPolicyBindingSpec>(
  "ValidatingAdmissionPolicyBinding",
  "validatingadmissionpolicybindings",
  ({ validationActions = [] }, at) => checkActions(validationActions, at.child("validationActions")),
);

function checkActions(actions: readonly string[], at: Field): void {
  actions.forEach((action, i) => {
    checkOneOf(action, at.index(i), ACTIONS);
    if (actions.indexOf(action) < i) at.index(i).duplicate(action);
  });
  if (actions.includes("Deny") && actions.includes("Warn")) {
    at.invalid(
      actions,
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and " +
        "headers serves no purpose)",
    );
  }
  if (actions.length === 0) at.required("at least one validation action is required");
}
