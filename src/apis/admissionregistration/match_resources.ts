// Which objects and requests a policy or a binding is about.
import { type Field, isPathSegmentName, validateLabelSelector } from "../../machinery/validation/mod.ts";
import type { MatchResources, NamedRuleWithOperations } from "../../facts/generated/types.ts";
import { checkOneOf } from "./one_of.ts";
import { checkRuleWithOperations } from "./rules.ts";

const MATCH_POLICIES = ["Equivalent", "Exact"];
const MUTABLE = ["*", "CONNECT", "CREATE", "UPDATE"];

export function setMatchDefaults(match: MatchResources | undefined): void {
  if (!match) return;
  match.matchPolicy ??= "Equivalent";
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...match.resourceRules ?? [], ...match.excludeResourceRules ?? []]) rule.scope ??= "*";
}

/** Looks at what defaults have been set in. */
export function checkMatchResources(match: MatchResources | undefined, at: Field): void {
  if (!match) return;
  checkOneOf(match.matchPolicy, at.child("matchPolicy"), MATCH_POLICIES);
  validateLabelSelector(match.namespaceSelector, at.child("namespaceSelector"));
  validateLabelSelector(match.objectSelector, at.child("objectSelector"));
  checkRules(match.resourceRules, at.child("resourceRules"));
  checkRules(match.excludeResourceRules, at.child("excludeResourceRules"));
}

/** What is deleted cannot be changed. */
export function checkMutable(match: MatchResources | undefined, at: Field): void {
  for (const operation of match?.resourceRules?.flatMap(({ operations = [] }) => operations) ?? []) {
    checkOneOf(operation, at.child("resourceRules", "operations"), MUTABLE);
  }
}

function checkRules(rules: readonly NamedRuleWithOperations[] | undefined, at: Field): void {
  rules?.forEach((rule, i) => {
    const field = at.index(i), seen = new Set<string>();
    rule.resourceNames?.forEach((name, j) => {
      const nameField = field.child("resourceNames").index(j);
      nameField.invalidEach(name, isPathSegmentName(name));
      if (seen.has(name)) nameField.duplicate(name);
      seen.add(name);
    });
    checkRuleWithOperations(rule, field);
  });
}
