// RBAC: allowed when a role that the user is bound to says so.
import type { PolicyRule } from "../../facts/generated/types.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from "../interface.ts";
import { allowedBy, type Binding, type RbacIndex } from "./index.ts";
import { ruleAllows } from "./rules.ts";

const NO_OPINION: AuthorizationResult = { decision: "no opinion", reason: "" };

export function rbacAuthorizer(index: RbacIndex): Authorizer & RuleResolver {
  return {
    authorize(attributes: AuthorizationAttributes): AuthorizationResult {
      const { user } = attributes;
      let allowed: AuthorizationResult | undefined;
      let errors: Error[] | undefined;
      index.visit(user, attributes.namespace, (binding, rules) => {
        if (rules === undefined) {
          (errors ??= []).push(missingRole(binding));
          return false;
        }
        for (let i = 0; i < rules.length; i++) {
          if (ruleAllows(rules[i], attributes)) {
            allowed = allowedBy(binding, user);
            return true;
          }
        }
        return false;
      });
      if (allowed !== undefined) return allowed;
      if (errors === undefined) return NO_OPINION;
      return { decision: "no opinion", reason: `RBAC: ${new AggregateFailure(errors).message}` };
    },
    rulesFor(user, namespace) {
      const { rules, missing } = rulesFor(index, user, namespace);
      const error = missing.length === 0 ? undefined : new AggregateFailure(missing.map(missingRole));
      const resourceRules = rules.filter((r) => (r.resources ?? []).length > 0).map((r) => ({
        verbs: r.verbs ?? [],
        apiGroups: r.apiGroups,
        resources: r.resources,
        resourceNames: r.resourceNames,
      }));
      const nonResourceRules = rules.filter((r) => (r.nonResourceURLs ?? []).length > 0).map((r) => ({
        verbs: r.verbs ?? [],
        nonResourceURLs: r.nonResourceURLs,
      }));
      return Promise.resolve({ resourceRules, nonResourceRules, incomplete: false, error });
    },
  };
}

/** Every rule that applies to a user in a namespace; `missing` are bindings of roles that nobody made. */
export function rulesFor(
  index: RbacIndex,
  user: UserInfo,
  namespace: string,
): { rules: PolicyRule[]; missing: readonly Binding[] } {
  const all: PolicyRule[] = [], missing: Binding[] = [];
  const seen = new Set<Binding>();
  index.visit(user, namespace, (binding, rules) => {
    if (seen.has(binding)) return false;
    seen.add(binding);
    if (rules === undefined) missing.push(binding);
    else all.push(...rules);
    return false;
  });
  return { rules: all, missing };
}

function missingRole({ roleRef }: Binding): Error {
  const resource = roleRef.kind === "ClusterRole" ? "clusterrole" : "role";
  return new Error(`${resource}.rbac.authorization.k8s.io ${goQuote(roleRef.name)} not found`);
}
