// Label selectors and labels as text, as Kubernetes prints them: `app=web,tier in (a,b),!old`.
import type { LabelSelector } from "../machinery/validation/labels.ts";

/** Requirements in the order of their keys; "" selects everything. */
export function labelSelectorText(selector: LabelSelector): string {
  const parts: [key: string, text: string][] = Object.entries(selector.matchLabels ?? {})
    .map(([key, value]) => [key, `${key}=${value}`]);
  for (const { key = "", operator, values = [] } of selector.matchExpressions ?? []) {
    const list = [...values].sort().join(",");
    const text = operator === "In"
      ? `${key} in (${list})`
      : operator === "NotIn"
      ? `${key} notin (${list})`
      : operator === "Exists"
      ? key
      : `!${key}`;
    parts.push([key, text]);
  }
  return parts.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([, text]) => text).join(",");
}

/** `a=1,b=2`, in the order of the keys; `<none>` when there are none. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  return Object.keys(labels ?? {}).sort().map((key) => `${key}=${labels![key]}`).join(",") || "<none>";
}
