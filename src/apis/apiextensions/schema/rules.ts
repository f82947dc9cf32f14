// Rules over values, x-kubernetes-validations (KEP-2876): what their fields may say, and the place at which the
// expressions themselves are looked at.
import type { Json } from "../../../machinery/types.ts";
import type { Field } from "../../../machinery/validation/mod.ts";
import type { ValidationRule } from "../../../facts/generated/types.ts";
import { resolveFieldPath } from "../../../machinery/schema/field_path.ts";
import type { JsonSchema } from "./json_schema.ts";
import { structuralConflict } from "./structural.ts";

/** A schema that describes values of its own, and how one comes to it. */
export interface SchemaNode {
  schema: JsonSchema;
  parent: SchemaNode | undefined;
  edge: { kind: "root" | "items" | "additionalProperties" } | { kind: "property"; name: string };
  /**
   * The path of the outermost schema whose elements cannot be told to be the same after an update: rules below it see
   * no old value.
   */
  uncorrelatable?: string;
}

/** Compiles the rules of one CRD version's schema. */
export interface RuleChecker {
  /** A schema with rules, those inside of it before. `at` is its x-kubernetes-validations. */
  check(node: SchemaNode, at: Field): void;
  /** A default of a schema that is valid otherwise; `at` is the default. */
  checkDefault(schema: JsonSchema, value: Json, at: Field, options: { isRoot: boolean }): void;
  /** After the last one; `at` is the whole schema. */
  finish(at: Field): void;
}

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** What is wrong with rules apart from their expressions. */
export function validateRuleFields(schema: JsonSchema, rules: readonly ValidationRule[], at: Field): void {
  const readable = structuralConflict(schema) === undefined;
  rules.forEach((rule, i) => {
    const { messageExpression = "", reason, fieldPath = "" } = rule, field = at.index(i);
    validateText(rule, field);
    if (messageExpression !== "" && messageExpression.trim() === "") {
      field.child("messageExpression").required("messageExpression must be non-empty if specified");
    }
    if (reason !== undefined && !REASONS.includes(reason)) field.child("reason").notSupported(reason, REASONS);
    if (fieldPath === "") return;
    const pathField = field.child("fieldPath");
    if (fieldPath.trim() === "") pathField.invalid(fieldPath, "must be non-empty if specified");
    if (hasNewlines(fieldPath)) pathField.invalid(fieldPath, "must not contain line breaks");
    if (readable && "problem" in resolveFieldPath(fieldPath, schema)) {
      pathField.invalid(fieldPath, "must be a valid path");
    }
  });
}

/** Of several things wrong with rule and message one is told. */
function validateText({ rule = "", message = "" }: ValidationRule, at: Field): void {
  const expression = rule.trim(), text = message.trim();
  if (expression === "") at.child("rule").required("rule is not specified");
  else if (message !== "" && text === "") at.child("message").invalid(message, "must be non-empty if specified");
  else if (hasNewlines(text)) at.child("message").invalid(message, "must not contain line breaks");
  else if (hasNewlines(expression) && text === "") {
    at.child("message").required("message must be specified if rule contains line breaks");
  }
}

function hasNewlines(text: string): boolean {
  return /[\n\r]/.test(text);
}
