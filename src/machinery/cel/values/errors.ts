// What goes wrong while an expression is evaluated.

/** An evaluation failed: `division by zero`, `no such key: x`. It carries no stack: `||` and `&&` may swallow many. */
export class EvalError {
  constructor(readonly message: string) {}
}

/** The cost limit was exceeded; nothing swallows it. */
export class CostLimitError {
  readonly message = "operation cancelled: actual cost limit exceeded";
}

/** Arguments of types that an operator or function has no implementation for. */
export function noSuchOverload(detail = ""): EvalError {
  return new EvalError(detail === "" ? "no such overload" : `no such overload: ${detail}`);
}
