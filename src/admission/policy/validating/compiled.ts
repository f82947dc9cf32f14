// A ValidatingAdmissionPolicy that is ready to run.
import type { AuditAnnotation, ValidatingAdmissionPolicySpec, Validation } from "../../../facts/generated/types.ts";
import type { Compilation } from "../../../machinery/cel/policies/compiler.ts";
import { compileOnce } from "../compiled.ts";

export interface CompiledValidation {
  readonly validation: Validation;
  readonly expression: Compilation;
  readonly message?: Compilation;
}

export interface CompiledAnnotation {
  readonly annotation: AuditAnnotation;
  readonly value: Compilation;
}

export type CompiledPolicy = ReturnType<typeof compiledPolicy>;

export const compiledPolicy = compileOnce((spec: ValidatingAdmissionPolicySpec, compiler) => {
  const { validations = [], auditAnnotations = [] } = spec;
  return {
    validations: validations.map((validation): CompiledValidation => ({
      validation,
      expression: compiler.compile(validation.expression ?? "", "condition"),
      message: validation.messageExpression ? compiler.compile(validation.messageExpression, "message") : undefined,
    })),
    annotations: auditAnnotations.map((annotation): CompiledAnnotation => ({
      annotation,
      value: compiler.compile(annotation.valueExpression ?? "", "annotation"),
    })),
  };
});
