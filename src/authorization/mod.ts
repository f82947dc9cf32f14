// Builds the authorizer out of the authorizers given: one after the other, the first that decides is right.
import { privilegedGroups } from "./always.ts";
import type { Authorizer, RuleResolver } from "./interface.ts";
import { authorizerUnion, ruleResolverUnion } from "./union.ts";

export interface BuiltAuthorizer {
  authorizer: Authorizer;
  rules: RuleResolver;
}

/** `system:masters` is asked for first, whoever else decides. */
export function buildAuthorizer(chosen: readonly (Authorizer & RuleResolver)[]): BuiltAuthorizer {
  return { authorizer: authorizerUnion([privilegedGroups, ...chosen]), rules: ruleResolverUnion(chosen) };
}
