// When two values count as the same: unset, null and empty lists are all nothing.

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Whether nothing was said: members that are always written are null then. */
export function isUnset(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Deep equality of decoded JSON. The order of members does not matter, that of elements does. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNothing(a)) return isNothing(b);
  if (isNothing(b) || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((element, i) => deepEqual(element, b[i]));
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>, right = b as Record<string, unknown>;
  for (const key in left) {
    if (!deepEqual(left[key], right[key])) return false;
  }
  for (const key in right) {
    if (!(key in left) && !isNothing(right[key])) return false;
  }
  return true;
}
