// What policies of both kinds have compiled: variables and match conditions; the rest is their own.
import type { PolicySpec } from "../../apis/admissionregistration/policies.ts";
import { type Compilation, PolicyCompiler } from "../../machinery/cel/policies/compiler.ts";

export interface CompiledHead {
  readonly variables: PolicyCompiler["variables"];
  readonly conditions: readonly Compilation[];
}

/** Compiles each policy once; `compileBody` does what stands behind the conditions. */
export function compileOnce<Spec extends PolicySpec, Body>(
  compileBody: (spec: Spec, compiler: PolicyCompiler) => Body,
): (spec: Spec) => CompiledHead & Body {
  const compiled = new WeakMap<Spec, CompiledHead & Body>();
  const compile = (spec: Spec) => {
    const { variables = [], matchConditions = [], paramKind } = spec;
    const compiler = new PolicyCompiler({ params: !!paramKind, variables: true });
    for (const { name = "", expression = "" } of variables) compiler.declare(name, expression);
    const conditions = matchConditions.map(({ expression = "" }) => compiler.compile(expression, "condition"));
    return { variables: compiler.variables, conditions, ...compileBody(spec, compiler) };
  };
  return (spec) => {
    let policy = compiled.get(spec);
    if (policy === undefined) compiled.set(spec, policy = compile(spec));
    return policy;
  };
}
