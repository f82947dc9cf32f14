// Policies that change objects: expressions that give patches (KEP-3962).
import type { PolicyCompiler, Purpose } from "../../machinery/cel/policies/compiler.ts";
import { collect, type Field } from "../../machinery/validation/mod.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, integer, NAME } from "../columns.ts";
import type { MutatingAdmissionPolicySpec, Mutation } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { checkCompilation, policyCompiler } from "./expressions.ts";
import { checkMutable } from "./match_resources.ts";
import { checkOneOf, REINVOCATION_POLICIES } from "./one_of.ts";
import { checkPolicyConditions, checkPolicyHead, checkVariables, PARAM_KIND, POLICY_KIND } from "./policies.ts";

type MutatingAdmissionPolicy = KubeObject & { spec?: MutatingAdmissionPolicySpec };

/** The member with a patch of each type, and what its expression is. */
const PATCHES: Readonly<Record<string, { member: "applyConfiguration" | "jsonPatch"; purpose: Purpose }>> = {
  ApplyConfiguration: { member: "applyConfiguration", purpose: "apply configuration" },
  JSONPatch: { member: "jsonPatch", purpose: "JSON patch" },
};

function check(policy: MutatingAdmissionPolicy, root: Field, old?: MutatingAdmissionPolicy): void {
  const { spec = {} } = policy, at = root.child("spec");
  const { variables = [], mutations = [], paramKind, reinvocationPolicy = "" } = spec;
  const compiler = policyCompiler({ params: !!paramKind, variables: true });
  checkMeta(policy, root, { namespaced: false, standardFinalizers: false });
  checkPolicyHead(spec, at);
  checkMutable(spec.matchConstraints, at.child("matchConstraints"));
  checkPolicyConditions(spec, at, old && (old.spec ?? {}));
  checkVariables(variables, compiler, at.child("variables"));
  if (mutations.length === 0) at.child("mutations").required("mutations must contain at least one item");
  mutations.forEach((mutation, i) => checkMutation(mutation, compiler, at.child("mutations").index(i)));
  if (reinvocationPolicy === "") at.child("reinvocationPolicy").required();
  else checkOneOf(reinvocationPolicy, at.child("reinvocationPolicy"), REINVOCATION_POLICIES);
}

function checkMutation(mutation: Mutation, compiler: PolicyCompiler, at: Field): void {
  const { patchType = "" } = mutation;
  if (patchType === "") return at.child("patchType").required();
  if (!Object.hasOwn(PATCHES, patchType)) return at.child("patchType").notSupported(patchType, Object.keys(PATCHES));
  const { member, purpose } = PATCHES[patchType];
  const patch = mutation[member], other = member === "jsonPatch" ? "applyConfiguration" : "jsonPatch";
  if (!patch) at.child(member).required(`must be specified when patchType is ${patchType}`);
  else {
    const source = patch.expression?.trim() ?? "", field = at.child(member, "expression");
    if (source === "") field.required();
    else checkCompilation(compiler.compile(source, purpose), source, field);
  }
  if (mutation[other]) at.child(other).invalid(`{${other}}`, `must not be specified when patchType is ${patchType}`);
}

export const mutatingAdmissionPolicy: KindDefinition<MutatingAdmissionPolicy> = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingAdmissionPolicy" },
  resource: "mutatingadmissionpolicies",
  ...POLICY_KIND,
  validate: (policy) => collect((root) => check(policy, root)),
  validateUpdate: (policy, old) => collect((root) => check(policy, root, old)),
  columns: [
    NAME,
    integer(
      "Mutations",
      "Mutation indicates the number of mutations rules defined in this configuration",
      ({ spec }) => spec?.mutations?.length ?? 0,
    ),
    PARAM_KIND,
    AGE,
  ],
};
