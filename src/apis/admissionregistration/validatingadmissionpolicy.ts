// Policies that refuse objects: expressions over requests (KEP-3488).
import type { PolicyCompiler } from "../../machinery/cel/policies/compiler.ts";
import {
  byteLength,
  collect,
  type Field,
  validateConditions,
  validateQualifiedName,
} from "../../machinery/validation/mod.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, integer, NAME } from "../columns.ts";
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyStatus,
  Validation,
} from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { checkCompilation, policyCompiler } from "./expressions.ts";
import { checkOneOf } from "./one_of.ts";
import { checkPolicyConditions, checkPolicyHead, checkVariables, PARAM_KIND, POLICY_KIND } from "./policies.ts";

type ValidatingAdmissionPolicy = KubeObject & {
  spec?: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
};

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const NOTHING_TO_DO = "validations or auditAnnotations must contain at least one item";
const MAX_ANNOTATIONS = 20;
/** Bytes. */
const MAX_ANNOTATION_EXPRESSION = 5 * 1024;

function check(policy: ValidatingAdmissionPolicy, root: Field, old?: ValidatingAdmissionPolicy): void {
  const { spec = {} } = policy, at = root.child("spec");
  checkMeta(policy, root, { namespaced: false, standardFinalizers: false });
  checkPolicyHead(spec, at);
  checkPolicyConditions(spec, at, old && (old.spec ?? {}));
  const { variables = [], validations = [], auditAnnotations = [], paramKind } = spec;
  const compiler = policyCompiler({ params: !!paramKind, variables: variables.length > 0 });
  checkVariables(variables, compiler, at.child("variables"));
  if (validations.length === 0 && auditAnnotations.length === 0) {
    at.child("validations").required(NOTHING_TO_DO);
    at.child("auditAnnotations").required(NOTHING_TO_DO);
  }
  validations.forEach((validation, i) => checkValidation(validation, compiler, at.child("validations").index(i)));
  checkAnnotations(policy.metadata.name ?? "", auditAnnotations, compiler, at.child("auditAnnotations"));
}

function checkValidation(validation: Validation, compiler: PolicyCompiler, at: Field): void {
  const { expression = "", message = "", messageExpression = "" } = validation;
  if (expression.trim() === "") at.child("expression").required("expression is not specified");
  else checkCompilation(compiler.compile(expression, "condition"), expression, at.child("expression"));
  const messageField = at.child("messageExpression");
  if (messageExpression.trim() !== "") {
    checkCompilation(compiler.compile(messageExpression, "message"), messageExpression, messageField);
  } else if (messageExpression !== "") messageField.invalid(messageExpression, "must be non-empty if specified");
  if (message !== "" && message.trim() === "") at.child("message").invalid(message, "must be non-empty if specified");
  else if (/[\n\r]/.test(message.trim())) at.child("message").invalid(message, "must not contain line breaks");
  checkOneOf(validation.reason, at.child("reason"), REASONS);
}

function checkAnnotations(
  policy: string,
  annotations: readonly AuditAnnotation[],
  compiler: PolicyCompiler,
  at: Field,
): void {
  if (annotations.length > MAX_ANNOTATIONS) {
    const shown = annotations.map(({ key = "", valueExpression = "" }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    at.invalid(shown, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`);
  }
  const seen = new Set<string>();
  annotations.forEach(({ key = "", valueExpression = "" }, i) => {
    const keyField = at.index(i).child("key");
    if (policy === "") keyField.invalid(key, "requires metadata.name be non-empty");
    else validateQualifiedName(`${policy}/${key}`, keyField);
    checkValueExpression(valueExpression, compiler, at.index(i).child("valueExpression"));
    if (seen.has(key)) keyField.duplicate(key);
    seen.add(key);
  });
}

function checkValueExpression(expression: string, compiler: PolicyCompiler, at: Field): void {
  const source = expression.trim();
  if (source === "") at.required("valueExpression is not specified");
  else if (byteLength(source) > MAX_ANNOTATION_EXPRESSION) {
    at.required(`must not exceed ${MAX_ANNOTATION_EXPRESSION} bytes in length`);
  } else checkCompilation(compiler.compile(source, "annotation"), expression, at);
}

function checkStatus({ typeChecking, conditions = [] }: ValidatingAdmissionPolicyStatus, at: Field): void {
  typeChecking?.expressionWarnings?.forEach(({ fieldRef = "", warning = "" }, i) => {
    const field = at.child("typeChecking", "expressionWarnings").index(i);
    if (warning === "") field.child("warning").required();
    if (fieldRef.trim() === "") field.child("fieldRef").required();
  });
  validateConditions(conditions, at.child("conditions"));
}

export const validatingAdmissionPolicy: KindDefinition<ValidatingAdmissionPolicy> = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingAdmissionPolicy" },
  resource: "validatingadmissionpolicies",
  ...POLICY_KIND,
  prepareForCreate(policy) {
    policy.status = {};
  },
  validate: (policy) => collect((root) => check(policy, root)),
  validateUpdate: (policy, old) => collect((root) => check(policy, root, old)),
  statusResetFields: [["spec"], ["metadata"]],
  subresources: {
    status: {
      validateUpdate: ({ status = {} }) => collect((root) => checkStatus(status, root.child("status"))),
    },
  },
  columns: [
    NAME,
    integer(
      "Validations",
      "Validations indicates the number of validation rules defined in this configuration",
      ({ spec }) => spec?.validations?.length ?? 0,
    ),
    PARAM_KIND,
    AGE,
  ],
};
