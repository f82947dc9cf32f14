// Ranges of costs and sizes. Numbers stop growing at the largest 64-bit integer.

/** A smallest and a largest value. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** More than any limit. */
export const UNBOUNDED = 2 ** 64;

export function range(min: number, max = min): Range {
  return { min, max };
}

export const ZERO = range(0);
export const ONE = range(1);
export const UNKNOWN = range(0, UNBOUNDED);

export function add(...ranges: readonly Range[]): Range {
  let min = 0, max = 0;
  for (const r of ranges) {
    min += r.min;
    max += r.max;
  }
  return range(cap(min), cap(max));
}

export function multiply(a: Range, b: Range): Range {
  return range(cap(a.min * b.min), cap(a.max * b.max));
}

/** Multiplied by a factor and rounded up. */
export function scale(a: Range, factor: number): Range {
  return range(cap(Math.ceil(a.min * factor)), cap(Math.ceil(a.max * factor)));
}

/** The range that covers both. */
export function union(a: Range, b: Range): Range {
  return range(Math.min(a.min, b.min), Math.max(a.max, b.max));
}

function cap(value: number): number {
  return Math.min(value, UNBOUNDED);
}
