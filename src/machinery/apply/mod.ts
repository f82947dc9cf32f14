// Managed fields and server-side apply (KEP-555).
export { updateManagedFields, type WriteInfo } from "./update.ts";
export { applyObject } from "./last_applied.ts";
export type { ApplyInfo } from "./apply.ts";
export type { Convert, Versioned } from "./changes.ts";
export { atomicFields } from "./atomics.ts";
export { checkApplied } from "./check.ts";
export { merge as mergeApplied } from "./merge.ts";
export { problemOf as managedFieldsProblem } from "./managed_fields.ts";
export { parentManagedFields, scaleManagedFields, type ScaleMapping } from "./scale.ts";
export { keepTimes } from "./times.ts";
export { FieldPathError } from "./path_element.ts";
export { sameJson } from "./typed.ts";
