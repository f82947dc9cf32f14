// A label selector as text, as Kubernetes prints one: `app=web,tier in (a,b),!old`.
import type { JsonObject } from "../machinery/types.ts";

interface Expression {
  key: string;
  operator: string;
  values?: string[];
}

/** Requirements in the order of their keys; "" selects everything. */
export function labelSelectorText(selector: JsonObject): string {
  const labels = Object.entries((selector.matchLabels ?? {}) as Record<string, string>);
  const expressions = (selector.matchExpressions ?? []) as unknown as Expression[];
  const parts: [key: string, text: string][] = labels.map(([key, value]) => [key, `${key}=${value}`]);
  for (const { key, operator, values = [] } of expressions) {
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
