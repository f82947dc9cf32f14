// Match conditions: expressions that decide whether a policy looks at a request.
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import type { Compilation, PolicyCompiler } from "../../machinery/cel/policies/compiler.ts";
import {
  CONDITION_BUDGET,
  OutOfBudget,
  PolicyEvaluation,
  type PolicyInput,
  type Result,
} from "../../machinery/cel/policies/evaluation.ts";

/** Evaluates an expression that may not have compiled. */
export function evaluate(evaluation: PolicyEvaluation, compilation: Compilation): Result {
  if ("error" in compilation) return { error: `compilation error: ${compilation.error}` };
  return evaluation.evaluate(compilation);
}

/** Whether all conditions hold; the text of an error when that cannot be said. */
export function conditionsHold(
  conditions: readonly Compilation[],
  input: PolicyInput,
  variables: PolicyCompiler["variables"],
): boolean | string {
  if (conditions.length === 0) return true;
  const evaluation = new PolicyEvaluation({ ...input, namespaceObject: undefined }, variables, CONDITION_BUDGET);
  try {
    const results = conditions.map((condition) => evaluate(evaluation, condition));
    if (results.some((result) => "value" in result && result.value === false)) return false;
    const errors = results.flatMap((result) => "error" in result ? [result.error] : []);
    return errors.length === 0 || new AggregateFailure(errors).message;
  } catch (e) {
    if (e instanceof OutOfBudget) return e.message;
    throw e;
  }
}
