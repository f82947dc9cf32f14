// CustomResourceDefinitions: kinds that a user adds to the API.
import { hasRules } from "../../machinery/cel/schema/has_rules.ts";
import { type FieldError, path } from "../../machinery/field_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { loadRe2 } from "../../machinery/re2.ts";
import { nameIsDNSSubdomain, validateObjectMeta, validateObjectMetaUpdate } from "../../machinery/validation/mod.ts";
import type { CustomResourceDefinitionSpec } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { internalSpec } from "./internal_spec.ts";
import { schemasOf } from "./ratcheting.ts";
import { unknownFormats } from "./schema/formats.ts";
import { rootSchema } from "./schema/json_schema.ts";
import { sortRawValues } from "./schema/raw_values.ts";
import { loadRuleCompiler } from "./schema/rule_checker.ts";
import { APIEXTENSIONS_GROUP, type CustomResourceDefinition, storageVersion } from "./types.ts";
import { validateDefinition, validateDefinitionUpdate, validateStatus } from "./validation.ts";

const WEBHOOK_PORT = 443;

function setSpecDefaults(spec: CustomResourceDefinitionSpec): void {
  const names = spec.names ??= {};
  names.singular ||= (names.kind ?? "").toLowerCase() || undefined;
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= WEBHOOK_PORT;
}

/** Objects may be stored in every version that has ever been the storage version. */
function recordStoredVersion(crd: CustomResourceDefinition): void {
  const version = storageVersion(crd);
  if (version === undefined) return;
  crd.status ??= {};
  const stored = crd.status.storedVersions ?? [];
  if (!stored.includes(version)) crd.status.storedVersions = [...stored, version];
}

function prepare(crd: CustomResourceDefinition): void {
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

function formatWarnings(formats: readonly string[]): string[] {
  return formats.map((format) => `unrecognized format ${goQuote(format)}`);
}

export const customResourceDefinition: KindDefinition<CustomResourceDefinition> = {
  gvk: { group: APIEXTENSIONS_GROUP, version: "v1", kind: "CustomResourceDefinition" },
  resource: "customresourcedefinitions",
  async load({ spec }) {
    await loadRe2();
    if (schemasOf(internalSpec(spec ?? {})).some(hasRules)) await loadRuleCompiler();
  },
  generation: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  setDefaults(crd) {
    setSpecDefaults(crd.spec ??= {});
    if (!crd.status?.storedVersions?.length) recordStoredVersion(crd);
  },
  prepareForCreate(crd) {
    crd.status = {};
    prepare(crd);
  },
  prepareForUpdate: prepare,
  checksMetadata: true,
  validate: (crd) => [...validateMetadata(crd), ...validateDefinition(crd)],
  warningsOnCreate: (crd) => formatWarnings(unknownFormatsOf(crd)),
  validateUpdate: (crd, old) => [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata, { path: path("metadata"), standardFinalizers: false }),
    ...validateDefinitionUpdate(crd, old),
  ],
  warningsOnUpdate(crd, old) {
    const before = new Set(unknownFormatsOf(old));
    return formatWarnings(unknownFormatsOf(crd).filter((format) => !before.has(format)));
  },
  subresources: { status: { validateUpdate: validateStatus } },
};
