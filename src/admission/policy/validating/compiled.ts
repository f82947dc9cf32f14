// A ValidatingAdmissionPolicy that is ready to run.
import type { AuditAnnotation, ValidatingAdmissionPolicySpec, Validation } from "../../../facts/generated/types.ts";
import { type Compilation, PolicyCompiler } from "../../../machinery/cel/policies/compiler.ts";

export interface CompiledValidation {
  readonly validation: Validation;
  readonly expression: Compilation;
  readonly message?: Compilation;
}

export interface CompiledAnnotation {
  readonly annotation: AuditAnnotation;
  readonly value: Compilation;
}

export interface CompiledPolicy {
  readonly variables: PolicyCompiler["variables"];
  readonly conditions: readonly Compilation[];
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

const compiled = new WeakMap<ValidatingAdmissionPolicySpec, CompiledPolicy>();

/** Compiles each policy once. */
export function compiledPolicy(spec: ValidatingAdmissionPolicySpec): CompiledPolicy {
  let policy = compiled.get(spec);
  if (policy === undefined) compiled.set(spec, policy = compile(spec));
  return policy;
}

function compile(spec: ValidatingAdmissionPolicySpec): CompiledPolicy {
  const { variables = [], matchConditions = [], validations = [], auditAnnotations = [], paramKind } = spec;
  const compiler = new PolicyCompiler({ params: !!paramKind, variables: true });
  for (const { name = "", expression = "" } of variables) compiler.declare(name, expression);
  return {
    variables: compiler.variables,
    conditions: matchConditions.map(({ expression = "" }) => compiler.compile(expression, "condition")),
    validations: validations.map((validation) => ({
      validation,
      expression: compiler.compile(validation.expression ?? "", "condition"),
      message: validation.messageExpression ? compiler.compile(validation.messageExpression, "message") : undefined,
    })),
    annotations: auditAnnotations.map((annotation) => ({
      annotation,
      value: compiler.compile(annotation.valueExpression ?? "", "annotation"),
    })),
  };
}
