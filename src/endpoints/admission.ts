// Runs the admission chain for the verbs.
import type { AdmissionAttributes, AdmissionKind, AdmissionOperation } from "../admission/interface.ts";
import { decode } from "../machinery/codec/decode.ts";
import { apiVersionOf, type JsonObject, type KubeObject } from "../machinery/types.ts";
import type { CommitObject, ValidateObject, ValidateUpdate } from "../registry/rest.ts";
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
  const name = request.name !== "" ? request.name : object?.metadata?.name ?? "";
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

/** Mutating plugins change the object in place. */
export function admit(
  scope: Scope,
  request: AdmissionRequest,
  object: KubeObject | undefined,
  oldObject?: KubeObject,
): void | Promise<void> {
  const { admission } = scope.deps;
  if (!admission.handles(request.operation)) return;
  return admission.admit(attributesOf(scope, request, object, oldObject));
}

/** What the registry calls right before it creates. */
export function createValidation(scope: Scope, request: AdmissionRequest): ValidateObject | undefined {
  const { admission } = scope.deps;
  if (!admission.handles(request.operation)) return undefined;
  return (object) => admission.validate(attributesOf(scope, request, object, undefined));
}

/** What the registry calls when it is about to write a new object. */
export function createCommit(scope: Scope, request: AdmissionRequest): CommitObject {
  return (object) => scope.deps.admission.commit(attributesOf(scope, request, object, undefined));
}

/** What the registry calls right before it updates. */
export function updateValidation(scope: Scope, request: AdmissionRequest): ValidateUpdate | undefined {
  const { admission } = scope.deps;
  if (!admission.handles(request.operation)) return undefined;
  return (object, old) => admission.validate(attributesOf(scope, request, object, old));
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
