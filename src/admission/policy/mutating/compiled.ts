// A MutatingAdmissionPolicy that is ready to run.
import type { MutatingAdmissionPolicySpec } from "../../../facts/generated/types.ts";
import type { Compilation } from "../../../machinery/cel/policies/compiler.ts";
import { compileOnce } from "../compiled.ts";

export interface CompiledMutation {
  readonly patchType: "ApplyConfiguration" | "JSONPatch";
  readonly expression: Compilation;
}

export type CompiledPolicy = ReturnType<typeof compiledPolicy>;

export const compiledPolicy = compileOnce(({ mutations = [] }: MutatingAdmissionPolicySpec, compiler) => ({
  mutations: mutations.map(({ patchType, applyConfiguration, jsonPatch }): CompiledMutation =>
    patchType === "JSONPatch"
      ? { patchType, expression: compiler.compile(jsonPatch?.expression ?? "", "JSON patch") }
      : {
        patchType: "ApplyConfiguration",
        expression: compiler.compile(applyConfiguration?.expression ?? "", "apply configuration"),
      }
  ),
}));
