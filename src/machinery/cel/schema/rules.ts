// Compiles the rules of one schema (x-kubernetes-validations, KEP-2876).
import { baseEnvironment, CompileError, compileExpression, EvalError, type Program } from "../mod.ts";
import type { Environment } from "../environment.ts";
import { estimateCost } from "../cost/estimate.ts";
import { BOOL, optionalOf, STRING } from "../types.ts";
import { type DeclaredType, maxCardinality, nameType, sizesOf } from "./declared_type.ts";

/** A rule as the schema has it. */
export interface Rule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly optionalOldSelf?: boolean;
}

/** An expression that is ready to run and what it may cost at most in one run. */
export interface CompiledExpression {
  readonly program: Program;
  readonly maxCost: number;
}

export interface CompiledRule {
  /** Absent when the rule is empty or wrong. */
  readonly rule?: CompiledExpression;
  /** What is wrong with the rule. */
  readonly ruleError?: string;
  readonly usesOldSelf: boolean;
  readonly message?: CompiledExpression;
  readonly messageError?: string;
}

/** Compiles rules on data of a type. */
export class RuleCompiler {
  readonly #plain: Environment;
  readonly #optional: Environment;
  /** How often the data can be in an object of which nothing else is known. */
  readonly cardinality: number;

  constructor(readonly type: DeclaredType) {
    const { type: self, findStruct } = nameType(type, "selfType");
    const base = baseEnvironment();
    this.#plain = base.extend({ self, oldSelf: self }, findStruct);
    this.#optional = base.extend({ self, oldSelf: optionalOf(self) }, findStruct);
    this.cardinality = maxCardinality(type);
  }

  compile({ rule = "", messageExpression = "", optionalOldSelf }: Rule): CompiledRule {
    if (rule.trim() === "") return { usesOldSelf: false };
    const environment = optionalOldSelf ? this.#optional : this.#plain;
    const result = this.#expression(rule, environment, BOOL.name, {
      compile: "compilation failed: ",
      type: "cel expression must evaluate to a bool",
      program: "program instantiation failed: ",
    });
    if (typeof result === "string") return { ruleError: result, usesOldSelf: false };
    const { expression, variables } = result;
    const compiled = { rule: expression, usesOldSelf: variables.has("oldSelf") };
    if (messageExpression === "") return compiled;
    const message = this.#expression(messageExpression, environment, STRING.name, {
      compile: "messageExpression compilation failed: ",
      type: "messageExpression must evaluate to a string",
      program: "messageExpression instantiation failed: ",
    });
    return typeof message === "string"
      ? { ...compiled, messageError: message }
      : { ...compiled, message: message.expression };
  }

  /** The compiled expression or what is wrong with it. */
  #expression(
    source: string,
    environment: Environment,
    typeName: string,
    words: { compile: string; type: string; program: string },
  ): { expression: CompiledExpression; variables: ReadonlySet<string> } | string {
    let compiled;
    try {
      compiled = compileExpression(source, environment);
    } catch (e) {
      if (e instanceof CompileError) return words.compile + e.message;
      throw e;
    }
    if (compiled.type.name !== typeName) return words.type;
    try {
      const program = compiled.program();
      const { max } = estimateCost(compiled.checked, sizesOf(this.type));
      return { expression: { program, maxCost: max }, variables: compiled.checked.variables };
    } catch (e) {
      if (e instanceof EvalError) return words.program + e.message;
      throw e;
    }
  }
}
