// Selectors of access reviews: raw text or requirements, brought to the text that authorizers see.
import {
  FieldSelector,
  LabelSelector,
  labelSelectorOf,
  parseFieldSelector,
  parseLabelSelector,
} from "../../machinery/selectors/mod.ts";

/** authorization.k8s.io/v1 FieldSelectorAttributes and LabelSelectorAttributes. */
export interface ReviewSelector {
  rawSelector?: string;
  requirements?: { key?: string; operator?: string; values?: string[] }[];
}

/**
 * What can be understood of a selector; requirements are joined by "and", so that leaving one out only asks for more.
 * `complete` is false when something was left out.
 */
export function selectorText(
  selector: ReviewSelector | null | undefined,
  kind: "fieldSelector" | "labelSelector",
): { text: string; complete: boolean } {
  const { rawSelector = "", requirements = [] } = selector ?? {};
  if (requirements.length > 0) {
    return kind === "fieldSelector" ? fieldRequirements(requirements) : labelRequirements(requirements);
  }
  try {
    const parse = kind === "fieldSelector" ? parseFieldSelector : parseLabelSelector;
    return { text: parse(rawSelector).toString(), complete: true };
  } catch {
    return { text: "", complete: false };
  }
}

type Requirements = NonNullable<ReviewSelector["requirements"]>;

function fieldRequirements(requirements: Requirements) {
  const known = requirements.flatMap(({ key = "", operator, values = [] }) => {
    if (values.length !== 1 || (operator !== "In" && operator !== "NotIn")) return [];
    return [{ field: key, operator: operator === "In" ? "=" as const : "!=" as const, value: values[0] }];
  });
  return { text: new FieldSelector(known).toString(), complete: known.length === requirements.length };
}

function labelRequirements(requirements: Requirements) {
  const known = requirements.flatMap((requirement) => {
    try {
      return labelSelectorOf({ matchExpressions: [requirement] })?.requirements ?? [];
    } catch {
      return [];
    }
  });
  return { text: new LabelSelector(known).toString(), complete: known.length === requirements.length };
}
