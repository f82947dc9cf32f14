// PATCH: changes an object by a JSON patch, a merge patch, a strategic merge patch or a server-side apply.
import { clone } from "../machinery/clone.ts";
import { decode, DecodeError } from "../machinery/codec/decode.ts";
import {
  badRequestError,
  conflictError,
  invalidError,
  methodNotSupportedError,
  notFoundError,
  type StatusError,
  statusError,
  unsupportedMediaTypeError,
} from "../machinery/errors.ts";
import { invalid, path } from "../machinery/field_error.ts";
import { PatchError, restoreProblem } from "../machinery/patch/mod.ts";
import type { StructType } from "../machinery/schema/model.ts";
import { apiVersionOf, type JsonObject, type KubeObject } from "../machinery/types.ts";
import { answerResult, negotiateScope } from "./answer.ts";
import { applyConfiguration } from "./apply.ts";
import { readBody } from "./body.ts";
import { kindOfObject } from "./decode.ts";
import { updateManagedFields } from "./managed_fields.ts";
import { checkName, ensureNamespace } from "./object_meta.ts";
import { decodeWriteOptions, type WriteOptions } from "./options.ts";
import { type Patched, patchObject } from "./patch_mechanism.ts";
import { APPLY_PATCH, CUSTOM_PATCH_TYPES, PATCH_TYPES } from "./patch_type.ts";
import type { Scope } from "./scope.ts";
import { strangerType } from "./stranger.ts";
import { isStored, WriteAdmission } from "./update.ts";

export async function patchResource(scope: Scope): Promise<Response> {
  const { storage, name } = scope;
  if (storage.update === undefined) throw methodNotSupportedError(scope.groupResource, "patch");
  const type = patchTypeOf(scope);
  const output = negotiateScope(scope);
  const body = await readBody(scope.c.req.raw, scope.deps.maxBodyBytes);
  const options = decodeWriteOptions(scope.query, "PatchOptions", type === APPLY_PATCH);
  const admission = new WriteAdmission(scope, options);
  const transform = async (current: KubeObject | undefined) => {
    const object = type === APPLY_PATCH
      ? await applyConfiguration(scope, body, isStored(current) ? current : undefined, options)
      : await patchStored(scope, type, body, current, options);
    checkPatched(scope, object, current);
    return admission.admit(object, current);
  };
  const { result, created } = await storage.update(scope.context, name, transform, {
    options: options.object,
    dryRun: options.dryRun,
    forceAllowCreate: type === APPLY_PATCH,
    ...admission.hooks(),
  });
  return await answerResult(scope, created ? 201 : 200, result, output);
}

/** The stored object with the patch applied and its managedFields kept up, in the stored version. */
async function patchStored(
  scope: Scope,
  type: string,
  body: Uint8Array,
  current: KubeObject | undefined,
  options: WriteOptions,
): Promise<KubeObject> {
  if (!isStored(current)) throw notFoundError(scope.groupResource, scope.name);
  const served = await scope.kind.fromStored(clone(current));
  const patched = toObject(scope, patch(scope, type, body, served, options), options);
  const object = await scope.kind.toStored(patched);
  await updateManagedFields(scope, current, object, options);
  return object;
}

/** Throws 415. */
function patchTypeOf({ headers, resource }: Scope): string {
  const types = resource.kind.custom ? CUSTOM_PATCH_TYPES : PATCH_TYPES;
  const type = (headers.get("content-type") ?? "").split(";", 1)[0];
  if (types.includes(type)) return type;
  throw unsupportedMediaTypeError(
    `the body of the request was in an unknown format - accepted media types include: ${types.join(", ")}`,
  );
}

function patch(
  scope: Scope,
  type: string,
  body: Uint8Array,
  current: KubeObject,
  options: WriteOptions,
): Patched {
  try {
    const strict = options.fieldValidation !== "Ignore";
    return patchObject({ type, body, strict, schema: scope.kind.type }, current as unknown as JsonObject);
  } catch (error) {
    throw error instanceof PatchError ? refusalOf(error) : error;
  }
}

function refusalOf({ kind, message }: PatchError): StatusError {
  switch (kind) {
    case "malformed":
      return badRequestError(message);
    case "inapplicable":
      return statusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
    case "broken":
      return statusError(500, "", message);
  }
}

/** What the patch made as an object of the served version, defaults filled in. Throws 422. */
function toObject(scope: Scope, { value, problems, patch, shown }: Patched, options: WriteOptions): KubeObject {
  const { kind } = scope;
  const refuse = (why: string) => invalidError({ group: "", kind: "" }, "", [invalid(path("patch"), shown(), why)]);
  const typed: JsonObject = { ...value, kind: kind.gvk.kind, apiVersion: apiVersionOf(kind.gvk) };
  if (kind.custom && (value.kind !== typed.kind || value.apiVersion !== typed.apiVersion)) {
    return toStranger(scope, value, { problems, refuse }, options);
  }
  if (patch !== undefined) {
    // A strategic merge patch cannot change what the object is.
    const problem = restoreProblem(kind.type, value);
    if (problem !== undefined) throw refuse(problem);
  } else {
    const gvk = kindOfObject(kind, value);
    if (gvk?.kind !== typed.kind || apiVersionOf(gvk!) !== typed.apiVersion) {
      throw refuse(
        `unable to decode ${value.apiVersion}, Kind=${value.kind} into ${typed.apiVersion}, Kind=${typed.kind}`,
      );
    }
  }
  const object = decodePatched(kind.type, typed, { problems, refuse });
  reportProblems(scope, { problems, refuse }, options);
  kind.setDefaults(object);
  return object;
}

/** What is found in a patch, and how it is refused. */
interface Findings {
  problems: string[];
  refuse(why: string): StatusError;
}

/** A custom resource that claims to be something else: validation will refuse it. */
function toStranger(scope: Scope, value: JsonObject, findings: Findings, options: WriteOptions): KubeObject {
  const { kind } = scope, type = strangerType(kind, kindOfObject(kind, value));
  const object = decodePatched(type, value, findings);
  reportProblems(scope, findings, options);
  return object;
}

function decodePatched(type: StructType, value: JsonObject, { problems, refuse }: Findings): KubeObject {
  try {
    const { object, strictErrors } = decode(type, value);
    problems.push(...strictErrors);
    object.metadata ??= {};
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message);
    throw error;
  }
}

function reportProblems(scope: Scope, { problems, refuse }: Findings, options: WriteOptions): void {
  if (problems.length > 0 && options.fieldValidation === "Strict") {
    throw refuse(`strict decoding error: ${problems.join(", ")}`);
  }
  if (options.fieldValidation === "Warn") { for (const problem of problems) scope.addWarning(problem); }
}

/** The object of a patch is still the one of the path. */
function checkPatched(scope: Scope, object: KubeObject, current: KubeObject | undefined): void {
  const { uid } = object.metadata;
  if (uid && !isStored(current)) {
    throw conflictError(
      scope.groupResource,
      scope.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
  ensureNamespace(scope, object);
  checkName(scope, object);
}
