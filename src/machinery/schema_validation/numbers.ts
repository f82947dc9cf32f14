// Which numbers count as integers.

/** Whether the real server reads it as a 64-bit integer: the largest of these is no double, the next one is. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
}

const EPSILON = 1e-9;

/** Whether it is an integer that JSON can hold, but for the error of a division. */
export function isWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(Math.abs(value)), difference = Math.abs(value - whole);
  return difference / (Math.abs(value) + whole) < EPSILON;
}
