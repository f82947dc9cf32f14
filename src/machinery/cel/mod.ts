// Kubernetes' expression language (CEL): parse, check, estimate, compile. Nothing of it is loaded at start-up; import it
// when the first expression is met.
//
//     const compiled = compileExpression("self.size() > 1", environment);
//     compiled.program?.evaluate((name) => values[name]);
import { check, type Checked } from "./checker/checker.ts";
import { validateLiterals } from "./checker/validators.ts";
import type { Environment } from "./environment.ts";
import { compile, type Program } from "./evaluator/program.ts";
import { formatIssues } from "./syntax/issues.ts";
import { parse } from "./syntax/parser.ts";
import type { CelType } from "./types.ts";
import { EvalError } from "./values/errors.ts";

/** An expression whose types are right. */
export interface Compiled {
  readonly checked: Checked;
  readonly type: CelType;
  /** Throws EvalError when a constant part of the expression cannot be evaluated. */
  program(): Program;
}

/** What is wrong with an expression, as the API shows it. */
export class CompileError extends Error {}

/** Parses and checks an expression. Throws CompileError with every issue and its place. */
export function compileExpression(source: string, environment: Environment): Compiled {
  const parsed = parse(source, environment);
  if (parsed.issues.length > 0) throw new CompileError(formatIssues(source, parsed.issues));
  const checked = check(parsed, environment);
  const issues = checked.issues.length > 0 ? checked.issues : validateLiterals(checked);
  if (issues.length > 0) throw new CompileError(formatIssues(source, issues));
  const type = checked.types[checked.expr.id]!;
  let program: Program | undefined;
  return { checked, type, program: () => program ??= compile(checked, environment) };
}

export { admissionEnvironment } from "./admission.ts";
export { baseEnvironment } from "./base.ts";
export { deviceCost, deviceEnvironment } from "./device.ts";
export { type Environment, type StructDeclaration } from "./environment.ts";
export { EvalError };
export { fullTypeName } from "./types.ts";
export type { Program };
