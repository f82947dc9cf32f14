// POST: creates an object, or does what a subresource does with one.
import { methodNotSupportedError } from "../machinery/errors.ts";
import { RequestAdmission } from "./admission.ts";
import { answerResult, negotiateScope } from "./answer.ts";
import { readBody } from "./body.ts";
import { decodeObject } from "./decode.ts";
import { updateManagedFields } from "./managed_fields.ts";
import { negotiateInput } from "./negotiation.ts";
import { dedupOwnerReferences, ensureNamespace, wipeSystemFields } from "./object_meta.ts";
import { decodeWriteOptions } from "./options.ts";
import type { Scope } from "./scope.ts";

/** Subresources whose object says which pod or service account it is about by uid and resourceVersion. */
const KEEPS_SYSTEM_FIELDS = new Set(["binding", "token"]);

export async function createResource(scope: Scope): Promise<Response> {
  const { storage, subresource } = scope;
  if (storage.create === undefined) throw methodNotSupportedError(scope.groupResource, "create");
  const output = negotiateScope(scope);
  const mediaType = negotiateInput(scope.headers);
  const body = await readBody(scope.c.req.raw, scope.deps.maxBodyBytes);
  const options = decodeWriteOptions(scope.query, "CreateOptions");
  const decoded = decodeObject(scope, body, mediaType, options.fieldValidation);
  const object = decoded instanceof Promise ? await decoded : decoded;
  if (subresource === undefined || !KEEPS_SYSTEM_FIELDS.has(subresource.name)) wipeSystemFields(object.metadata);
  ensureNamespace(scope, object);
  dedupOwnerReferences(scope, object, false);
  const name = scope.name !== "" ? scope.name : object.metadata.name ?? "";
  const tracked = updateManagedFields(scope, undefined, object, options);
  if (tracked !== undefined) await tracked;
  const { dryRun } = options;
  const admission = new RequestAdmission(scope, { operation: "CREATE", name, options: options.object, dryRun });
  const admitted = admission.admit(object);
  if (admitted !== undefined) await admitted;
  ensureNamespace(scope, object); // A webhook may have said another one.
  dedupOwnerReferences(scope, object, true);
  const result = await storage.create(scope.context, name, object, {
    options: options.object,
    dryRun,
    validate: (object) => admission.validate(object),
    commit: (object) => admission.commit(object),
  });
  return answerResult(scope, 201, result, output);
}
