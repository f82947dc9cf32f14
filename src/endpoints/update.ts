// PUT: replaces an object, or creates it where the kind allows.
import { methodNotSupportedError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { UpdateOptions } from "../registry/rest.ts";
import { RequestAdmission } from "./admission.ts";
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
  const { uid } = object.metadata, admission = new WriteAdmission(scope, options);
  const transform = async (current: KubeObject | undefined) => {
    // What was made of it for another state of the stored object does not count: the body is read again, if need be.
    const given = object ?? await givenObject(scope, body, mediaType, options);
    object = undefined;
    const tracked = updateManagedFields(scope, current, given, options);
    if (tracked !== undefined) await tracked;
    return admission.admit(given, current);
  };
  const { result, created } = await storage.update(scope.context, name, transform, {
    options: options.object,
    dryRun: options.dryRun,
    preconditions: uid ? { uid } : undefined,
    ...admission.hooks(),
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

/** Admission of a PUT or PATCH: of an update, or of a create when nothing is stored yet. */
export class WriteAdmission {
  readonly #scope: Scope;
  readonly #options: WriteOptions;
  #creating: RequestAdmission | undefined;
  #updating: RequestAdmission | undefined;

  constructor(scope: Scope, options: WriteOptions) {
    this.#scope = scope;
    this.#options = options;
  }

  get #create(): RequestAdmission {
    return this.#creating ??= this.#of("CREATE", "CreateOptions");
  }

  get #update(): RequestAdmission {
    return this.#updating ??= this.#of("UPDATE", "UpdateOptions");
  }

  #of(operation: "CREATE" | "UPDATE", kind: string): RequestAdmission {
    const { name } = this.#scope, { dryRun } = this.#options;
    return new RequestAdmission(this.#scope, { operation, name, options: optionsAs(this.#options, kind), dryRun });
  }

  /** The object as mutating admission leaves it. */
  admit(object: KubeObject, current: KubeObject | undefined): KubeObject | Promise<KubeObject> {
    const admitted = isStored(current) ? this.#update.admit(object, current) : this.#create.admit(object);
    const check = () => {
      ensureNamespace(this.#scope, object);
      dedupOwnerReferences(this.#scope, object, true);
      return object;
    };
    return admitted === undefined ? check() : admitted.then(check);
  }

  /** What the registry asks right before it creates or updates. */
  hooks(): Pick<UpdateOptions, "validateCreate" | "commitCreate" | "validateUpdate"> {
    return {
      validateCreate: withCreateAuthorization(this.#scope, (object) => this.#create.validate(object)),
      commitCreate: (object) => this.#create.commit(object),
      validateUpdate: (object, old) => this.#update.validate(object, old),
    };
  }
}

/** Storage hands an empty object over when there is none. */
export function isStored(current: KubeObject | undefined): current is KubeObject {
  return current?.metadata?.uid !== undefined;
}
