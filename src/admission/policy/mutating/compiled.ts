// A MutatingAdmissionPolicy that is ready to run.
import type { MutatingAdmissionPolicySpec } from "../../../facts/generated/types.ts";
import { type Compilation, PolicyCompiler } from "../../../machinery/cel/policies/compiler.ts";

export interface CompiledMutation {
  readonly patchType: "ApplyConfiguration" | "JSONPatch";
  readonly expression: Compilation;
}

export interface CompiledPolicy {
  readonly variables: PolicyCompiler["variables"];
  readonly conditions: readonly Compilation[];
  readonly mutations: readonly CompiledMutation[];
}

const compiled = new WeakMap<MutatingAdmissionPolicySpec, CompiledPolicy>();

/** Compiles each policy once. */
export function compiledPolicy(spec: MutatingAdmissionPolicySpec): CompiledPolicy {
  let policy = compiled.get(spec);
  if (policy === undefined) compiled.set(spec, policy = compile(spec));
  return policy;
}

function compile(spec: MutatingAdmissionPolicySpec): CompiledPolicy {
  const { variables = [], matchConditions = [], mutations = [], paramKind } = spec;
  const compiler = new PolicyCompiler({ params: !!paramKind, variables: true });
  for (const { name = "", expression = "" } of variables) compiler.declare(name, expression);
  return {
    variables: compiler.variables,
    conditions: matchConditions.map(({ expression = "" }) => compiler.compile(expression, "condition")),
    mutations: mutations.map(({ patchType, applyConfiguration, jsonPatch }) =>
      patchType === "JSONPatch"
        ? { patchType, expression: compiler.compile(jsonPatch?.expression ?? "", "JSON patch") }
        : {
          patchType: "ApplyConfiguration",
          expression: compiler.compile(applyConfiguration?.expression ?? "", "apply configuration"),
        }
    ),
  };
}
