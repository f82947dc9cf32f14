// Does a rule cover what a request wants (rbac.authorization.k8s.io/v1 PolicyRule).
import type { PolicyRule } from "../../apis/generated/types.ts";
import type { AuthorizationAttributes } from "../interface.ts";

export function ruleAllows(rule: PolicyRule, wanted: AuthorizationAttributes): boolean {
  if (!has(rule.verbs, wanted.verb)) return false;
  if (!wanted.isResourceRequest) return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, wanted.path));
  return has(rule.apiGroups, wanted.apiGroup) && resourceMatches(rule, wanted) && nameMatches(rule, wanted.name);
}

function has(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes(value) || list.includes("*"));
}

function resourceMatches({ resources = [] }: PolicyRule, { resource, subresource }: AuthorizationAttributes): boolean {
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some((r) => r === "*" || r === whole || (subresource !== "" && r === `*/${subresource}`));
}

function nameMatches({ resourceNames = [] }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

/** `/healthz`, or `/healthz/*` for everything below. */
function urlMatches(url: string, path: string): boolean {
  return url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1)));
}
