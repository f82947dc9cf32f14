// What a list or watch lets through: label and field selectors in one predicate of storage.
import type { FieldSelector } from "./fields.ts";
import type { Labels, LabelSelector } from "./labels.ts";

export * from "./fields.ts";
export * from "./labels.ts";

/** Both selectors of a request as one: a Predicate of storage. */
export interface Selection {
  /** True when everything passes: the fast path. */
  readonly everything: boolean;
  matches(attributes: { readonly labels: Labels; readonly fields: Readonly<Record<string, string>> }): boolean;
  /** The value that a field must have exactly; undefined when others would do. */
  requiresField(field: string): string | undefined;
}

const EVERYTHING: Selection = { everything: true, matches: () => true, requiresField: () => undefined };

/** Lets through what both selectors match; a missing selector matches everything. */
export function predicate({ labels, fields }: { labels?: LabelSelector; fields?: FieldSelector }): Selection {
  const byLabels = labels?.everything === false ? labels : undefined;
  const byFields = fields?.everything === false ? fields : undefined;
  if (byLabels === undefined && byFields === undefined) return EVERYTHING;
  return {
    everything: false,
    matches: (attributes) =>
      (byFields === undefined || byFields.matches(attributes.fields)) &&
      (byLabels === undefined || byLabels.matches(attributes.labels)),
    requiresField: (field) => byFields?.requires(field),
  };
}
