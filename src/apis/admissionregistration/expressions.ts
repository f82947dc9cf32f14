// The expressions in policies and webhooks: whether they compile.
import type * as compiler from "../../machinery/cel/policies/compiler.ts";
import type { Compilation, PolicyCompiler, PolicyCompilerOptions } from "../../machinery/cel/policies/compiler.ts";
import type { Field } from "../../machinery/validation/mod.ts";

let loaded: typeof compiler | undefined;

/** Has to be awaited once before {@link policyCompiler}: start-up does without the expression language. */
export async function loadPolicyCompiler(): Promise<void> {
  loaded ??= await import("../../machinery/cel/policies/compiler.ts");
}

/** Throws an Error when {@link loadPolicyCompiler} has not been awaited. */
export function policyCompiler(options: PolicyCompilerOptions): PolicyCompiler {
  if (loaded === undefined) throw new Error("the expression language is not loaded");
  return new loaded.PolicyCompiler(options);
}

/** Says what is wrong with an expression, if anything is. */
export function checkCompilation(compilation: Compilation, source: string, at: Field): void {
  if (!("error" in compilation)) return;
  if (compilation.internal) at.internal(compilation.error);
  else at.invalid(source, compilation.error);
}
