// Validation of values against a schema, with the causes, words and order of kube-apiserver.
import type { FieldError, Path } from "../field_error.ts";
import type { Json } from "../types.ts";
import type { JSONSchema } from "../schema/structural_schema.ts";
import { compile } from "./compile.ts";
import { Run, unique } from "./run.ts";

export { type EmbeddedOptions, validateEmbedded } from "./embedded.ts";
export { formatIsKnown } from "./formats.ts";
export { validateListTypes } from "./list_types.ts";

export interface ValidateOptions {
  /** The field that the value is (`status`); unset, the value is the whole object and fields start at its members. */
  at?: Path;
  /** The value before an update. What is wrong in a part that has not changed is forgiven (ratcheting, KEP-4008). */
  old?: Json;
  /** The schema by which parts of both are found to be the same, where it is not the one that is checked. */
  correlation?: JSONSchema;
}

/** A schema that is ready to check values. */
export interface SchemaValidator {
  /** Everything wrong with a value: types, required members, bounds, patterns, formats, alternatives. */
  validate(value: Json, options?: ValidateOptions): FieldError[];
}

/**
 * Makes a validator of a schema. Its parts are compiled into closures when a value first reaches them, so that this
 * costs nothing by itself and each further check little: keep the validator as long as the schema.
 *
 * Not looked at here: {@link validateListTypes} (duplicates in sets and maps), {@link validateEmbedded} (embedded
 * objects) and x-kubernetes-validations.
 *
 * @example
 * ```ts
 * const validator = compileSchema({ type: "object", properties: { size: { type: "integer", minimum: 1 } } });
 * validator.validate({ size: 0 }); // [size: Invalid value: 0: size in body should be greater than or equal to 1]
 * // A default of a CustomResourceDefinition's schema, told of the field that has it:
 * compileSchema(schema).validate(schema.default, { at: path("spec", "versions").index(0).child("schema") });
 * ```
 */
export function compileSchema(schema: JSONSchema): SchemaValidator {
  const check = compile(schema);
  return {
    validate(value, { at, old, correlation = schema } = {}) {
      const run = new Run(at);
      check(value, run, old === undefined ? undefined : { value: old, schema: correlation });
      return unique(run.errors);
    },
  };
}
