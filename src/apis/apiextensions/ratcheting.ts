// What an update may leave as it is although a new CRD may not have it: rules grew stricter over the years.
import { caBundleProblem, deepEqual } from "../../machinery/validation/mod.ts";
import { isConditionTrue } from "./conditions.ts";
import { hasKnownReviewVersion } from "./conversion.ts";
import { type InternalSpec, internalSpec, schemaOfVersion } from "./internal_spec.ts";
import { MAX_SELECTABLE_FIELDS } from "./paths.ts";
import { type JsonSchema, rootSchema, someSchema } from "./schema/json_schema.ts";
import { isKnownType } from "./schema/keywords.ts";
import { hasAtomicItems, hasSoundMapKeys } from "./schema/lists.ts";
import { isStructural } from "./schema/structural.ts";
import { hasUnknownFields } from "./schema/unknown_fields.ts";
import type { CustomResourceDefinition } from "./types.ts";

/** Each member is a question that is only looked into when it matters. */
export interface Strictness {
  /** Kind and scope cannot be changed any more. */
  immutableNames(): boolean;
  requireSchema(): boolean;
  requireStructural(): boolean;
  requirePrunedDefaults(): boolean;
  requireKnownTypes(): boolean;
  requireAtomicSets(): boolean;
  requireSoundMapKeys(): boolean;
  requireKnownReviewVersion(): boolean;
  allowInvalidCABundle(): boolean;
  /** @param version a version's name, or "" for fields that all versions have */
  allowTooManySelectableFields(version: string): boolean;
}

const always = () => true, never = () => false;

/** Of a new CRD. Its certificates may still be put right: until then it is not established. */
export const STRICT: Strictness = {
  immutableNames: never,
  requireSchema: always,
  requireStructural: always,
  requirePrunedDefaults: always,
  requireKnownTypes: always,
  requireAtomicSets: always,
  requireSoundMapKeys: always,
  requireKnownReviewVersion: always,
  allowInvalidCABundle: always,
  allowTooManySelectableFields: never,
};

export function strictnessOfUpdate(spec: InternalSpec, old: CustomResourceDefinition): Strictness {
  const before = internalSpec(old.spec ?? {});
  const established = isConditionTrue(old, "Established");
  const all = (is: (schema: JsonSchema) => boolean) => () =>
    schemasOf(before).every((root) => !someSchema(root, (schema) => !is(schema)));
  const webhook = before.conversion?.webhook, reviewVersions = webhook?.conversionReviewVersions ?? [];
  return {
    immutableNames: () => established,
    requireSchema: () => before.versions.every((version) => schemaOfVersion(before, version) !== undefined),
    requireStructural: () => schemasOf(before).every(isStructural),
    requirePrunedDefaults: all((schema) => !hasUnknownFields(schema.default, schema)),
    requireKnownTypes: all(({ type }) => !type || isKnownType(type)),
    requireAtomicSets: all(hasAtomicItems),
    requireSoundMapKeys: all(hasSoundMapKeys),
    requireKnownReviewVersion: () => reviewVersions.length === 0 || hasKnownReviewVersion(reviewVersions),
    allowInvalidCABundle: () => !established || caBundleProblem(webhook?.clientConfig?.caBundle ?? "") !== undefined,
    allowTooManySelectableFields(version) {
      const fieldsOf = (s: InternalSpec) =>
        version === "" ? s.selectableFields : s.versions.find((v) => v.name === version)?.selectableFields;
      const fields = fieldsOf(before);
      return (fields?.length ?? 0) > MAX_SELECTABLE_FIELDS && deepEqual(fields, fieldsOf(spec));
    },
  };
}

/** Every schema of a spec, that of all versions once. */
export function schemasOf(spec: InternalSpec): JsonSchema[] {
  const schemas = [spec.validation, ...spec.versions.map((version) => version.schema)];
  return schemas.flatMap((schema) => rootSchema(schema) ?? []);
}
