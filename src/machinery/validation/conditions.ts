// Rules of meta.v1 Condition, the shape that most kinds use in their status.
import type { Field } from "./field.ts";
import { validateLabelName } from "./labels.ts";
import { byteLength, patternMessage } from "./names.ts";

export interface Condition {
  type?: string;
  status?: string;
  observedGeneration?: number;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const REASON_EXPRESSION = new RegExp(`^${REASON}$`);
const REASON_MESSAGE = patternMessage(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters " +
    "or '_,:', and must end with an alphanumeric character or '_'",
  REASON,
  "my_name",
  "MY_NAME",
  "MyName",
  "ReasonA,ReasonB",
  "ReasonA:ReasonB",
);

/** A list of conditions, one for each type. */
export function validateConditions(conditions: readonly Condition[], at: Field): void {
  const types = new Set<string>();
  conditions.forEach((condition, i) => {
    const type = condition.type ?? "";
    if (types.has(type)) at.index(i).child("type").duplicate(type);
    types.add(type);
    validateCondition(condition, at.index(i));
  });
}

function validateCondition(condition: Condition, at: Field): void {
  const { type = "", status = "", reason = "", message = "", observedGeneration = 0 } = condition;
  validateLabelName(type, at.child("type"));
  if (status !== "True" && status !== "False" && status !== "Unknown") {
    at.child("status").notSupported(status, ["False", "True", "Unknown"]);
  }
  if (observedGeneration < 0) {
    at.child("observedGeneration").invalid(observedGeneration, "must be greater than or equal to zero");
  }
  if (!condition.lastTransitionTime) at.child("lastTransitionTime").required();
  if (reason === "") at.child("reason").required();
  else {
    if (!REASON_EXPRESSION.test(reason)) at.child("reason").invalid(reason, REASON_MESSAGE);
    if (byteLength(reason) > MAX_REASON) at.child("reason").tooLong(MAX_REASON);
  }
  if (byteLength(message) > MAX_MESSAGE) at.child("message").tooLong(MAX_MESSAGE);
}
