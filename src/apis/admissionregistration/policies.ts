// What validating and mutating policies have in common.
import type { PolicyCompiler } from "../../machinery/cel/policies/compiler.ts";
import { isReserved } from "../../machinery/cel/schema/escape.ts";
import { deepEqual, type Field, isCIdentifier } from "../../machinery/validation/mod.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { text } from "../columns.ts";
import type { MatchCondition, MatchResources, ParamKind, Variable } from "../../facts/generated/types.ts";
import { checkConditions } from "./conditions.ts";
import { CONFIGURATION_KIND } from "./configuration_kind.ts";
import { checkCompilation, loadPolicyCompiler } from "./expressions.ts";
import { checkMatchResources, setMatchDefaults } from "./match_resources.ts";
import { checkOneOf, FAILURE_POLICIES } from "./one_of.ts";
import { checkParamKind, paramKindCell } from "./params.ts";

export interface PolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  failurePolicy?: string;
  matchConditions?: MatchCondition[];
  variables?: Variable[];
}

export type Policy<Spec extends PolicySpec = PolicySpec> = KubeObject & { spec?: Spec };

function setPolicyDefaults({ spec }: Policy): void {
  if (!spec) return;
  spec.failurePolicy ??= "Fail";
  setMatchDefaults(spec.matchConstraints);
}

/** What stands before the conditions. */
export function checkPolicyHead(spec: PolicySpec, at: Field): void {
  checkOneOf(spec.failurePolicy, at.child("failurePolicy"), FAILURE_POLICIES);
  if (spec.failurePolicy === undefined) at.child("failurePolicy").required();
  if (spec.paramKind) checkParamKind(spec.paramKind, at.child("paramKind"));
  if (!spec.matchConstraints) return at.child("matchConstraints").required();
  const constraints = at.child("matchConstraints");
  checkMatchResources(spec.matchConstraints, constraints);
  if ((spec.matchConstraints.resourceRules?.length ?? 0) === 0) constraints.child("resourceRules").required();
}

/** Conditions that a policy had before are not checked again. */
export function checkPolicyConditions(spec: PolicySpec, at: Field, old: PolicySpec | undefined): void {
  if (
    old !== undefined && deepEqual(old.paramKind, spec.paramKind) &&
    deepEqual(old.matchConditions, spec.matchConditions)
  ) return;
  checkConditions(spec.matchConditions ?? [], at.child("matchConditions"), { params: !!spec.paramKind });
}

/** Adds the policy's variables to the compiler. */
export function checkVariables(variables: readonly Variable[], compiler: PolicyCompiler, at: Field): void {
  variables.forEach(({ name = "", expression = "" }, i) => {
    const field = at.index(i);
    if (name.trim() === "") field.child("name").required("name is not specified");
    else if (isCIdentifier(name).length > 0 || isReserved(name)) {
      field.child("name").invalid(name, "must be a valid CEL identifier");
    }
    const expressionField = field.child("expression");
    if (expression.trim() === "") expressionField.required("expression is not specified");
    else checkCompilation(compiler.declare(name, expression), expression, expressionField);
  });
}

/** What both kinds of policies say about themselves. */
export const POLICY_KIND = {
  ...CONFIGURATION_KIND,
  load: loadPolicyCompiler,
  setDefaults: setPolicyDefaults,
} as const;

export const PARAM_KIND = text<Policy>(
  "ParamKind",
  "ParamKind specifies the kind of resources used to parameterize this policy",
  ({ spec }) => paramKindCell(spec?.paramKind),
);
