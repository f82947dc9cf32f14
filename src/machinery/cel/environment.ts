// What an expression may use: variables, functions and types.
import type { CallEstimate, EstimatedNode, Estimator } from "./cost/estimate.ts";
import type { CelType } from "./types.ts";
import type { Value } from "./values/value.ts";

/** One form of a function: the types that it takes and what it does with them. */
export interface Overload {
  readonly id: string;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Called as `target.name(…)`; `params[0]` is the target. */
  readonly member: boolean;
  /** Throws EvalError. Absent for what the evaluator does itself: operators that decide what is evaluated. */
  readonly call?: (...args: Value[]) => Value;
  /** Does once what depends on constant arguments alone, for instance compiles a pattern. Throws EvalError. */
  readonly prepare?: (constants: readonly (Value | undefined)[]) => ((...args: Value[]) => Value) | undefined;
  /** One of the language's own: its cost counts only where its types are known beforehand. */
  readonly standard?: boolean;
  /** What a call costs, by its arguments and its result; 1 without. */
  readonly cost?: (args: readonly Value[], result: Value) => number;
  /** What a call may cost; undefined where the standard estimate applies. */
  readonly estimate?: (
    estimator: Estimator,
    target: EstimatedNode | undefined,
    args: readonly EstimatedNode[],
  ) => CallEstimate | undefined;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** An object type of which the fields are known. */
export interface StructDeclaration {
  readonly type: CelType;
  /** The type of a field by its name in expressions; undefined when there is none. */
  fieldType(name: string): CelType | undefined;
  /** Makes an object of the type from its fields. Throws EvalError. Absent where expressions cannot make any. */
  construct?(fields: ReadonlyMap<string, Value>): Value;
}

/** A set of functions; environments are made of several. */
export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  /** Types that can be named in expressions. */
  readonly types?: readonly CelType[];
}

/** A function's forms; functions of one name in several libraries are one. */
export function declare(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

export class Environment {
  constructor(
    readonly variables: ReadonlyMap<string, CelType>,
    readonly functions: ReadonlyMap<string, FunctionDeclaration>,
    /** Types by the names that expressions know them by. */
    readonly types: ReadonlyMap<string, CelType>,
    readonly findStruct: (name: string) => StructDeclaration | undefined,
    /** Whether there is `cel.bind(name, value, expression)`. */
    readonly binds = false,
  ) {}

  /** The same environment with more variables and object types. */
  extend(
    variables: Readonly<Record<string, CelType>>,
    findStruct?: (name: string) => StructDeclaration | undefined,
  ): Environment {
    const outer = this.findStruct;
    return new Environment(
      new Map([...this.variables, ...Object.entries(variables)]),
      this.functions,
      this.types,
      findStruct === undefined ? outer : (name) => findStruct(name) ?? outer(name),
      this.binds,
    );
  }

  /** The same environment with `cel.bind`. */
  withBindings(): Environment {
    return new Environment(this.variables, this.functions, this.types, this.findStruct, true);
  }

  /** The same environment with more functions. */
  with(...libraries: Library[]): Environment {
    const functions = new Map(this.functions);
    const types = new Map(this.types);
    for (const library of libraries) {
      for (const type of library.types ?? []) types.set(type.name, type);
      for (const { name, overloads } of library.functions) {
        const known = functions.get(name);
        functions.set(name, { name, overloads: known === undefined ? overloads : [...known.overloads, ...overloads] });
      }
    }
    return new Environment(this.variables, functions, types, this.findStruct, this.binds);
  }
}

/** An environment of libraries alone. */
export function environmentOf(...libraries: Library[]): Environment {
  return new Environment(new Map(), new Map(), new Map(), () => undefined).with(...libraries);
}
