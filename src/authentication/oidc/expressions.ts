// Expressions over claims and users (KEP-3331): they make the user out of the claims, and judge both.
import { baseEnvironment, CompileError, compileExpression, EvalError, type Program } from "../../machinery/cel/mod.ts";
import { structsOf } from "../../machinery/cel/structs.ts";
import { childrenOf, type Expr } from "../../machinery/cel/syntax/ast.ts";
import { BOOL, type CelType, DYN, formatType, listOf, mapOf, STRING, structOf } from "../../machinery/cel/types.ts";
import { dynamicValue, toJson } from "../../machinery/cel/values/json.ts";
import type { Value } from "../../machinery/cel/values/value.ts";
import type { Json } from "../../machinery/types.ts";
import type { UserInfo } from "../interface.ts";
import type { JwtClaims, Rule } from "./interface.ts";

const USER = structOf("kubernetes.UserInfo");
const USER_FIELDS = {
  username: STRING,
  uid: STRING,
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
};

/** An expression over `claims` or `user`. */
export interface CompiledExpression {
  expression: string;
  program: Program;
  /** Claims that it reads by name. */
  claims: ReadonlySet<string>;
}

/** Compiles a mapping over claims, of any type. Throws an Error with what is wrong with the expression. */
export function compileClaimMapping(expression: string): CompiledExpression {
  return compile(expression, { claims: mapOf(STRING, DYN) });
}

/** Compiles a rule over claims: true or false. Throws an Error with what is wrong with the expression. */
export function compileClaimRule(expression: string): CompiledExpression {
  return compile(expression, { claims: mapOf(STRING, DYN) }, BOOL);
}

/** Compiles a rule over the user: true or false. Throws an Error with what is wrong with the expression. */
export function compileUserRule(expression: string): CompiledExpression {
  return compile(expression, { user: USER }, BOOL);
}

function compile(expression: string, variables: Record<string, CelType>, wanted?: CelType): CompiledExpression {
  const environment = baseEnvironment().extend(variables, structsOf({ [USER.name]: USER_FIELDS }));
  try {
    const compiled = compileExpression(expression, environment);
    if (wanted !== undefined && compiled.type !== wanted) {
      throw new Error(`must evaluate to ${formatType(wanted)}`);
    }
    return { expression, program: compiled.program(), claims: claimsIn(compiled.checked.expr) };
  } catch (e) {
    if (e instanceof CompileError) throw new Error(`compilation failed: ${e.message}`);
    if (e instanceof EvalError) throw new Error(`program instantiation failed: ${e.message}`);
    throw e;
  }
}

/** `claims.email`, `claims.?email` */
function claimsIn(expr: Expr, found: Set<string> = new Set()): Set<string> {
  const isClaims = (e: Expr | undefined) => e?.kind === "ident" && e.name === "claims";
  if (expr.kind === "select" && isClaims(expr.operand)) found.add(expr.field);
  if (expr.kind === "call" && expr.name === "_?._" && isClaims(expr.args[0])) {
    const [, field] = expr.args;
    if (field?.kind === "literal" && typeof field.value === "string") found.add(field.value);
  }
  for (const child of childrenOf(expr)) claimsIn(child, found);
  return found;
}

/** What an expression gives for some claims. Throws an Error when it gives nothing. */
export class ClaimValues {
  readonly #claims: Value;

  constructor(claims: JwtClaims) {
    this.#claims = dynamicValue(claims as Json);
  }

  /** A text that has to be one. @param what names it in errors */
  text({ program, expression }: CompiledExpression, what: string): string {
    const value = evaluate(program, expression, this.#claims, what);
    if (typeof value !== "string") {
      throw new Error(`oidc: error evaluating ${what} claim expression: ${what} claim expression must return a string`);
    }
    return value;
  }

  /** One text or several; empty ones are left out. */
  texts({ program, expression }: CompiledExpression, what: string): string[] {
    const json = toJson(evaluate(program, expression, this.#claims, what));
    const list = json === null ? [] : Array.isArray(json) ? json : [json];
    if (!list.every((entry) => typeof entry === "string")) {
      const which = what === "extra" ? `${expression}: ` : "";
      throw new Error(
        `oidc: error evaluating ${what} claim expression: ${which}expression must return a string or a list of strings`,
      );
    }
    return list.filter((entry) => entry !== "");
  }

  check(rules: readonly CompiledRule[]): void {
    checkRules(rules, this.#claims, "claim validation expression");
  }
}

export interface CompiledRule extends Rule {
  compiled: CompiledExpression;
}

/** Throws an Error with the first rule that the user does not meet. */
export function checkUser(rules: readonly CompiledRule[], { name, uid, groups, extra }: UserInfo): void {
  const user = { username: name, uid, groups, extra } as unknown as Json;
  checkRules(rules, dynamicValue(user), "user info validation rule");
}

function checkRules(rules: readonly CompiledRule[], variable: Value, what: string): void {
  for (const { compiled, expression, message } of rules) {
    const { value, error } = compiled.program.evaluate(() => variable);
    if (error !== undefined) {
      throw new Error(`oidc: error evaluating ${what}: expression '${expression}' resulted in error: ${error}`);
    }
    if (value !== true) {
      throw new Error(`oidc: error evaluating ${what}: validation expression '${expression}' failed: ${message}`);
    }
  }
}

function evaluate(program: Program, expression: string, claims: Value, what: string): Value {
  const { value, error } = program.evaluate(() => claims);
  if (error === undefined) return value!;
  throw new Error(
    `oidc: error evaluating ${what} claim expression: expression '${expression}' resulted in error: ${error}`,
  );
}
