// Checks and touches of an object's metadata that every write makes before the registry sees it.
import { badRequestError } from "../machinery/errors.ts";
import type { KubeObject, ObjectMeta, OwnerReference } from "../machinery/types.ts";
import type { Scope } from "./scope.ts";

/** What only the server sets is not taken from a client that creates. */
export function wipeSystemFields(metadata: ObjectMeta): void {
  delete metadata.uid;
  delete metadata.selfLink;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

/** The namespace of the path is the object's; another one is refused. */
export function ensureNamespace(scope: Scope, object: KubeObject): void {
  const { metadata } = object;
  const { namespace } = scope;
  if (namespace === "") delete metadata.namespace;
  else if (!metadata.namespace) metadata.namespace = namespace;
  else if (metadata.namespace !== namespace) {
    throw badRequestError("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** The object of an update is the one of the path. */
export function checkName(scope: Scope, object: KubeObject): void {
  const name = object.metadata.name ?? "";
  if (name === "") {
    throw badRequestError(
      `the name of the object (${scope.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== scope.name) {
    throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${scope.name})`);
  }
}

/** Drops owner references that are there twice, with a warning. */
export function dedupOwnerReferences(scope: Scope, object: KubeObject, afterAdmission: boolean): void {
  const references = object.metadata.ownerReferences;
  if (references === undefined || references.length < 2) return;
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  const seen = new Set<string>();
  for (const reference of references) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
    const identity = JSON.stringify([apiVersion, kind, name, uid, controller ?? null, blockOwnerDeletion ?? null]);
    if (seen.has(identity)) duplicates.push(uid);
    else kept.push(reference);
    seen.add(identity);
  }
  if (duplicates.length === 0) return;
  object.metadata.ownerReferences = kept;
  const when = afterAdmission ? " after mutating admission happens" : "";
  scope.addWarning(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
      "and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " +
      duplicates.join(", "),
  );
}
