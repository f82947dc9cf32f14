// The media types of patches.

export const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
export const STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";
export const APPLY_PATCH = "application/apply-patch+yaml";

export const PATCH_TYPES: readonly string[] = [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH];
/** Custom resources have no merge keys, so no strategic merge. */
export const CUSTOM_PATCH_TYPES: readonly string[] = [JSON_PATCH, MERGE_PATCH, APPLY_PATCH];

/** Whether the router lets a Content-Type through: one of a list is enough. */
export function isPatchType(contentType: string): boolean {
  return contentType.split(",").some((part) => PATCH_TYPES.includes(part.split(";", 1)[0].trim()));
}
