// Fields with a few values.
import type { Field } from "../../machinery/validation/mod.ts";

export const FAILURE_POLICIES = ["Fail", "Ignore"];
export const REINVOCATION_POLICIES = ["IfNeeded", "Never"];

/** Says nothing about a value that is not there. */
export function checkOneOf(value: string | undefined, at: Field, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) at.notSupported(value, supported);
}
