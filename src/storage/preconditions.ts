// What must hold of the stored object before it is changed or deleted.
import type { KubeObject } from "../machinery/types.ts";
import type { Preconditions } from "./interface.ts";
import { storageError } from "./storage_errors.ts";

/** Throws InvalidObject when the object is another one than the caller means. */
export function checkPreconditions(key: string, preconditions: Preconditions | undefined, object: KubeObject): void {
  if (preconditions === undefined) return;
  check(key, "UID", preconditions.uid, object.metadata?.uid);
  check(key, "ResourceVersion", preconditions.resourceVersion, object.metadata?.resourceVersion);
}

function check(key: string, what: string, wanted: string | undefined, found = ""): void {
  if (wanted === undefined || wanted === found) return;
  const detail = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
  throw storageError("InvalidObject", key, 0, detail);
}
