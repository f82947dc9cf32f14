// What kinds that make pods out of a template have in common.
import { collect, type Field } from "../machinery/validation/field.ts";
import { type LabelSelector, selectorIsEmpty, validateLabelSelector } from "../machinery/validation/labels.ts";
import { validateNonnegative } from "../machinery/validation/numbers.ts";
import type { PodTemplateSpec } from "../facts/generated/types.ts";
import { podRules } from "./core/pod_spec/later.ts";
import type { PodOptions } from "./core/pod_spec/options.ts";

/** Warnings about a template; `at` is the text of its path. */
export function templateWarnings(template: PodTemplateSpec | undefined, at: string): string[] {
  return template
    ? podRules.module.podWarnings({ spec: template.spec ?? {}, meta: template.metadata ?? {}, template: at })
    : [];
}

/** Whether a selector can be put to use: what cannot is not matched against anything. */
export function canSelect(selector: LabelSelector | null | undefined): boolean {
  return collect((at) => validateLabelSelector(selector, at)).length === 0;
}

/** A selector that must be there and must not be empty; `kind` stands in the message about an empty one. */
export function validateRequiredSelector(selector: LabelSelector | null | undefined, at: Field, kind: string): void {
  if (!selector) return at.required();
  validateLabelSelector(selector, at);
  if (selectorIsEmpty(selector)) at.invalid(selector, `empty selector is invalid for ${kind}`);
}

/** The template of which replica sets are made, also by deployments; `at` is the spec. */
export function validateReplicaTemplate(
  spec: { selector?: LabelSelector | null; template?: PodTemplateSpec },
  at: Field,
  options: PodOptions,
): void {
  const { selector, template = {} } = spec;
  if (!canSelect(selector)) return at.child("selector").invalid(selector, "invalid label selector");
  const field = at.child("template");
  podRules.module.validateSelectorMatches(selector, field, template);
  podRules.module.validatePodTemplate(template, field, options);
  podRules.module.validateRunsForever(template, field, "ReplicaSet");
}

/** Counts of a status: none is negative, some are not above `replicas`, and what is available is ready. */
export interface StatusRules<T> {
  nonnegative: readonly (keyof T & string)[];
  notAboveReplicas?: readonly (keyof T & string)[];
  /** What is said when more are available than ready. */
  aboveReady?: string;
}

export function validateCounts<T extends object>(status: T, at: Field, rules: StatusRules<T>): void {
  const counts = status as Readonly<Record<string, number | undefined>>;
  for (const member of rules.nonnegative) validateNonnegative(counts[member], at.child(member));
  const notAbove = (smaller: string, larger: string, message: string) => {
    const count = counts[smaller] ?? 0;
    if (count > (counts[larger] ?? 0)) at.child(smaller).invalid(count, message);
  };
  for (const member of rules.notAboveReplicas ?? []) {
    notAbove(member, "replicas", "cannot be greater than status.replicas");
  }
  if (rules.aboveReady !== undefined) notAbove("availableReplicas", "readyReplicas", rules.aboveReady);
}

/** Names of revisions are made of it: it never goes back. */
export function validateCollisionCount(
  status: { collisionCount?: number },
  old: { collisionCount?: number },
  at: Field,
): void {
  const now = status.collisionCount, before = old.collisionCount;
  if (before === undefined || (now !== undefined && now >= before)) return;
  at.child("collisionCount").invalid(now ?? 0, "cannot be decremented");
}
