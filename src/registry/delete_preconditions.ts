// Preconditions of a delete as kinds check them that look at the object before they are deleted.
import { conflictError } from "../machinery/errors.ts";
import type { GroupResource, KubeObject } from "../machinery/types.ts";
import type { DeleteOptions } from "./rest.ts";

/** Throws a conflict when it is another object than the caller means. */
export function checkDeletePreconditions(resource: GroupResource, object: KubeObject, options: DeleteOptions): void {
  const { metadata } = object, { uid, resourceVersion } = options.preconditions ?? {};
  const check = (what: string, wanted: string | undefined, found: string | undefined) => {
    if (wanted === undefined || wanted === found) return;
    throw conflictError(
      resource,
      metadata.name!,
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
    );
  };
  check("UID", uid, metadata.uid);
  check("ResourceVersion", resourceVersion, metadata.resourceVersion);
}
