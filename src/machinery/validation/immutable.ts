// Fields that an update may not change.
import { deepEqual } from "./equality.ts";
import type { Field } from "./field.ts";

export const IMMUTABLE = "field is immutable";

/** `shown` is the value in the message where it is not the new one as it is. */
export function validateImmutable(
  values: { now: unknown; before: unknown; shown?: unknown },
  at: Field,
): void {
  if (!deepEqual(values.now, values.before)) at.invalid(values.shown ?? values.now, IMMUTABLE);
}
