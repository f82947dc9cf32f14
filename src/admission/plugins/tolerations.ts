// Sets of tolerations: which covers which, and several as one.
import type { Toleration } from "../../facts/generated/types.ts";
import { clone } from "../../machinery/clone.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";

/** Whether `wide` tolerates everything that `narrow` does. */
function covers(wide: Toleration, narrow: Toleration): boolean {
  if (deepEqual(wide, narrow)) return true;
  const anyKey = !wide.key && wide.operator === "Exists";
  if ((narrow.key ?? "") !== (wide.key ?? "") && !anyKey) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === "NoExecute" && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === "Exists") return true;
  if (wide.operator && wide.operator !== "Equal") return false;
  return narrow.operator === "Equal" && (narrow.value ?? "") === (wide.value ?? "");
}

/** Both lists in their order, without what another entry covers; of equal ones the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...clone(second)];
  const merged: Toleration[] = [];
  all.forEach((toleration, i) => {
    if (merged.some((other) => covers(other, toleration))) return;
    const later = all.slice(i + 1);
    if (!later.some((other) => !deepEqual(other, toleration) && covers(other, toleration))) merged.push(toleration);
  });
  return merged;
}

/** Whether each toleration is covered by one of those allowed. An empty list allows everything. */
export function areAllowed(tolerations: readonly Toleration[], allowed: readonly Toleration[]): boolean {
  return allowed.length === 0 || tolerations.every((t) => allowed.some((wide) => covers(wide, t)));
}
