// Which requests a webhook or a policy is about: groups, versions, resources and operations.
import type { Field } from "../../machinery/validation/mod.ts";
import type { RuleWithOperations } from "../../facts/generated/types.ts";

const SCOPES = ["*", "Cluster", "Namespaced"];
const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const ALL = "*";

/** @param operations those that the rule may name */
export function checkRuleWithOperations(rule: RuleWithOperations, at: Field, operations = OPERATIONS): void {
  const named = rule.operations ?? [];
  checkWildcard(named, at.child("operations"), "operations");
  named.forEach((operation, i) => {
    if (!operations.includes(operation)) at.child("operations").index(i).notSupported(operation, operations);
  });
  const groups = rule.apiGroups ?? [], versions = rule.apiVersions ?? [];
  checkWildcard(groups, at.child("apiGroups"), "API groups");
  checkWildcard(versions, at.child("apiVersions"), "API versions");
  versions.forEach((version, i) => {
    if (version === "") at.child("apiVersions").index(i).required();
  });
  checkResources(rule.resources ?? [], at.child("resources"));
  if (rule.scope !== undefined && !SCOPES.includes(rule.scope)) at.child("scope").notSupported(rule.scope, SCOPES);
}

/** At least one value; `*` stands alone. */
function checkWildcard(list: readonly string[], at: Field, what: string): void {
  if (list.length === 0) at.required();
  if (list.length > 1 && list.includes(ALL)) at.invalid(list, `if '*' is present, must not specify other ${what}`);
}

// `pods`, `pods/status`, `pods/*`, all resources' `scale`, all of both: nothing may be said twice.
function checkResources(resources: readonly string[], at: Field): void {
  if (resources.length === 0) at.required();
  const withAllSubresources = new Set<string>(), ofAllResources = new Set<string>();
  // Only the last resource without a subresource is remembered.
  let plain = false;
  resources.forEach((resource, i) => {
    const slash = resource.indexOf("/"), field = at.index(i);
    if (resource === "") return field.required();
    if (slash < 0) {
      plain = resource !== ALL;
      return;
    }
    const name = resource.slice(0, slash), subresource = resource.slice(slash + 1);
    if (withAllSubresources.has(name)) {
      field.invalid(resource, `if '${name}/*' is present, must not specify ${resource}`);
    }
    if (ofAllResources.has(subresource)) {
      field.invalid(resource, `if '*/${subresource}' is present, must not specify ${resource}`);
    }
    if (subresource === ALL) withAllSubresources.add(name);
    if (name === ALL) ofAllResources.add(subresource);
  });
  if (resources.length > 1 && resources.includes("*/*")) {
    at.invalid(resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes(ALL) && plain) {
    at.invalid(resources, "if '*' is present, must not specify other resources without subresources");
  }
}
