// What must hold of the stored object before it is changed or deleted.
import type { KubeObject } from "../machinery/types.ts";
import type { Preconditions } from "./interface.ts";
import { storageError } from "./storage_errors.ts";

/** Throws InvalidObject when the object is another one than the caller means. */
export function checkPreconditions(key: string, preconditions: Preconditions | undefined, object: KubeObject): void {
  const problem = unmetPrecondition(preconditions, object);
  if (problem !== undefined) throw storageError("InvalidObject", key, 0, problem);
}

/** Which precondition the object does not meet, in words; undefined when it meets all. */
export function unmetPrecondition(
  { uid, resourceVersion }: Preconditions = {},
  { metadata }: KubeObject,
): string | undefined {
  return difference("UID", uid, metadata?.uid) ??
    difference("ResourceVersion", resourceVersion, metadata?.resourceVersion);
}

function difference(what: string, wanted: string | undefined, found = ""): string | undefined {
  if (wanted === undefined || wanted === found) return undefined;
  return `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
}
