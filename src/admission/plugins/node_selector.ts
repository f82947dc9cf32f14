// Node selectors as text: `zone=a,disk=ssd`.
import { goFormat } from "../../machinery/go_text.ts";
import { formatFieldError, invalid, path } from "../../machinery/field_error.ts";
import { isLabelValue, isQualifiedName } from "../../machinery/validation/mod.ts";

/** Throws an Error that says what is wrong with the text. */
export function parseNodeSelector(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  if (text === "") return labels;
  for (const term of text.split(",")) {
    const parts = term.split("=");
    if (parts.length !== 2) throw new Error(`invalid selector: ${goFormat(parts)}`);
    const [key, value] = parts.map((part) => part.trim());
    const badKey = isQualifiedName(key), badValue = isLabelValue(value);
    if (badKey.length > 0) throw new Error(formatFieldError(invalid(path("<nil>"), key, badKey.join("; "))));
    if (badValue.length > 0) {
      throw new Error(formatFieldError(invalid(path().key(key), value, badValue.join("; "))));
    }
    labels[key] = value;
  }
  return labels;
}
