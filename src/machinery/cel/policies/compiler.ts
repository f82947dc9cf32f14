// Compiles the expressions of one admission policy (KEP-3488, KEP-3962), whose variables build on one another.
import { admissionEnvironment } from "../admission.ts";
import { CompileError, compileExpression, type Environment, EvalError, type Program } from "../mod.ts";
import { BOOL, type CelType, DYN, fullTypeName, listOf, mapOf, NULL, sameType, STRING, structOf } from "../types.ts";
import { findPatchType, JSON_PATCHES, OBJECT, PATCHES } from "./patches.ts";

/** An expression that is ready to run. */
export interface PolicyExpression {
  readonly source: string;
  readonly program: Program;
}

/** Why an expression cannot run. */
export interface PolicyExpressionError {
  readonly error: string;
  /** Not the expression's fault. */
  readonly internal?: true;
}

export type Compilation = PolicyExpression | PolicyExpressionError;

/** What an expression of a policy is there for, which says what it must give. */
export type Purpose = "condition" | "message" | "annotation" | "apply configuration" | "JSON patch";

const RESULTS: Readonly<Record<Purpose, readonly CelType[]>> = {
  condition: [BOOL],
  message: [STRING],
  annotation: [STRING, NULL],
  "apply configuration": [OBJECT],
  "JSON patch": [PATCHES],
};

const VARIABLES = structOf("kubernetes.variables");

export interface PolicyCompilerOptions {
  /** The policy has parameters. */
  params: boolean;
  /** Expressions may use `variables`. */
  variables: boolean;
}

export class PolicyCompiler {
  readonly #environments = new Map<string, Environment>();
  readonly #types = new Map<string, CelType>();
  /** The policy's variables by name, those that do not compile included. */
  readonly variables = new Map<string, Compilation>();

  constructor(readonly options: PolicyCompilerOptions) {}

  /** Adds a variable that expressions compiled later may use. */
  declare(name: string, source: string): Compilation {
    const { result, type } = this.#compile(source, this.#environment(true, false), undefined);
    this.#types.set(name, type === undefined ? DYN : fieldType(type));
    this.variables.set(name, result);
    return result;
  }

  compile(source: string, purpose: Purpose): Compilation {
    const patches = purpose === "apply configuration" || purpose === "JSON patch";
    return this.#compile(source, this.#environment(purpose !== "message", patches), RESULTS[purpose]).result;
  }

  #environment(authorizer: boolean, patches: boolean): Environment {
    const key = `${authorizer} ${patches}`;
    let environment = this.#environments.get(key);
    if (environment !== undefined) return environment;
    const { params, variables } = this.options;
    environment = admissionEnvironment({ params, authorizer });
    if (variables) {
      const struct = { type: VARIABLES, fieldType: (name: string) => this.#types.get(name) };
      environment = environment.extend(
        { variables: VARIABLES },
        (name) => name === VARIABLES.name ? struct : undefined,
      );
    }
    if (patches) environment = environment.extend({}, findPatchType).with(JSON_PATCHES);
    this.#environments.set(key, environment);
    return environment;
  }

  #compile(
    source: string,
    environment: Environment,
    results: readonly CelType[] | undefined,
  ): { result: Compilation; type?: CelType } {
    try {
      const compiled = compileExpression(source, environment);
      const { type } = compiled;
      if (results !== undefined && !results.some((result) => sameType(result, type))) {
        return { result: { error: unexpectedType(results, type) } };
      }
      return { result: { source, program: compiled.program() }, type };
    } catch (e) {
      if (e instanceof CompileError) return { result: { error: `compilation failed: ${e.message}` } };
      if (e instanceof EvalError) {
        return { result: { error: `program instantiation failed: ${e.message}`, internal: true } };
      }
      throw e;
    }
  }
}

function unexpectedType(results: readonly CelType[], type: CelType): string {
  const wanted = results.map(fullTypeName);
  const said = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(" ")}]`;
  return `must evaluate to ${said} but got ${fullTypeName(type)}`;
}

/** What others know of a variable's type: nothing of objects and library types. */
function fieldType(type: CelType): CelType {
  switch (type.kind) {
    case "list":
      return listOf(fieldType(type.params[0]));
    case "map":
      return mapOf(fieldType(type.params[0]), fieldType(type.params[1]));
    case "struct":
    case "opaque":
    case "type":
    case "param":
    case "error":
      return DYN;
    default:
      return type;
  }
}
