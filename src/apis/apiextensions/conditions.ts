// Conditions of a CustomResourceDefinition: what became of its names, whether it is served, how its deletion goes.
import { now } from "../../machinery/time.ts";
import type { CustomResourceDefinitionCondition } from "../../facts/generated/types.ts";
import type { CustomResourceDefinition } from "./types.ts";

export type ConditionType =
  | "NamesAccepted"
  | "Established"
  | "Terminating"
  | "NonStructuralSchema"
  | "KubernetesAPIApprovalPolicyConformant";

export interface Condition extends CustomResourceDefinitionCondition {
  type: ConditionType;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
}

export function findCondition(crd: CustomResourceDefinition, type: ConditionType): Condition | undefined {
  return crd.status?.conditions?.find((c) => c.type === type) as Condition | undefined;
}

export function isConditionTrue(crd: CustomResourceDefinition, type: ConditionType): boolean {
  return findCondition(crd, type)?.status === "True";
}

/** Whether it says the same, whenever it came about. */
export function isSameCondition(a: Condition | undefined, b: Condition | undefined): boolean {
  return a?.type === b?.type && a?.status === b?.status && a?.reason === b?.reason && a?.message === b?.message;
}

/** Adds it or changes the one of its type; the time is that of the last change of its status. */
export function setCondition(crd: CustomResourceDefinition, condition: Condition): void {
  crd.status ??= {};
  crd.status.conditions ??= [];
  const old = findCondition(crd, condition.type);
  if (old === undefined) {
    const { type, status, reason, message } = condition;
    crd.status.conditions.push({ type, status, lastTransitionTime: now(), reason, message });
    return;
  }
  if (old.status !== condition.status || !old.lastTransitionTime) old.lastTransitionTime = now();
  Object.assign(old, { status: condition.status, reason: condition.reason, message: condition.message });
}

export function removeCondition(crd: CustomResourceDefinition, type: ConditionType): void {
  if (crd.status?.conditions) crd.status.conditions = crd.status.conditions.filter((c) => c.type !== type);
}
