// The rules of CustomResourceDefinitions, which are read before the first is written.
import { hasRules } from "../../machinery/cel/schema/has_rules.ts";
import { type FieldError, path } from "../../machinery/field_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { loadRe2 } from "../../machinery/re2.ts";
import { nameIsDNSSubdomain, validateObjectMeta, validateObjectMetaUpdate } from "../../machinery/validation/mod.ts";
import { internalSpec } from "./internal_spec.ts";
import { schemasOf } from "./ratcheting.ts";
import { unknownFormats } from "./schema/formats.ts";
import { rootSchema } from "./schema/json_schema.ts";
import { sortRawValues } from "./schema/raw_values.ts";
import { loadRuleCompiler } from "./schema/rule_checker.ts";
import { type CustomResourceDefinition, recordStoredVersion } from "./types.ts";
import { validateDefinition, validateDefinitionUpdate } from "./validation.ts";

export { validateStatus } from "./validation.ts";

/** Brings in what compiles the expressions of a definition. */
export async function loadCompilers({ spec }: CustomResourceDefinition): Promise<void> {
  await loadRe2();
  if (schemasOf(internalSpec(spec ?? {})).some(hasRules)) await loadRuleCompiler();
}

/** Fills in what definitions say about themselves. */
export function prepare(crd: CustomResourceDefinition): void {
  recordStoredVersion(crd);
  for (const version of crd.spec?.versions ?? []) {
    const schema = rootSchema(version.schema);
    if (schema !== undefined) sortRawValues(schema);
  }
}

/** Its name says which resource of which group it is. */
function validateMetadata({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const wanted = `${spec?.names?.plural ?? ""}.${spec?.group ?? ""}`;
  return validateObjectMeta(metadata, {
    namespaced: false,
    path: path("metadata"),
    validateName: (name, prefix) => [
      ...nameIsDNSSubdomain(name, prefix),
      ...(name === wanted ? [] : ['must be spec.names.plural+"."+spec.group']),
    ],
  });
}

function unknownFormatsOf({ spec }: CustomResourceDefinition): string[] {
  return schemasOf(internalSpec(spec ?? {})).flatMap(unknownFormats);
}

/** About formats that nobody knows, and that the definition did not have before. */
export function warnings(crd: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const before = new Set(old && unknownFormatsOf(old));
  return unknownFormatsOf(crd).filter((format) => !before.has(format)).map((format) =>
    `unrecognized format ${goQuote(format)}`
  );
}

/** Everything wrong with a new definition. */
export function validate(crd: CustomResourceDefinition): FieldError[] {
  return [...validateMetadata(crd), ...validateDefinition(crd)];
}

/** Everything wrong with a change. */
export function validateUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  return [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata, { path: path("metadata"), standardFinalizers: false }),
    ...validateDefinitionUpdate(crd, old),
  ];
}
