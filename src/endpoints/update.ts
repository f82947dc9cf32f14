// PUT: replaces an object, or creates it where the kind allows.
import { methodNotSupportedError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import { admit, createCommit, createValidation, updateValidation } from "./admission.ts";
import { answerResult, negotiateScope } from "./answer.ts";
import { readBody } from "./body.ts";
import { withCreateAuthorization } from "./create_authorization.ts";
import { decodeObject } from "./decode.ts";
import { updateManagedFields } from "./managed_fields.ts";
import { negotiateInput } from "./negotiation.ts";
import { checkName, dedupOwnerReferences, ensureNamespace } from "./object_meta.ts";
import { decodeWriteOptions, optionsAs, type WriteOptions } from "./options.ts";
import type { Scope } from "./scope.ts";

export async function updateResource(scope: Scope): Promise<Response> {
  const { storage, name } = scope;
  if (storage.update === undefined) throw methodNotSupportedError(scope.groupResource, "update");
  const output = negotiateScope(scope);
  const body = await readBody(scope.c.req.raw, scope.deps.maxBodyBytes);
  const options = decodeWriteOptions(scope.query, "UpdateOptions");
  const mediaType = negotiateInput(scope.headers);
  const first = givenObject(scope, body, mediaType, options);
  let object: KubeObject | undefined = first instanceof Promise ? await first : first;
  const { uid } = object.metadata;
  const transform = async (current: KubeObject | undefined) => {
    // What was made of it for another state of the stored object does not count: the body is read again, if need be.
    const given = object ?? await givenObject(scope, body, mediaType, options);
    object = undefined;
    const tracked = updateManagedFields(scope, current, given, options);
    if (tracked !== undefined) await tracked;
    return admitWrite(scope, given, current, options);
  };
  const { result, created } = await storage.update(scope.context, name, transform, {
    options: options.object,
    dryRun: options.dryRun,
    preconditions: uid ? { uid } : undefined,
    ...validations(scope, options),
  });
  return answerResult(scope, created ? 201 : 200, result, output);
}

/** The object of the body. Throws 400. */
function givenObject(
  scope: Scope,
  body: Uint8Array,
  mediaType: string,
  options: WriteOptions,
): KubeObject | Promise<KubeObject> {
  const object = decodeObject(scope, body, mediaType, options.fieldValidation);
  return object instanceof Promise ? object.then((o) => checkGiven(scope, o)) : checkGiven(scope, object);
}

function checkGiven(scope: Scope, object: KubeObject): KubeObject {
  delete object.metadata.selfLink;
  ensureNamespace(scope, object);
  checkName(scope, object);
  dedupOwnerReferences(scope, object, false);
  return object;
}

/** Mutating admission of a PUT or PATCH: an update, or a create when nothing is stored yet. */
export function admitWrite(
  scope: Scope,
  object: KubeObject,
  current: KubeObject | undefined,
  options: WriteOptions,
): KubeObject | Promise<KubeObject> {
  const { name } = scope;
  const { dryRun } = options;
  const request = isStored(current)
    ? { operation: "UPDATE", name, options: optionsAs(options, "UpdateOptions"), dryRun } as const
    : { operation: "CREATE", name, options: optionsAs(options, "CreateOptions"), dryRun } as const;
  const admitted = admit(scope, request, object, request.operation === "UPDATE" ? current : undefined);
  const dedup = () => {
    dedupOwnerReferences(scope, object, true);
    return object;
  };
  return admitted === undefined ? dedup() : admitted.then(dedup);
}

/** The hooks of a PUT or PATCH: what is asked right before the registry creates or updates. */
export function validations(scope: Scope, options: WriteOptions) {
  const { name } = scope;
  const { dryRun } = options;
  const create = { operation: "CREATE", name, options: optionsAs(options, "CreateOptions"), dryRun } as const;
  return {
    validateCreate: withCreateAuthorization(scope, createValidation(scope, create)),
    commitCreate: createCommit(scope, create),
    validateUpdate: updateValidation(scope, {
      operation: "UPDATE",
      name,
      options: optionsAs(options, "UpdateOptions"),
      dryRun,
    }),
  };
}

/** Storage hands an empty object over when there is none. */
export function isStored(current: KubeObject | undefined): current is KubeObject {
  return current?.metadata?.uid !== undefined;
}
