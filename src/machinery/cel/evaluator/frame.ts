// What an evaluation carries with it.
import type { Value } from "../values/value.ts";

/** One evaluation: its variables by slot and what it has cost so far. */
export interface Frame {
  readonly slots: Value[];
  cost: number;
  readonly limit: number;
}

/** A compiled part of an expression. Throws EvalError and CostLimitError. */
export type Evaluate = (frame: Frame) => Value;

/** A compiled part and what is known of it beforehand. */
export interface Plan {
  readonly run: Evaluate;
  /** It has the same value always and costs nothing. */
  readonly constant?: { readonly value: Value };
  /** It is a name with fields and indices behind it; more of them may follow. */
  readonly attribute?: Attribute;
}

/**
 * A name, or any value, with fields and indices behind it. Each of these costs 1, and so does a name when the whole is
 * a value of its own.
 */
export interface Attribute {
  readonly root: Evaluate;
  readonly qualifiers: readonly Qualifier[];
  /** What the whole costs beside its qualifiers: 0 for the branches of `?:`. */
  readonly ownCost: number;
}

/** A field or index. */
export interface Qualifier {
  readonly key: Evaluate;
  /** Its key when that is always the same. */
  readonly constant?: Value;
  /** Written with `?`: when it is absent so is the whole. */
  readonly optional: boolean;
}

/** The plan of something that never changes. */
export function constantPlan(value: Value): Plan {
  return { run: () => value, constant: { value } };
}
