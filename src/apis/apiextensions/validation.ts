// Everything that may be wrong with a CustomResourceDefinition, in the order and under the paths of kube-apiserver.
import { goJson, isPrintable } from "../../machinery/go_text.ts";
import {
  byteLength,
  collect,
  deepEqual,
  type Field,
  isDNS1123Subdomain,
  validateImmutable,
} from "../../machinery/validation/mod.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import type { CustomResourceDefinitionVersion } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import { API_APPROVED_ANNOTATION, apiApprovalOf, isCommunityGroup } from "./api_approval.ts";
import { validateConversion } from "./conversion.ts";
import { type InternalSpec, internalSpec, schemaOfVersion } from "./internal_spec.ts";
import { validateLabel, validateNames, validateRequiredNames } from "./names.ts";
import { validateColumn, validateSelectableFields, validateSubresources } from "./paths.ts";
import { schemasOf, STRICT, type Strictness, strictnessOfUpdate } from "./ratcheting.ts";
import { type JsonSchema, rootSchema, someSchema } from "./schema/json_schema.ts";
import { type SchemaOptions, validateSchema } from "./schema/mod.ts";
import { ruleChecker } from "./schema/rule_checker.ts";
import type { CustomResourceDefinition } from "./types.ts";

const SCOPES = ["Cluster", "Namespaced"];
const MAX_WARNING = 256;

/** Everything wrong with a new CRD but its metadata. */
export function validateDefinition(crd: CustomResourceDefinition): FieldError[] {
  return collect((root) => {
    const spec = internalSpec(crd.spec ?? {});
    validateSpec(spec, root.child("spec"), STRICT);
    validateStored(crd, spec, root);
    validateApproval(crd, undefined, root);
    validatePreserving(crd, root);
  });
}

export function validateDefinitionUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  return collect((root) => {
    const spec = internalSpec(crd.spec ?? {}), before = old.spec ?? {}, at = root.child("spec");
    const strictness = strictnessOfUpdate(spec, old);
    // What has not changed was looked at when it came.
    if (!deepEqual(crd.spec, old.spec)) validateSpec(spec, at, strictness);
    if (strictness.immutableNames()) {
      validateImmutable({ now: spec.scope, before: before.scope }, at.child("scope"));
      validateImmutable({ now: spec.names?.kind, before: before.names?.kind }, at.child("names", "kind"));
    }
    validateImmutable({ now: spec.group, before: before.group }, at.child("group"));
    validateImmutable({ now: spec.names?.plural, before: before.names?.plural }, at.child("names", "plural"));
    validateStored(crd, spec, root);
    validateApproval(crd, old, root);
    if (!before.preserveUnknownFields) validatePreserving(crd, root);
  });
}

export function validateStatus({ status = {} }: CustomResourceDefinition): FieldError[] {
  return collect((root) => validateNames(status.acceptedNames ?? {}, root.child("status", "acceptedNames")));
}

function validateStored({ status = {} }: CustomResourceDefinition, spec: InternalSpec, root: Field): void {
  validateNames(status.acceptedNames ?? {}, root.child("status", "acceptedNames"));
  const storedVersions = status.storedVersions ?? [], at = root.child("status", "storedVersions");
  if (storedVersions.length === 0) return at.invalid(null, "must have at least one stored version");
  for (const { name = "", storage } of spec.versions) {
    if (storage && !storedVersions.includes(name)) {
      at.invalid(storedVersions, `must have the storage version ${name}`);
    }
  }
  storedVersions.forEach((stored, i) => {
    if (spec.versions.some(({ name }) => name === stored)) return;
    at.index(i).invalid(
      stored,
      `missing from spec.versions; ${stored} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${stored} and removes ${stored} from status.storedVersions`,
    );
  });
}

function validateApproval(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  root: Field,
): void {
  if (!isCommunityGroup(crd.spec?.group ?? "")) return;
  const { state, message } = apiApprovalOf(crd.metadata.annotations);
  if (old !== undefined && apiApprovalOf(old.metadata.annotations).state === state) return;
  const at = root.child("metadata", "annotations").key(API_APPROVED_ANNOTATION);
  if (state === "Missing") at.required(message);
  if (state === "Invalid") at.invalid(crd.metadata.annotations?.[API_APPROVED_ANNOTATION] ?? "", message);
}

function validatePreserving({ spec }: CustomResourceDefinition, root: Field): void {
  if (!spec?.preserveUnknownFields) return;
  root.child("spec", "preserveUnknownFields").invalid(
    true,
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
  );
}

function validateSpec(spec: InternalSpec, at: Field, strictness: Strictness): void {
  const { group = "", scope = "", names = {}, conversion } = spec;
  validateGroup(group, at.child("group"));
  if (scope === "") at.child("scope").required();
  else if (!SCOPES.includes(scope)) at.child("scope").notSupportedInOrder(scope, SCOPES);
  validateSchemasPresent(spec, at, strictness);
  spec.versions.forEach((version, i) => validateVersion(spec, version, at.child("versions").index(i), strictness));
  validateVersions(spec, at);
  validateRequiredNames(names, at.child("names"));
  validateNames(names, at.child("names"));
  if (spec.validation) {
    const hasStatus = [spec, ...spec.versions].some((s) => s.subresources?.status !== undefined);
    validateSchema(spec.validation, at.child("validation"), schemaOptions(spec, hasStatus, strictness));
  }
  if (spec.subresources) validateSubresources(spec.subresources, at.child("subresources"));
  spec.additionalPrinterColumns?.forEach((column, i) =>
    validateColumn(column, at.child("additionalPrinterColumns").index(i))
  );
  validateSelectable(spec, at.child("selectableFields"), strictness);
  if (spec.preserveUnknownFields && conversion && conversion.strategy !== "None") {
    at.child("conversion", "strategy").invalid(
      conversion.strategy ?? "",
      "must be None if spec.preserveUnknownFields is true",
    );
  }
  if (conversion) {
    validateConversion(conversion, at.child("conversion"), {
      requireKnownReviewVersion: strictness.requireKnownReviewVersion(),
      allowInvalidCABundle: strictness.allowInvalidCABundle(),
    });
  }
}

