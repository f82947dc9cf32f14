// What a policy makes of one request: which validations fail and why, and what it has to say to the audit log.
import {
  OutOfBudget,
  POLICY_BUDGET,
  PolicyEvaluation,
  type PolicyInput,
} from "../../../machinery/cel/policies/evaluation.ts";
import { byteLength } from "../../../machinery/validation/mod.ts";
import { conditionsHold, evaluate } from "../conditions.ts";
import { withoutAccess } from "../input.ts";
import type { CompiledAnnotation, CompiledPolicy, CompiledValidation } from "./compiled.ts";

/** A validation that does not hold. */
export interface Failure {
  readonly message: string;
  readonly reason?: string;
  /** Of the validation; 0 for what is wrong with the policy as a whole. */
  readonly index: number;
  /** How long its expression took. */
  readonly seconds: number;
}

export interface Decision {
  readonly failures: readonly Failure[];
  readonly annotations: readonly { key: string; value: string }[];
  /** Mistakes of the audit annotations' expressions: they refuse the request, whatever the binding does about failures. */
  readonly annotationErrors: readonly string[];
}

/** Bytes. */
const MAX_MESSAGE = 5 * 1024;
const NOTHING: Decision = { failures: [], annotations: [], annotationErrors: [] };

/** @param strict what cannot be evaluated fails */
export function decide(policy: CompiledPolicy, input: PolicyInput, strict: boolean): Decision {
  const failed = (message: string): Decision =>
    strict ? { ...NOTHING, failures: [{ message, index: 0, seconds: 0 }] } : NOTHING;
  const holds = conditionsHold(policy.conditions, input, policy.variables);
  if (typeof holds === "string") return failed(holds);
  if (!holds) return NOTHING;
  try {
    return { failures: failuresOf(policy, input, strict), ...annotationsOf(policy, withoutAccess(input), strict) };
  } catch (e) {
    if (e instanceof OutOfBudget) return failed(e.message);
    throw e;
  }
}

/** Throws OutOfBudget. */
function failuresOf({ validations, variables }: CompiledPolicy, input: PolicyInput, strict: boolean): Failure[] {
  const evaluation = new PolicyEvaluation(input, variables, POLICY_BUDGET);
  const results = validations.map(({ expression }) => {
    const start = performance.now();
    return { result: evaluate(evaluation, expression), seconds: (performance.now() - start) / 1000 };
  });
  const messages = new PolicyEvaluation(withoutAccess(input), variables, evaluation.budget);
  return validations.flatMap((compiled, index): Failure | [] => {
    const { result, seconds } = results[index];
    if ("error" in result) return strict ? { message: result.error, index, seconds } : [];
    if (result.value === true) return [];
    try {
      return { message: messageOf(compiled, messages), reason: compiled.validation.reason, index, seconds };
    } catch (e) {
      if (!(e instanceof OutOfBudget)) throw e;
      return strict ? { message: `failed messageExpression: ${e.message}`, index, seconds } : [];
    }
  });
}

/** The first that says something: the message expression, the message, the expression itself. */
function messageOf({ validation, message }: CompiledValidation, messages: PolicyEvaluation): string {
  const { expression = "", message: fixed = "" } = validation;
  return (message === undefined ? "" : evaluated(evaluate(messages, message))) || fixed.trim() ||
    `failed expression: ${expression.trim()}`;
}

function evaluated(result: ReturnType<typeof evaluate>): string {
  if ("error" in result || typeof result.value !== "string") return "";
  const text = result.value.trim();
  return byteLength(text) > MAX_MESSAGE || text.includes("\n") ? "" : text;
}

/** Throws OutOfBudget. */
function annotationsOf(
  { annotations, variables }: CompiledPolicy,
  input: PolicyInput,
  strict: boolean,
): Omit<Decision, "failures"> {
  if (annotations.length === 0) return { annotations: [], annotationErrors: [] };
  const evaluation = new PolicyEvaluation(input, variables, POLICY_BUDGET);
  const said: { key: string; value: string }[] = [], errors: string[] = [];
  for (const compiled of annotations) {
    const value = annotationValue(compiled, evaluation);
    if ("error" in value) {
      if (strict) errors.push(value.error);
    } else if (value.text !== "") said.push({ key: compiled.annotation.key ?? "", value: value.text });
  }
  return { annotations: said, annotationErrors: errors };
}

function annotationValue(
  { value }: CompiledAnnotation,
  evaluation: PolicyEvaluation,
): { text: string } | { error: string } {
  const result = evaluate(evaluation, value);
  if ("error" in result) return result;
  return { text: typeof result.value === "string" ? result.value.trim() : "" };
}
