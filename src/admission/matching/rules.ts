// Rules of webhooks and policies: which operations on which resources they are about.
import type { GroupVersionResource } from "../../machinery/types.ts";
import type { AdmissionAttributes } from "../interface.ts";

/** admissionregistration.k8s.io/v1 RuleWithOperations, and NamedRuleWithOperations of policies. */
export interface AdmissionRule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
  resourceNames?: string[];
}

function includes(list: readonly string[] = [], wanted: string): boolean {
  return list.includes("*") || list.includes(wanted);
}

/** `pods`, `pods/status`, `pods/*`, `*\/scale`, `*` (no subresources), `*\/*` */
function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const [name, sub] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (name === "*" || name === resource) && (sub === "*" || sub === subresource);
}

/** Namespaces are cluster-scoped although requests about them name one. */
function matchesScope(scope: string, { group, version, resource }: GroupVersionResource, namespace: string): boolean {
  if (scope === "*") return true;
  const isNamespace = group === "" && version === "v1" && resource === "namespaces";
  return scope === "Namespaced" ? !isNamespace && namespace !== "" : isNamespace || namespace === "";
}

/** Whether a rule is about the request, made through `resource`: the request's own or an equivalent one. */
export function matchesRule(
  rule: AdmissionRule,
  { operation, subresource, namespace, name, object }: AdmissionAttributes,
  resource: GroupVersionResource,
): boolean {
  const { resourceNames = [] } = rule;
  return includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((pattern) => matchesResource(pattern, resource.resource, subresource)) &&
    matchesScope(rule.scope ?? "*", resource, namespace) &&
    (resourceNames.length === 0 || resourceNames.includes(name || (object?.metadata?.name ?? "")));
}
