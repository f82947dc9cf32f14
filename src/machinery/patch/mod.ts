// The patches of the API: JSON patch, merge patch and strategic merge patch.
export * from "./errors.ts";
export * from "./json_patch.ts";
export * from "./merge_patch.ts";
export * from "./patched_text.ts";
export * from "./restore.ts";
export * from "./strategic_merge.ts";
