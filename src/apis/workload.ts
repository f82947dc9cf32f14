// What kinds that make pods out of a template have in common.
import { collect, type Field } from "../machinery/validation/field.ts";
import { type LabelSelector, selectorIsEmpty, validateLabelSelector } from "../machinery/validation/labels.ts";
import { validateNonnegative } from "../machinery/validation/numbers.ts";
import type { PodTemplateSpec } from "./generated/types.ts";
import type { PodOptions } from "./core/pod_spec/options.ts";
import { validatePodTemplate, validateRunsForever, validateSelectorMatches } from "./core/pod_spec/template.ts";
import { podWarnings } from "./core/pod_spec/warnings.ts";

/** Warnings about a template; `at` is the text of its path. */
export function templateWarnings(template: PodTemplateSpec | undefined, at: string): string[] {
  return template ? podWarnings({ spec: template.spec ?? {}, meta: template.metadata ?? {}, template: at }) : [];
}

/** Whether a selector can be put to use: what cannot is not matched against anything. */
export function canSelect(selector: LabelSelector | undefined): boolean {
  return collect((at) => validateLabelSelector(selector, at)).length === 0;
}

export interface SelectorRules {
  /** The kind in the message about an empty selector. */
  kind: string;
  allowInvalidValues?: boolean;
}

/** A selector that must be there and must not be empty. */
export function validateRequiredSelector(selector: LabelSelector | undefined, at: Field, rules: SelectorRules): void {
  if (!selector) return at.required();
  validateLabelSelector(selector, at, { allowInvalidValues: rules.allowInvalidValues });
  if (selectorIsEmpty(selector)) at.invalid(selector, `empty selector is invalid for ${rules.kind}`);
}

/** The template of a controller that keeps pods running; `at` is the spec. */
export function validateControlledTemplate(
  spec: { selector?: LabelSelector; template?: PodTemplateSpec },
  at: Field,
  rules: { kind: string; options: PodOptions; invalidSelector: string },
): void {
  const { selector, template = {} } = spec;
  if (!canSelect(selector)) return at.child("selector").invalid(selector, rules.invalidSelector);
  const field = at.child("template");
  validateSelectorMatches(selector, field, template);
  validatePodTemplate(template, field, rules.options);
  validateRunsForever(template, field, rules.kind);
}

/** Counts of a status: none is negative, and some are not above others. */
export interface StatusRules<T> {
  nonnegative: readonly (keyof T & string)[];
  notAbove?: readonly (readonly [smaller: keyof T & string, larger: keyof T & string, message: string])[];
}

export function validateCounts<T extends object>(status: T, at: Field, rules: StatusRules<T>): void {
  const value = (member: keyof T & string) => status[member] as number | undefined;
  for (const member of rules.nonnegative) validateNonnegative(value(member), at.child(member));
  for (const [smaller, larger, message] of rules.notAbove ?? []) {
    const count = value(smaller) ?? 0;
    if (count > (value(larger) ?? 0)) at.child(smaller).invalid(count, message);
  }
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
