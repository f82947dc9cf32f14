// Builds the authorizer out of the modes given: one after the other, the first that decides is right.
import { alwaysAllow, alwaysDeny, privilegedGroups } from "./always.ts";
import type { Authorizer, RuleResolver } from "./interface.ts";
import { authorizerUnion, ruleResolverUnion } from "./union.ts";

/** As the server's configuration has it. */
export interface AuthorizerConfig {
  /** In order. */
  modes: readonly string[];
}

/** What the modes ask that look things up. */
export interface AuthorizerDependencies {
  rbac: Authorizer & RuleResolver;
  node: Authorizer & RuleResolver;
}

export interface BuiltAuthorizer {
  authorizer: Authorizer;
  rules: RuleResolver;
}

/** Throws an Error that names a mode which cannot be had. */
export function buildAuthorizer({ modes }: AuthorizerConfig, dependencies: AuthorizerDependencies): BuiltAuthorizer {
  if (modes.length === 0) throw new Error("at least one authorization mode must be passed");
  const known: Record<string, Authorizer & RuleResolver> = {
    AlwaysAllow: alwaysAllow,
    AlwaysDeny: alwaysDeny,
    RBAC: dependencies.rbac,
    Node: dependencies.node,
  };
  const chosen = modes.map((mode) => {
    if (!Object.hasOwn(known, mode)) throw new Error(`unknown authorization mode ${mode} specified`);
    return known[mode];
  });
  return { authorizer: authorizerUnion([privilegedGroups, ...chosen]), rules: ruleResolverUnion(chosen) };
}
