// Policy rules: what may stand in them, and whether some cover others.
import { goQuote } from "../../machinery/go_text.ts";
import type { Field } from "../../machinery/validation/mod.ts";
import type { PolicyRule } from "../../facts/generated/types.ts";

/** @param namespaced rules of a Role, which give no rights to paths */
export function validatePolicyRule(rule: PolicyRule, at: Field, namespaced: boolean): void {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (!rule.verbs?.length) at.child("verbs").required("verbs must contain at least one value");
  if (nonResourceURLs.length > 0) {
    const urls = at.child("nonResourceURLs");
    if (namespaced) urls.invalid(nonResourceURLs, "namespaced rules cannot apply to non-resource URLs");
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      urls.invalid(nonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (apiGroups.length === 0) at.child("apiGroups").required("resource rules must supply at least one api group");
  if (resources.length === 0) at.child("resources").required("resource rules must supply at least one resource");
}

/** A right to one verb on one thing. */
interface Right {
  verb: string;
  apiGroup?: string;
  resource?: string;
  resourceName?: string;
  nonResourceURL?: string;
}

/** What of `wanted` is not covered by `held`: rules with a single verb, resource and name each. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(rightsOf).filter((right) => !held.some((rule) => covers(rule, right))).map(ruleOf);
}

function rightsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Right[] {
  const rights: Right[] = [];
  const names = resourceNames && resourceNames.length > 0 ? resourceNames : [undefined];
  for (const apiGroup of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      for (const verb of verbs ?? []) {
        for (const resourceName of names) rights.push({ verb, apiGroup, resource, resourceName });
      }
    }
  }
  for (const nonResourceURL of nonResourceURLs ?? []) {
    for (const verb of verbs ?? []) rights.push({ verb, nonResourceURL });
  }
  return rights;
}

function ruleOf({ verb, apiGroup, resource, resourceName, nonResourceURL }: Right): PolicyRule {
  if (nonResourceURL !== undefined) return { verbs: [verb], nonResourceURLs: [nonResourceURL] };
  const rule: PolicyRule = { verbs: [verb], apiGroups: [apiGroup!], resources: [resource!] };
  return resourceName === undefined ? rule : { ...rule, resourceNames: [resourceName] };
}

function covers(rule: PolicyRule, right: Right): boolean {
  if (!has(rule.verbs, right.verb)) return false;
  if (right.nonResourceURL !== undefined) return (rule.nonResourceURLs ?? []).some((url) => coversUrl(url, right));
  if (!has(rule.apiGroups, right.apiGroup!) || !coversResource(rule.resources ?? [], right.resource!)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || (right.resourceName !== undefined && names.includes(right.resourceName));
}

function has(list: readonly string[] | null | undefined, value: string): boolean {
  return list?.includes(value) || list?.includes("*") || false;
}

function coversResource(held: readonly string[], wanted: string): boolean {
  if (held.includes("*") || held.includes(wanted)) return true;
  const slash = wanted.indexOf("/");
  return slash >= 0 && held.includes(`*${wanted.slice(slash)}`);
}

function coversUrl(held: string, { nonResourceURL = "" }: Right): boolean {
  return held === nonResourceURL || (held.endsWith("*") && nonResourceURL.startsWith(held.replace(/\*+$/, "")));
}

/** One line for each rule, those that differ by their verb only put together; sorted. */
export function describeRules(rules: readonly PolicyRule[]): string[] {
  const compact: PolicyRule[] = [];
  const byTarget = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const target = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const same = rule.nonResourceURLs === undefined ? byTarget.get(target) : undefined;
    if (same !== undefined) {
      same.verbs!.push(...rule.verbs!);
      continue;
    }
    const copy = { ...rule, verbs: [...rule.verbs!] };
    compact.push(copy);
    if (rule.nonResourceURLs === undefined) byTarget.set(target, copy);
  }
  return [...new Set(compact.map(describeRule))].sort();
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}` */
function describeRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  });
  const shown = parts.flatMap(([name, list]) => list?.length ? [`${name}:[${list.map(goQuote).join(" ")}]`] : []);
  return `{${shown.join(", ")}}`;
}
