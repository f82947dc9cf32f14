// Managed fields and server-side apply (KEP-555).
export { type ApplyInfo, applyObject, type ConvertTo, updateManagedFields, type WriteInfo } from "./field_manager.ts";
export { checkApplied } from "./check.ts";
