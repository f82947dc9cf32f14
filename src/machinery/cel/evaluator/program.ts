// Compiles checked expressions into closures that evaluate them and count what that costs.
import type { Checked } from "../checker/checker.ts";
import { CALL_LIMIT } from "../cost/factors.ts";
import type { Environment } from "../environment.ts";
import { CostLimitError, EvalError } from "../values/errors.ts";
import type { Value } from "../values/value.ts";
import type { Evaluate, Frame } from "./frame.ts";
import { Planner } from "./planner.ts";

/** What an evaluation gave: a value or what went wrong, and what it cost. */
export interface Outcome {
  readonly value?: Value;
  readonly error?: string;
  readonly cost: number;
}

/** An expression ready to run. */
export class Program {
  constructor(
    readonly run: Evaluate,
    /** The variables that are used, by slot. */
    readonly variables: readonly string[],
    readonly slots: number,
  ) {}

  /** Evaluates with variables by name; one that is not used is not asked for. */
  evaluate(variable: (name: string) => Value, limit = CALL_LIMIT): Outcome {
    const slots: Value[] = new Array(this.slots).fill(null);
    const frame: Frame = { slots, cost: 0, limit };
    try {
      for (let i = 0; i < this.variables.length; i++) slots[i] = variable(this.variables[i]);
      const value = this.run(frame);
      if (frame.cost > limit) throw new CostLimitError();
      return { value, cost: frame.cost };
    } catch (e) {
      if (!(e instanceof EvalError || e instanceof CostLimitError)) throw e;
      return { error: e.message, cost: frame.cost };
    }
  }
}

/** Compiles a checked expression without issues. Throws EvalError when a constant part of it cannot be evaluated. */
export function compile(checked: Checked, environment: Environment): Program {
  const variables = [...checked.variables];
  const planner = new Planner(checked, environment, variables);
  const { run } = planner.plan(checked.expr);
  return new Program(run, variables, planner.slots);
}
