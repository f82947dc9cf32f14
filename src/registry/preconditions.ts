// What must hold of an object before it is changed or deleted, where the registry looks before storage does.
import { conflictError } from "../machinery/errors.ts";
import type { GroupResource, KubeObject } from "../machinery/types.ts";
import type { Preconditions } from "../storage/interface.ts";
import { unmetPrecondition } from "../storage/preconditions.ts";

/** Throws 409 in the words of storage when the object is another one than the caller means. */
export function checkPreconditions(
  resource: GroupResource,
  object: KubeObject,
  preconditions: Preconditions | undefined,
): void {
  const problem = unmetPrecondition(preconditions, object);
  if (problem !== undefined) throw conflictError(resource, object.metadata.name!, problem);
}

/** The same in the words of deletes, which name the kind; empty values ask nothing. */
export function checkDeletePreconditions(
  { group, kind }: { group: string; kind: string },
  { metadata }: KubeObject,
  { uid, resourceVersion }: Preconditions = {},
): void {
  const refuse = (field: string, wanted: string, found: string | undefined, why: string) =>
    conflictError(
      { group, resource: kind },
      metadata.name ?? "",
      `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found ?? ""}). ` +
        `The object might have been ${why}`,
    );
  if (uid && uid !== metadata.uid) throw refuse("UID", uid, metadata.uid, "deleted and then recreated");
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw refuse("ResourceVersion", resourceVersion, metadata.resourceVersion, "modified");
  }
}