function validateSelectable(spec: InternalSpec, at: Field, strictness: Strictness): void {
  const { selectableFields = [], validation } = spec, schema = rootSchema(validation);
  if (selectableFields.length === 0) return;
  if (validation === undefined) at.invalid("", "may only be set when validations.schema is included");
  if (schema) validateSelectableFields(selectableFields, schema, at, strictness.allowTooManySelectableFields(""));
}

function schemaOptions(spec: InternalSpec, hasStatus: boolean, strictness: Strictness): SchemaOptions {
  const some = (is: (schema: JsonSchema) => boolean) => schemasOf(spec).some((root) => someSchema(root, is));
  return {
    hasStatus,
    requireStructural: !spec.preserveUnknownFields || strictness.requireStructural() || some(needsStructure),
    requirePrunedDefaults: strictness.requirePrunedDefaults(),
    rules: ruleChecker(),
    keywords: {
      requireKnownTypes: strictness.requireKnownTypes(),
      requireAtomicSets: strictness.requireAtomicSets(),
      requireSoundMapKeys: strictness.requireSoundMapKeys(),
    },
  };
}

const STRUCTURE = [
  "default",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
] as const;

/** Whether a schema uses what only structural ones have. */
function needsStructure(schema: JsonSchema): boolean {
  return STRUCTURE.some((keyword) => schema[keyword] !== undefined);
}

function validateGroup(group: string, at: Field): void {
  if (group === "") return at.required();
  const problems = isDNS1123Subdomain(group);
  if (problems.length > 0) at.invalid(group, problems.join(","));
  else if (!group.includes(".")) at.invalid(group, "should be a domain with at least one dot");
}

function validateSchemasPresent(spec: InternalSpec, at: Field, strictness: Strictness): void {
  const all = strictness.requireSchema();
  if (all || !spec.preserveUnknownFields) {
    spec.versions.forEach((version, i) => {
      if (schemaOfVersion(spec, version) !== undefined || !(all || version.served)) return;
      const field = at.child("versions").index(i).child("schema", "openAPIV3Schema");
      field.required(all ? "" : "because otherwise all fields are pruned");
    });
  }
  if (!spec.preserveUnknownFields) return;
  if (schemasOf(spec).some((root) => someSchema(root, (schema) => schema.default !== undefined))) {
    at.child("preserveUnknownFields").invalid(true, "must be false in order to use defaults in the schema");
  }
}

function validateVersion(
  spec: InternalSpec,
  version: CustomResourceDefinitionVersion,
  at: Field,
  strictness: Strictness,
): void {
  const { name = "", schema, deprecationWarning, selectableFields = [] } = version;
  validateLabel(name, at.child("name"));
  if (deprecationWarning !== undefined) {
    validateDeprecationWarning(deprecationWarning, version.deprecated ?? false, at.child("deprecationWarning"));
  }
  if (schema) {
    const hasStatus = subresourcesOf(spec, version)?.status !== undefined;
    validateSchema(schema, at.child("schema"), schemaOptions(spec, hasStatus, strictness));
  }
  if (version.subresources) validateSubresources(version.subresources, at.child("subresources"));
  version.additionalPrinterColumns?.forEach((column, i) =>
    validateColumn(column, at.child("additionalPrinterColumns").index(i))
  );
  if (selectableFields.length === 0) return;
  const field = at.child("selectableFields"), root = rootSchema(schema);
  if (!root) {
    field.invalid("", "may only be set when `version.schema.openAPIV3Schema` is not included");
  } else {
    const allowTooMany = strictness.allowTooManySelectableFields(name);
    validateSelectableFields(selectableFields, root, field, allowTooMany);
  }
}

/** Of versions with the same name the first one counts. */
function subresourcesOf(spec: InternalSpec, { name }: CustomResourceDefinitionVersion) {
  if (!spec.versions.some(({ subresources }) => subresources)) return spec.subresources;
  return spec.versions.find((version) => version.name === name)?.subresources;
}

function validateDeprecationWarning(warning: string, deprecated: boolean, at: Field): void {
  // The value is shown as JSON, where other texts are quoted as in Go.
  const invalid = (detail: string) => at.invalidUnseen(`${goJson(warning)}: ${detail}`);
  if (!deprecated) return invalid("can only be set for deprecated versions");
  if (byteLength(warning) > MAX_WARNING) invalid(`must be <= ${MAX_WARNING} characters long`);
  if (warning === "") invalid("must not be an empty string");
  let index = 0;
  for (const character of warning) {
    if (!isPrintable(character)) {
      const what = "must only contain printable UTF-8 characters; non-printable character found at index";
      return invalid(`${what} ${index}`);
    }
    index += byteLength(character);
  }
}

/** The versions as a whole. */
function validateVersions({ versions, version, hasVersions }: InternalSpec, at: Field): void {
  const field = at.child("versions");
  const invalid = (detail: string) =>
    field.invalid(hasVersions ? versions.map((v) => internalForm("CustomResourceDefinitionVersion", v)) : null, detail);
  if (new Set(versions.map(({ name }) => name)).size < versions.length) invalid("must contain unique version names");
  if (versions.filter(({ storage }) => storage).length !== 1) {
    invalid("must have exactly one version marked as storage version");
  }
  if (version !== "") validateLabel(version, at.child("version"));
}
