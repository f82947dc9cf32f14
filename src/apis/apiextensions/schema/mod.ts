// The schema of a CRD or of one of its versions.
import type { Field } from "../../../machinery/validation/mod.ts";
import type { CustomResourceValidation } from "../../../facts/generated/types.ts";
import { internalForm } from "../../internal_form.ts";
import type { JsonObject } from "../../../machinery/types.ts";
import { type JsonSchema, rootSchema } from "./json_schema.ts";
import { validateDefaults } from "./defaults.ts";
import { type KeywordOptions, validateKeywords } from "./keywords.ts";
import type { RuleChecker } from "./rules.ts";
import { structuralConflict, validateStructural } from "./structural.ts";

/** What may stand at the root of a schema whose status is validated by itself, under Go's names. */
const WITH_STATUS = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

export interface SchemaOptions {
  /** Whether objects have a status subresource. */
  hasStatus: boolean;
  requireStructural: boolean;
  keywords: Omit<KeywordOptions, "rules">;
  requirePrunedDefaults: boolean;
  /** Looks at rules, where the schema is sound. */
  rules?: RuleChecker;
}

/** `at` is the place that has the schema: `spec.validation`. */
export function validateSchema(
  validation: CustomResourceValidation,
  at: Field,
  { hasStatus, requireStructural, keywords, requirePrunedDefaults, rules }: SchemaOptions,
): void {
  const schema = rootSchema(validation);
  if (!schema) return;
  const before = at.count, field = at.child("openAPIV3Schema");
  if (hasStatus) validateRoot(schema, at);
  if (schema.nullable) at.child("openAPIV3Schema.nullable").forbidden("nullable cannot be true at the root");
  const conflict = requireStructural ? structuralConflict(schema) : undefined;
  let sound = false;
  if (requireStructural && conflict === undefined) {
    const errors = at.count;
    validateStructural(schema, field);
    if (at.count === errors) validateDefaults(schema, field, { requirePruned: requirePrunedDefaults, rules });
    sound = at.count === errors;
  }
  validateKeywords(schema, field, { ...keywords, rules: sound ? rules : undefined });
  // The walk over keywords tells most conflicts better.
  if (conflict !== undefined && at.count === before) field.invalid("", conflict);
}

/** Status is validated by the schema of its own property: what stands beside the properties would be lost. */
function validateRoot(schema: JsonSchema, at: Field): void {
  const shown = internalForm("JSONSchemaProps", schema) as JsonObject;
  for (const [name, value] of Object.entries(shown)) {
    if (value === null || value === "" || value === false) continue;
    if (name === "Type" && value !== "object") {
      return at.child("openAPIV3Schema.type").invalid(
        value,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      );
    }
    if (WITH_STATUS.includes(name)) continue;
    return at.child("openAPIV3Schema").invalid(
      shown,
      `only [${
        WITH_STATUS.join(" ")
      }] fields are allowed at the root of the schema if the status subresource is enabled`,
    );
  }
}
