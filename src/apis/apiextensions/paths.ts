// What a CRD says of single fields: columns, scale and status subresources, selectable fields.
import type { Field } from "../../machinery/validation/mod.ts";
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
  SelectableField,
} from "../../facts/generated/types.ts";
import { resolveFieldPath } from "../../machinery/schema/field_path.ts";
import type { JsonSchema } from "./schema/json_schema.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const SELECTABLE_TYPES = ["string", "boolean", "integer"];

/** Selectable fields of one version. */
export const MAX_SELECTABLE_FIELDS = 8;

/** Only its start is looked at. False when there is something wrong with it. */
function validateJsonPath(text: string, at: Field): boolean {
  if (text.startsWith(".")) return true;
  at.invalid(text, "must be a simple json path starting with .");
  return false;
}

export function validateColumn(column: CustomResourceColumnDefinition, at: Field): void {
  const { name, type, format, jsonPath } = column, types = `must be one of ${COLUMN_TYPES.join(",")}`;
  if (!name) at.child("name").required();
  if (!type) at.child("type").required(types);
  else if (!COLUMN_TYPES.includes(type)) at.child("type").invalid(type, types);
  if (format && !COLUMN_FORMATS.includes(format)) {
    at.child("format").invalid(format, `must be one of ${COLUMN_FORMATS.join(",")}`);
  }
  if (!jsonPath) at.child("JSONPath").required();
  else validateJsonPath(jsonPath, at.child("JSONPath"));
}

export function validateSubresources({ scale }: CustomResourceSubresources, at: Field): void {
  if (!scale) return;
  validateScalePath(scale.specReplicasPath, at.child("scale.specReplicasPath"), [".spec."], ".spec");
  validateScalePath(scale.statusReplicasPath, at.child("scale.statusReplicasPath"), [".status."], ".status");
  if (!scale.labelSelectorPath) return;
  const field = at.child("scale.labelSelectorPath");
  validateScalePath(scale.labelSelectorPath, field, [".spec.", ".status."], "either .spec or .status");
}

function validateScalePath(text: string | undefined, at: Field, starts: readonly string[], under: string): void {
  if (!text) return at.required();
  if (!validateJsonPath(text, at) || starts.some((start) => text.startsWith(start))) return;
  at.invalid(text, `should be a json path under ${under}`);
}

/** @param allowTooMany as there were before */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: JsonSchema,
  at: Field,
  allowTooMany: boolean,
): void {
  const seen = new Set<string>();
  fields.forEach(({ jsonPath = "" }, i) => {
    const field = at.index(i).child("jsonPath");
    if (jsonPath === "") return field.required();
    const found = resolveFieldPath(jsonPath, schema, { brackets: false });
    if ("problem" in found) return field.invalid(jsonPath, `is an invalid path: ${found.problem}`);
    if (found.segments[0] === "metadata") field.invalid(jsonPath, "must not point to fields in metadata");
    if (!SELECTABLE_TYPES.includes(found.schema?.type ?? "")) {
      field.invalid(
        jsonPath,
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
      );
    }
    if (seen.has(found.path.text)) field.duplicate(jsonPath);
    seen.add(found.path.text);
  });
  if (seen.size > MAX_SELECTABLE_FIELDS && !allowTooMany) at.tooMany(seen.size, MAX_SELECTABLE_FIELDS);
}
