// Runs the admission chain for the verbs.
import type { AdmissionAttributes, AdmissionKind, AdmissionOperation } from "../admission/interface.ts";
import { decode } from "../machinery/codec/decode.ts";
import { apiVersionOf, type JsonObject, type KubeObject } from "../machinery/types.ts";
import type { ValidateObject } from "../registry/rest.ts";
import type { ServedKind } from "../registry/resource.ts";
import type { Scope } from "./scope.ts";

export interface AdmissionRequest {
  operation: AdmissionOperation;
  /** "" when it is not known yet (generateName). */
  name: string;
  /** Options of the verb as sent, with their kind. */
  options: JsonObject;
  dryRun: boolean;
}

function attributesOf(
  scope: Scope,
  request: AdmissionRequest,
  object: KubeObject | undefined,
  oldObject: KubeObject | undefined,
): AdmissionAttributes {
  const { resource, context, kind } = scope;
  const { group, version } = resource;
  const name = nameOf(request, object);
  const isNamespace = resource.resource === "namespaces" && group === "";
  return {
    ...request,
    name,
    kind: kind.gvk,
    served: admissionKind(kind),
    resource: { group, version, resource: resource.resource },
    subresource: scope.subresource?.name ?? "",
    namespace: isNamespace ? name : scope.namespace,
    object,
    oldObject,
    user: context.user,
    addWarning: context.addWarning,
    addAuditAnnotation: context.addAuditAnnotation,
    signal: context.signal,
    reinvocation: { isReinvoke: false, shouldReinvoke: false, memory: new Map() },
  };
}

function nameOf({ name }: AdmissionRequest, object: KubeObject | undefined): string {
  return name !== "" ? name : object?.metadata?.name ?? "";
}

const kinds = new WeakMap<ServedKind, AdmissionKind>();

function admissionKind(kind: ServedKind): AdmissionKind {
  let known = kinds.get(kind);
  if (known === undefined) {
    known = {
      gvk: kind.gvk,
      // Options of CONNECT have none.
      get type() {
        return kind.type;
      },
      custom: kind.custom,
      decode: (value) => decode(kind.type, value, {}).object,
      setDefaults: (object) => kind.setDefaults(object),
      toStored: (object) => kind.toStored(object),
      fromStored: (object) => kind.fromStored(object),
      inVersion(apiVersion) {
        const other = apiVersion === apiVersionOf(kind.gvk) ? kind : kind.inVersion?.(apiVersion);
        return other && admissionKind(other);
      },
    };
    kinds.set(kind, known);
  }
  return known;
}

/** Admission of a request in its steps; whatever plugins are told in one step is true in the next. */
export class RequestAdmission {
  readonly #scope: Scope;
  readonly #request: AdmissionRequest;
  /** Of the last step: most requests keep their objects all the way. */
  #attributes: AdmissionAttributes | undefined;

  constructor(scope: Scope, request: AdmissionRequest) {
    this.#scope = scope;
    this.#request = request;
  }

  /** Mutating plugins change the object in place. */
  admit(object: KubeObject | undefined, oldObject?: KubeObject): void | Promise<void> {
    const { admission } = this.#scope.deps;
    if (admission.handles(this.#request.operation)) return admission.admit(this.#about(object, oldObject));
  }

  /** What the registry asks right before it writes. */
  validate(object: KubeObject | undefined, oldObject?: KubeObject): void | Promise<void> {
    const { admission } = this.#scope.deps;
    if (admission.handles(this.#request.operation)) return admission.validate(this.#about(object, oldObject));
  }

  /** What the registry asks when it is about to write a new object. */
  commit(object: KubeObject): void {
    this.#scope.deps.admission.commit(this.#about(object, undefined));
  }

  #about(object: KubeObject | undefined, oldObject: KubeObject | undefined): AdmissionAttributes {
    const known = this.#attributes, name = nameOf(this.#request, object);
    if (known?.object === object && known?.oldObject === oldObject && known?.name === name) return known!;
    return this.#attributes = attributesOf(this.#scope, this.#request, object, oldObject);
  }
}

/** What the registry calls right before it deletes: plugins that change objects see deletions too. */
export function deleteValidation(scope: Scope, request: AdmissionRequest): ValidateObject | undefined {
  const { admission } = scope.deps;
  if (!admission.handles(request.operation)) return undefined;
  return (old) => {
    const attributes = attributesOf(scope, request, undefined, old);
    const pending = admission.admit(attributes);
    return pending === undefined ? admission.validate(attributes) : pending.then(() => admission.validate(attributes));
  };
}
