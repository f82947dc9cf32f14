// Conditions that the server itself sets on pods.
import type { PodCondition, PodStatus } from "../../facts/generated/types.ts";
import { now } from "../../machinery/time.ts";

/** Adds the condition, or replaces the one of its type; its time goes on while the status stays the same. */
export function setPodCondition(status: PodStatus, condition: PodCondition): void {
  const conditions = status.conditions ??= [];
  const at = conditions.findIndex((c) => c.type === condition.type);
  const before = conditions[at];
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now();
  conditions[at < 0 ? conditions.length : at] = { ...condition, lastTransitionTime };
}
