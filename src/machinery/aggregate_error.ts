// Several errors told as one, as k8s.io/apimachinery's Aggregate words them.

/** One message as it is; more in brackets, equal ones once. */
export class AggregateFailure extends Error {
  /** Flat: an aggregate among `errors` gives its own. */
  readonly errors: readonly Error[];

  constructor(errors: readonly unknown[]) {
    const flat = errors.flatMap((e) => e instanceof AggregateFailure ? e.errors : [asError(e)]);
    const messages = [...new Set(flat.map((e) => e.message))];
    super(messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`);
    this.name = "AggregateFailure";
    this.errors = flat;
  }
}

export function asError(e: unknown): Error {
  return e instanceof Error ? e : new Error(String(e));
}
