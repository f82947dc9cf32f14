// What a disruption budget has to say about an eviction (policy/v1 PodDisruptionBudget, KEP-85).
import type { PodDisruptionBudget } from "../../apis/policy/poddisruptionbudget.ts";
import { forbiddenError, type StatusError, tooManyRequestsError } from "../../machinery/errors.ts";
import { now } from "../../machinery/time.ts";

/** Evictions that the budget's controller has not confirmed yet: not more than so many. */
const MAX_DISRUPTED_PODS = 2000;
const ALLOWED = "DisruptionAllowed";
const BUDGETS = { group: "policy", resource: "poddisruptionbudget" };
const RETRY_SECONDS = 10;

function tooMany(message: string, retryAfterSeconds = 0): StatusError {
  const error = tooManyRequestsError(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retryAfterSeconds,
  );
  error.status.details!.causes = [{ reason: "DisruptionBudget", message }];
  return error;
}

/** Whether the budget can be relied on is not known yet: 429, to be tried again in ten seconds. */
export function stillProcessed({ metadata }: PodDisruptionBudget): StatusError {
  return tooMany(`The disruption budget ${metadata.name} is still being processed by the server.`, RETRY_SECONDS);
}

/** Takes one pod off the budget, in place. Throws 429 or 403 when none may go. */
export function spend(budget: PodDisruptionBudget, pod: string): void {
  const { metadata: { name = "", generation = 0 } } = budget;
  const status = budget.status ??= {} as NonNullable<PodDisruptionBudget["status"]>;
  if ((status.observedGeneration ?? 0) < generation) throw stillProcessed(budget);
  const allowed = status.disruptionsAllowed ?? 0;
  if (allowed < 0) throw forbiddenError(BUDGETS, name, "pdb disruptions allowed is negative");
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED_PODS) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbiddenError(BUDGETS, name, why);
  }
  if (allowed === 0) throw tooMany(whyNot(budget));
  status.disruptionsAllowed = allowed - 1;
  if (allowed === 1) markExhausted(status);
  status.disruptedPods = { ...status.disruptedPods, [pod]: now() };
}

function whyNot({ metadata: { name }, status = {} }: PodDisruptionBudget): string {
  const { conditions = [], currentHealthy = 0, desiredHealthy = 0 } = status as Partial<
    NonNullable<PodDisruptionBudget["status"]>
  >;
  const condition = conditions.find(({ type }) => type === ALLOWED);
  const told = condition?.status === "False" && condition.message ? condition : undefined;
  const refusal = `The disruption budget ${name} does not allow evicting pods currently`;
  if (told?.reason === "SyncFailed") return `${refusal} because it failed sync: ${told.message}`;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return told === undefined ? refusal : `${refusal} (${told.reason}): ${told.message}`;
}

function markExhausted(status: NonNullable<PodDisruptionBudget["status"]>): void {
  const conditions = status.conditions ??= [];
  const at = conditions.findIndex(({ type }) => type === ALLOWED);
  const before = conditions[at];
  const exhausted = {
    type: ALLOWED,
    status: "False",
    observedGeneration: status.observedGeneration,
    lastTransitionTime: before?.status === "False" ? before.lastTransitionTime : now(),
    reason: "InsufficientPods",
    message: before?.message ?? "",
  };
  conditions[at < 0 ? conditions.length : at] = exhausted;
}
