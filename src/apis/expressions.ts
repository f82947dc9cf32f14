// Expressions in kinds (CEL): the language is brought in when an object has the first of them.
import type * as language from "../machinery/cel/mod.ts";
import type { Compiled, Environment } from "../machinery/cel/mod.ts";
import type { CelType } from "../machinery/cel/types.ts";

let loaded: typeof language | undefined;

/** Has to be awaited in a kind's `load` before its rules compile expressions. */
export async function loadLanguage(): Promise<void> {
  loaded ??= await import("../machinery/cel/mod.ts");
}

export interface Language {
  readonly cel: typeof language;
  /**
   * The compiled expression, or what is wrong with it in the API's words.
   * @param checkType what is wrong with its type, if anything
   */
  compile(
    expression: string,
    environment: Environment,
    checkType: (type: CelType) => string | undefined,
  ): Compiled | string;
}

/** The language once it is there. */
export function expressionLanguage(): Language {
  const cel = loaded;
  if (cel === undefined) throw new Error("the expression language has not been loaded");
  return {
    cel,
    compile(expression, environment, checkType) {
      try {
        const compiled = cel.compileExpression(expression, environment), problem = checkType(compiled.type);
        if (problem !== undefined) return problem;
        compiled.program();
        return compiled;
      } catch (e) {
        if (e instanceof cel.CompileError) return `compilation failed: ${e.message}`;
        if (e instanceof cel.EvalError) return `program instantiation failed: ${e.message}`;
        throw e;
      }
    },
  };
}
