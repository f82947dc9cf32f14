// Labels of the pod itself that become part of a selector: matchLabelKeys and mismatchLabelKeys (KEP-3633, KEP-3243).
import type { LabelSelector } from "../../../machinery/validation/labels.ts";
import { validateLabelName } from "../../../machinery/validation/labels.ts";
import type { Field } from "../../../machinery/validation/field.ts";

export interface LabelKeys {
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
  labelSelector?: LabelSelector;
}

/**
 * Keys must be label names and need a selector that they can be added to. A key that the selector has already is an
 * error only when it stands in two requirements: the first may be what the server itself has put there.
 */
export function validateMatchLabelKeys(term: LabelKeys, at: Field): void {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector: selector } = term;
  validateKeys(matchLabelKeys, at.child("matchLabelKeys"), selector);
  validateKeys(mismatchLabelKeys, at.child("mismatchLabelKeys"), selector);
  if (selector && matchLabelKeys.length > 0) {
    const used = new Set(Object.keys(selector.matchLabels ?? {}));
    for (const { key = "" } of selector.matchExpressions ?? []) {
      const i = matchLabelKeys.lastIndexOf(key);
      if (i >= 0 && used.has(key)) at.index(i).invalid(key, "exists in both matchLabelKeys and labelSelector");
      used.add(key);
    }
  }
  matchLabelKeys.forEach((key, i) => {
    if (mismatchLabelKeys.includes(key)) {
      at.child("matchLabelKeys").index(i).invalid(key, "exists in both matchLabelKeys and mismatchLabelKeys");
    }
  });
}

function validateKeys(keys: readonly string[], at: Field, selector: LabelSelector | undefined): void {
  if (keys.length === 0) return;
  if (!selector) return at.forbidden("must not be specified when labelSelector is not set");
  keys.forEach((key, i) => validateLabelName(key, at.index(i)));
}

/** The rule of the time when the server did not add keys to the selector: the selector may not have them. */
export function validateLegacyMatchLabelKeys(term: LabelKeys, at: Field): void {
  const { matchLabelKeys = [], labelSelector: selector } = term;
  if (matchLabelKeys.length === 0) return;
  const used = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key = "" } of selector?.matchExpressions ?? []) used.add(key);
  if (!selector) at.forbidden("must not be specified when labelSelector is not set");
  matchLabelKeys.forEach((key, i) => {
    validateLabelName(key, at.index(i));
    if (used.has(key)) at.index(i).invalid(key, "exists in both matchLabelKeys and labelSelector");
  });
}
