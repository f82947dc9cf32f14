// Several authorizers as one: the first that decides is right.
import { AggregateFailure, asError } from "../machinery/aggregate_error.ts";
import type { AuthorizationResult, Authorizer, NonResourceRule, ResourceRule, RuleResolver } from "./interface.ts";

const NO_OPINION: AuthorizationResult = { decision: "no opinion", reason: "" };

/** Reasons of those without an opinion are joined: they are what a refusal says. */
export function authorizerUnion(authorizers: readonly Authorizer[]): Authorizer {
  if (authorizers.length === 1) return authorizers[0];
  return {
    authorize(attributes) {
      let undecided: AuthorizationResult[] | undefined;
      for (let i = 0; i < authorizers.length; i++) {
        const result = authorizers[i].authorize(attributes);
        if (result instanceof Promise) return rest(i, result, undecided ?? []);
        if (result.decision !== "no opinion") return result;
        if (result.reason !== "" || result.error !== undefined) (undecided ??= []).push(result);
      }
      return undecided === undefined ? NO_OPINION : joined(undecided);

      async function rest(from: number, first: Promise<AuthorizationResult>, undecided: AuthorizationResult[]) {
        for (let i = from; i < authorizers.length; i++) {
          const result = await (i === from ? first : authorizers[i].authorize(attributes));
          if (result.decision !== "no opinion") return result;
          undecided.push(result);
        }
        return joined(undecided);
      }
    },
  };
}

function joined(results: readonly AuthorizationResult[]): AuthorizationResult {
  const reason = results.map((r) => r.reason).filter((r) => r !== "").join("\n");
  const errors = results.flatMap((r) => r.error ?? []);
  if (errors.length === 0) return { decision: "no opinion", reason };
  return { decision: "no opinion", reason, error: new AggregateFailure(errors.map(asError)).message };
}

/** The rules of all; incomplete when those of one are. */
export function ruleResolverUnion(resolvers: readonly RuleResolver[]): RuleResolver {
  return {
    async rulesFor(user, namespace) {
      const resourceRules: ResourceRule[] = [], nonResourceRules: NonResourceRule[] = [], errors: Error[] = [];
      let incomplete = false;
      for (const resolver of resolvers) {
        const found = await resolver.rulesFor(user, namespace);
        resourceRules.push(...found.resourceRules);
        nonResourceRules.push(...found.nonResourceRules);
        incomplete ||= found.incomplete;
        if (found.error !== undefined) errors.push(found.error);
      }
      const error = errors.length === 0 ? undefined : new AggregateFailure(errors);
      return { resourceRules, nonResourceRules, incomplete, error };
    },
  };
}
