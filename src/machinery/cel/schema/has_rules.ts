// Whether the expression language is needed at all.
import { anywhere, type JSONSchema } from "../../schema/structural_schema.ts";

/** Whether a schema or one in it has rules. */
export const hasRules: (schema: JSONSchema) => boolean = anywhere((schema) =>
  (schema["x-kubernetes-validations"] ?? []).length > 0
);
