// What must hold of an object before it is deleted, as the registry says it (storage has words of its own).
import { conflictError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { Preconditions } from "../storage/interface.ts";

/** Throws 409 that names the kind when the object is another one than the caller means. Empty values ask nothing. */
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
