// Rules of labels, annotations and label selectors.
import type { Field } from "./field.ts";
import { byteLength, isLabelValue, isQualifiedName } from "./names.ts";
import { lookUp } from "../look_up.ts";

/** meta.v1 LabelSelector. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

const ANNOTATIONS_LIMIT = 256 * 1024;

export function validateLabelName(name: string, at: Field): void {
  at.invalidEach(name, isQualifiedName(name));
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, at: Field): void {
  for (const key in labels) {
    validateLabelName(key, at);
    at.invalidEach(labels[key], isLabelValue(labels[key]));
  }
}

/** Keys are qualified names in any case; all together may have 256 KiB. */
export function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, at: Field): void {
  let characters = 0;
  for (const key in annotations) {
    at.invalidEach(key, isQualifiedName(key.toLowerCase()));
    characters += key.length + annotations[key].length;
  }
  if (characters * 3 > ANNOTATIONS_LIMIT && annotationsSize(annotations!) > ANNOTATIONS_LIMIT) {
    at.tooLong(ANNOTATIONS_LIMIT);
  }
}

/** Bytes of all keys and values. */
function annotationsSize(annotations: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const key in annotations) size += byteLength(key) + byteLength(annotations[key]);
  return size;
}

export interface LabelSelectorOptions {
  /** Values that are no label values are taken: old objects have them. */
  allowInvalidValues?: boolean;
  /** As in reviews, where an operator of the future is no error. */
  allowUnknownOperator?: boolean;
}

export function validateLabelSelector(
  selector: LabelSelector | null | undefined,
  at: Field,
  options: LabelSelectorOptions = {},
): void {
  if (!selector) return;
  validateLabels(selector.matchLabels, at.child("matchLabels"));
  selector.matchExpressions?.forEach((requirement, i) =>
    validateLabelSelectorRequirement(requirement, at.child("matchExpressions").index(i), options)
  );
}

export function validateLabelSelectorRequirement(
  requirement: LabelSelectorRequirement,
  at: Field,
  options: LabelSelectorOptions = {},
): void {
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        at.child("values").required("must be specified when `operator` is 'In' or 'NotIn'");
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        at.child("values").forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
      break;
    default:
      if (!options.allowUnknownOperator) {
        at.child("operator").invalid(requirement.operator ?? "", "not a valid selector operator");
      }
  }
  validateLabelName(requirement.key ?? "", at.child("key"));
  if (options.allowInvalidValues) return;
  values.forEach((value, i) => at.child("values").index(i).invalidEach(value, isLabelValue(value)));
}

/** Whether a selector has values that are no label values, as old ones may. */
export function selectorHasInvalidValue(selector: LabelSelector | null | undefined): boolean {
  return selector?.matchExpressions?.some((e) => e.values?.some((v) => isLabelValue(v).length > 0)) ?? false;
}

/** A selector without any requirement: it matches everything. */
export function selectorIsEmpty(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0;
}

/** Whether labels fulfil every requirement; a selector that is not set matches nothing, an empty one everything. */
export function selectorMatches(
  selector: LabelSelector | null | undefined,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  if (!selector) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (labels[key] !== value) return false;
  }
  return (selector.matchExpressions ?? []).every(({ key = "", operator, values }) => {
    const value = lookUp(labels, key);
    switch (operator) {
      case "In":
        return value !== undefined && (values ?? []).includes(value);
      case "NotIn":
        return value === undefined || !(values ?? []).includes(value);
      case "Exists":
        return value !== undefined;
      default:
        return value === undefined;
    }
  });
}
