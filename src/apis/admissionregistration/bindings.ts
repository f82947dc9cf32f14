// What the bindings of validating and mutating policies have in common.
import { collect, type Field, nameIsDNSSubdomain } from "../../machinery/validation/mod.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { MutatingAdmissionPolicyBindingSpec } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { CONFIGURATION_KIND } from "./configuration_kind.ts";
import { checkMatchResources, setMatchDefaults } from "./match_resources.ts";
import { checkParamRef, paramRefCell } from "./params.ts";

export type BindingSpec = MutatingAdmissionPolicyBindingSpec;
type Binding<Spec> = KubeObject & { spec?: Spec };

/** @param check what the two kinds do not have in common */
export function bindingKind<Spec extends BindingSpec>(
  kind: string,
  resource: string,
  check: (spec: Spec, at: Field) => void,
): KindDefinition<Binding<Spec>> {
  const validate = (object: Binding<Spec>) =>
    collect((root) => {
      checkMeta(object, root, { namespaced: false, standardFinalizers: false });
      const spec = object.spec ?? {} as Spec, at = root.child("spec");
      checkBinding(spec, at);
      check(spec, at);
    });
  return {
    gvk: { group: "admissionregistration.k8s.io", version: "v1", kind },
    resource,
    ...CONFIGURATION_KIND,
    setDefaults: ({ spec }) => setMatchDefaults(spec?.matchResources),
    validate,
    validateUpdate: validate,
    columns: [
      NAME,
      text(
        "PolicyName",
        "PolicyName indicates the policy definition which the policy binding binded to",
        ({ spec }) => spec?.policyName ?? "",
      ),
      text(
        "ParamRef",
        "ParamRef indicates the param resource which sets the configuration param",
        ({ spec }) => paramRefCell(spec?.paramRef),
      ),
      AGE,
    ],
  };
}

function checkBinding({ policyName = "", paramRef, matchResources }: BindingSpec, at: Field): void {
  if (policyName === "") at.child("policyName").required();
  else at.child("policyName").invalidEach(policyName, nameIsDNSSubdomain(policyName, false));
  checkParamRef(paramRef, at.child("paramRef"));
  checkMatchResources(matchResources, at.child("matchResources"));
}
