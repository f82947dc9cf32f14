// Does a rule cover what a request wants (rbac.authorization.k8s.io/v1 PolicyRule).
import type { PolicyRule } from "../../facts/generated/types.ts";
import type { AuthorizationAttributes } from "../interface.ts";

export function ruleAllows(rule: PolicyRule, wanted: AuthorizationAttributes): boolean {
  if (!has(rule.verbs, wanted.verb)) return false;
  if (!wanted.isResourceRequest) return matchesUrl(rule, wanted.path);
  return has(rule.apiGroups, wanted.apiGroup) && matchesResource(rule, wanted) && matchesName(rule, wanted.name);
}

function has(list: readonly string[] | null | undefined, value: string): boolean {
  if (!list) return false;
  for (let i = 0; i < list.length; i++) if (list[i] === value || list[i] === "*") return true;
  return false;
}

function matchesResource({ resources }: PolicyRule, { resource, subresource }: AuthorizationAttributes): boolean {
  if (resources === undefined) return false;
  for (const allowed of resources) {
    if (allowed === "*") return true;
    if (subresource === "" ? allowed === resource : isSubresource(allowed, resource, subresource)) return true;
  }
  return false;
}

// `pods/log`, or a star in place of the resource for those of all resources.
function isSubresource(allowed: string, resource: string, subresource: string): boolean {
  if (!allowed.endsWith(subresource)) return false;
  const slash = allowed.length - subresource.length - 1;
  if (allowed[slash] !== "/") return false;
  return (slash === 1 && allowed[0] === "*") || (slash === resource.length && allowed.startsWith(resource));
}

function matchesName({ resourceNames }: PolicyRule, name: string): boolean {
  return resourceNames === undefined || resourceNames.length === 0 || resourceNames.includes(name);
}

/** `/healthz`, or `/healthz/*` for everything below. */
function matchesUrl({ nonResourceURLs }: PolicyRule, path: string): boolean {
  for (const url of nonResourceURLs ?? []) {
    if (url === "*" || url === path) return true;
    if (url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""))) return true;
  }
  return false;
}
