// What policies and bindings say about the requests that they are about, as the matching of requests takes it.
import type { MatchResources } from "../../facts/generated/types.ts";
import type { MatchCriteria } from "../matching/match.ts";
import type { AdmissionRule } from "../matching/rules.ts";

const EVERYTHING: readonly AdmissionRule[] = [
  { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], scope: "*" },
];

/** Without rules it is about everything. */
export function criteriaOf(match: MatchResources): MatchCriteria {
  const { namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules, matchPolicy } = match;
  const rules = resourceRules.length === 0 ? EVERYTHING : resourceRules;
  return { namespaceSelector, objectSelector, rules, excludeRules: excludeResourceRules, matchPolicy };
}
