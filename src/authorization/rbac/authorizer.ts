// RBAC: allowed when a role that the user is bound to says so.
import type { PolicyRule } from "../../apis/generated/types.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from "../interface.ts";
import type { Binding, RbacIndex, Subject } from "./index.ts";
import { ruleAllows } from "./rules.ts";

/** Every rule that applies to a user, with the binding it comes from; roles that are missing are told by `onMissing`. */
export function* rulesOf(
  index: RbacIndex,
  user: UserInfo,
  namespace: string,
  onMissing: (message: string) => void,
): Generator<[PolicyRule, Binding, Subject]> {
  for (const scope of namespace === "" ? [""] : ["", namespace]) {
    for (const [binding, subject] of index.bindingsOf(user, scope)) {
      const rules = index.rules(binding.roleRef, binding.namespace);
      if (rules === undefined) onMissing(missing(binding));
      else for (const rule of rules) yield [rule, binding, subject];
    }
  }
}

function missing({ roleRef }: Binding): string {
  const resource = roleRef.kind === "ClusterRole" ? "clusterrole" : "role";
  return `${resource}.rbac.authorization.k8s.io ${JSON.stringify(roleRef.name)} not found`;
}

export function rbacAuthorizer(index: RbacIndex): Authorizer & RuleResolver {
  return {
    authorize(attributes: AuthorizationAttributes): AuthorizationResult {
      const errors: string[] = [];
      const rules = rulesOf(index, attributes.user, attributes.namespace, (message) => void errors.push(message));
      for (const [rule, binding, subject] of rules) {
        if (ruleAllows(rule, attributes)) {
          return { decision: "allow", reason: `RBAC: allowed by ${describe(binding, subject)}` };
        }
      }
      const reason = errors.length === 0 ? "" : `RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`}`;
      return { decision: "no opinion", reason };
    },
    // deno-lint-ignore require-await -- the interface's other implementations ask elsewhere
    async rulesFor(user, namespace) {
      const errors: string[] = [];
      const all = [...rulesOf(index, user, namespace, (message) => void errors.push(message))].map(([rule]) => rule);
      return {
        resourceRules: all.filter((r) => (r.resources ?? []).length > 0).map((r) => ({
          verbs: r.verbs ?? [],
          apiGroups: r.apiGroups,
          resources: r.resources,
          resourceNames: r.resourceNames,
        })),
        nonResourceRules: all.filter((r) => (r.nonResourceURLs ?? []).length > 0).map((r) => ({
          verbs: r.verbs ?? [],
          nonResourceURLs: r.nonResourceURLs,
        })),
        incomplete: errors.length > 0,
        error: errors.length > 0 ? errors.join(", ") : undefined,
      };
    },
  };
}

/** `ClusterRoleBinding "a" of ClusterRole "b" to Group "c"`. */
function describe(binding: Binding, subject: Subject): string {
  const quoted = binding.namespace === "" ? binding.name : `${binding.name}/${binding.namespace}`;
  const kind = binding.namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const who = subject.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace}` : subject.name;
  const { roleRef } = binding;
  return `${kind} ${JSON.stringify(quoted)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${subject.kind} ${
    JSON.stringify(who)
  }`;
}
