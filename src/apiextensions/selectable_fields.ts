// Fields of custom resources that field selectors may name (KEP-4358).
import type { SelectableField } from "../facts/generated/types.ts";
import { goNumber } from "../machinery/go_text.ts";
import type { Json, KubeObject } from "../machinery/types.ts";
import { findFirst, parseJsonPath } from "./jsonpath/mod.ts";

/** `.spec.color` → `spec.color`. */
export function fieldNames(fields: readonly SelectableField[] = []): string[] {
  return fields.map(({ jsonPath = "" }) => jsonPath.replace(/^\./, ""));
}

/** Fields by their names; what is not there is "". */
export type FieldsReader = (object: KubeObject) => Record<string, string>;

/** Reads the fields off an object. Undefined when there are none to read. */
export function fieldsReader(fields: readonly SelectableField[]): FieldsReader | undefined {
  if (fields.length === 0) return undefined;
  const names = fieldNames(fields), paths = fields.map(({ jsonPath = "" }) => parseJsonPath(jsonPath));
  return (object) =>
    Object.fromEntries(paths.map((path, i) => [names[i], text(findFirst(path, object as unknown as Json))]));
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "number" ? goNumber(value) : String(value);
}
