// The parts of a user that expressions make out of claims.
import type { UserInfo } from "../interface.ts";
import {
  checkUser,
  ClaimValues,
  compileClaimMapping,
  compileClaimRule,
  type CompiledExpression,
  type CompiledRule,
  compileUserRule,
} from "./expressions.ts";
import type { ClaimMapping, JwtAuthenticatorConfig, JwtClaims, Rule } from "./interface.ts";

/** What is not made by an expression is undefined. */
export interface MappedUser {
  username?: string;
  groups?: string[];
  uid?: string;
  extra: Record<string, string[]>;
}

export class ExpressionMapper {
  readonly #username?: CompiledExpression;
  readonly #groups?: CompiledExpression;
  readonly #uid?: CompiledExpression;
  readonly #extra: readonly { key: string; compiled: CompiledExpression }[];
  readonly #claimRules: readonly CompiledRule[];
  readonly #userRules: readonly CompiledRule[];

  /** Throws an Error when an expression is wrong. */
  constructor({ username, groups, uid, extra, claimRules, userRules }: JwtAuthenticatorConfig) {
    this.#username = compiled(username);
    this.#groups = compiled(groups);
    this.#uid = compiled(uid);
    this.#extra = extra.map(({ key, expression }) => ({ key, compiled: compileClaimMapping(expression) }));
    const rules = (list: readonly Rule[], compile: typeof compileClaimRule) =>
      list.map((rule): CompiledRule => ({ ...rule, compiled: compile(rule.expression) }));
    this.#claimRules = rules(claimRules, compileClaimRule);
    this.#userRules = rules(userRules, compileUserRule);
  }

  /** Throws an Error when an expression gives nothing that fits. */
  over(claims: JwtClaims): MappedUser {
    const values = new ClaimValues(claims);
    const extra: Record<string, string[]> = {};
    for (const { key, compiled } of this.#extra) {
      const texts = values.texts(compiled, "extra");
      if (texts.length > 0) extra[key] = texts;
    }
    const username = this.#username && values.text(this.#username, "username");
    if (username === "") throw new Error("oidc: empty username via CEL expression is not allowed");
    return {
      username,
      groups: this.#groups && values.texts(this.#groups, "group"),
      uid: this.#uid && values.text(this.#uid, "uid"),
      extra,
    };
  }

  /** Throws an Error with the first rule that is not met. */
  check(claims: JwtClaims, user: UserInfo): void {
    if (this.#claimRules.length > 0) new ClaimValues(claims).check(this.#claimRules);
    if (this.#userRules.length > 0) checkUser(this.#userRules, user);
  }
}

function compiled(mapping: ClaimMapping | undefined): CompiledExpression | undefined {
  return mapping?.expression ? compileClaimMapping(mapping.expression) : undefined;
}
