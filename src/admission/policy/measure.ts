// What policies do, counted.
import type { PluginContext } from "../plugins/context.ts";

export interface Check {
  policy: string;
  binding: string;
  /** Undefined when nothing was wrong. */
  problem: string | undefined;
  seconds: number;
}

type Context = Pick<PluginContext, "metrics">;

/** @param action what was done about a validation */
export function observeValidation({ metrics }: Context, action: string, check: Check): void {
  const labels = { enforcement_action: action, ...labelsOf(check) };
  metrics.add("validatingPolicyChecks", labels);
  metrics.observe("validatingPolicyDuration", labels, check.seconds);
}

export function observeMutation({ metrics }: Context, check: Check): void {
  const labels = labelsOf(check);
  metrics.add("mutatingPolicyChecks", labels);
  metrics.observe("mutatingPolicyDuration", labels, check.seconds);
}

function labelsOf({ policy, binding, problem }: Check) {
  return { error_type: errorType(problem), policy, policy_binding: binding };
}

function errorType(problem: string | undefined): string {
  if (problem === undefined) return "no_error";
  if (problem.startsWith("compilation")) return "compile_error";
  return problem.startsWith("validation failed due to running out of cost budget") ? "out_of_budget" : "invalid_error";
}
