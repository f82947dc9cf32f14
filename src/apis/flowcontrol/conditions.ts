// Conditions of flow schemas and priority levels: one of each type.
import type { Field } from "../../machinery/validation/mod.ts";

export function validateFlowConditions(conditions: readonly { type?: string }[] | undefined, at: Field): void {
  const seen = new Set<string>();
  (conditions ?? []).forEach(({ type = "" }, i) => {
    const field = at.index(i).child("type");
    if (seen.has(type)) field.duplicate(type);
    seen.add(type);
    if (type === "") field.required();
  });
}
