// The rules of writing custom resources: what a client may set, what is checked, when the generation counts.
import type { Strategy } from "../apis/kind.ts";
import { sameJson } from "../machinery/apply/mod.ts";
import { type FieldError, invalid, Path, path } from "../machinery/field_error.ts";
import type { JSONSchema } from "../machinery/schema/structural_schema.ts";
import type { Json, JsonObject, KubeObject } from "../machinery/types.ts";
import { nameIsDNSSubdomain, validateObjectMeta, validateObjectMetaUpdate } from "../machinery/validation/mod.ts";
import { finalizerWarnings } from "./finalizer_warnings.ts";
import { ScaleFields } from "./scale_fields.ts";
import { validateEmbedded, validateListTypes } from "../machinery/schema_validation/mod.ts";
import type { RequestContext } from "../apis/context.ts";
import type { CustomVersion } from "./version.ts";

const ROOT = new Path("");
const METADATA = path("metadata");

/** The strategy of the resource itself. */
export function customStrategy(version: CustomVersion): Strategy {
  const hasStatus = version.digest.hasStatus;
  return {
    checksMetadata: true,
    prepareForCreate(object) {
      if (hasStatus) delete object.status;
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (hasStatus) {
        if (old.status === undefined) delete object.status;
        else object.status = old.status;
      }
      if (changed(object, old)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: (object) => validateCreate(version, object),
    validateUpdate: (object, old, context) => validateUpdate(version, { object, old, context }, { status: false }),
    warningsOnCreate: (object) => finalizerWarnings(object),
    warningsOnUpdate: (object, old) => finalizerWarnings(object, old),
    resetFields: hasStatus ? [["status"]] : undefined,
  };
}

/** The strategy of the status subresource: everything but the status stays as it was. */
export function customStatusStrategy(version: CustomVersion): Strategy {
  return {
    checksMetadata: true,
    prepareForUpdate(object, old) {
      const { status, metadata: { managedFields } } = object;
      for (const member of Object.keys(object)) delete object[member];
      Object.assign(object, structuredClone(old));
      if (managedFields === undefined) delete object.metadata.managedFields;
      else object.metadata.managedFields = managedFields;
      if (status === undefined) delete object.status;
      else object.status = status;
    },
    validateUpdate: (object, old, context) => validateUpdate(version, { object, old, context }, { status: true }),
    resetFields: [["metadata"], ["spec"]],
  };
}

/** Whether anything but metadata is new. */
function changed(object: KubeObject, old: KubeObject): boolean {
  const { metadata: _new, ...now } = object, { metadata: _old, ...before } = old;
  return !sameJson(now as JsonObject, before as JsonObject);
}

function validateCreate(version: CustomVersion, object: KubeObject): FieldError[] {
  const typeErrors = validateTypeMeta(version, object);
  const errors = typeErrors.length > 0 ? typeErrors : [
    ...validateObjectMeta(object.metadata, {
      namespaced: version.definition.namespaced,
      validateName: nameIsDNSSubdomain,
      path: METADATA,
    }),
    ...version.validator.validate(object as unknown as Json),
    ...validateScale(version, object, { spec: true }),
  ];
  errors.push(...validateEmbedded(object as unknown as Json, version.schema, { at: ROOT }));
  errors.push(...validateListTypes(object as unknown as Json, version.schema, ROOT));
  errors.push(...validateRules(version, object, errors));
  return errors;
}

interface Update {
  object: KubeObject;
  old: KubeObject;
  context: RequestContext;
}

/** @param options.status nothing but the status is written */
function validateUpdate(
  version: CustomVersion,
  { object, old, context }: Update,
  { status }: { status: boolean },
): FieldError[] {
  const typeErrors = validateTypeMeta(version, object);
  const errors = typeErrors.length > 0 ? typeErrors : [
    ...validateObjectMetaUpdate(object.metadata, old.metadata, { path: METADATA }),
    ...status
      ? validateStatus(version, object, old)
      : version.validator.validate(object as unknown as Json, { old: old as unknown as Json }),
    ...validateScale(version, object, { spec: !status }),
  ];
  if (!status) errors.push(...validateEmbedded(object as unknown as Json, version.schema, { at: ROOT }));
  errors.push(...newDuplicates(version.schema, object, old));
  errors.push(...validateRules(version, object, errors, { old, context }));
  return errors;
}

function validateStatus({ statusValidator }: CustomVersion, { status }: KubeObject, old: KubeObject): FieldError[] {
  if (status === undefined || statusValidator === undefined) return [];
  return statusValidator.validate(status, { at: path("status"), old: old.status });
}

/** Errors of these types leave an object in a shape of which rules could say little. */
const BLOCKING = new Set<FieldError["type"]>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** x-kubernetes-validations, unless the object is too wrong already. */
function validateRules(
  { rules }: CustomVersion,
  object: KubeObject,
  found: readonly FieldError[],
  update?: { old: KubeObject; context: RequestContext },
): FieldError[] {
  if (rules === undefined) return [];
  if (found.some(({ type }) => BLOCKING.has(type))) {
    const detail = "some validation rules were not checked because the object was invalid; correct the existing " +
      "errors to complete validation";
    return [invalid(new Path("<nil>"), null, detail)];
  }
  return rules.validate(object as unknown as Json, {
    old: update?.old as unknown as Json | undefined,
    warn: (message) => update?.context.addWarning(message),
  });
}

function validateTypeMeta({ gvk, apiVersion }: CustomVersion, object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== gvk.kind) errors.push(invalid(path("kind"), object.kind, `must be ${gvk.kind}`));
  if (object.apiVersion !== apiVersion) {
    errors.push(invalid(path("apiVersion"), object.apiVersion, `must be ${apiVersion}`));
  }
  return errors;
}

function validateScale(version: CustomVersion, object: KubeObject, { spec }: { spec: boolean }): FieldError[] {
  const { scale } = version.subresources;
  if (scale === undefined) return [];
  const fields = new ScaleFields(scale);
  return [...spec ? fields.validateSpec(object) : [], ...fields.validateStatus(object)];
}

/** Duplicates in sets and maps are forgiven as long as there were some before. */
function newDuplicates(schema: JSONSchema | undefined, object: KubeObject, old: KubeObject): FieldError[] {
  const errors = validateListTypes(object as unknown as Json, schema, ROOT);
  if (errors.length === 0) return errors;
  return validateListTypes(old as unknown as Json, schema, ROOT).length > 0 ? [] : errors;
}
