// Errors of storage in the words of the API.
import {
  alreadyExistsError,
  conflictError,
  internalError,
  notFoundError,
  serverTimeoutError,
  type StatusError,
} from "../machinery/errors.ts";
import type { GroupResource } from "../machinery/types.ts";
import { StorageError } from "../storage/interface.ts";

export type StorageOperation = "get" | "list" | "create" | "update" | "delete";

/** What to throw instead of `error`; errors that are not storage's stay as they are. */
export function interpretStorageError(
  error: unknown,
  operation: StorageOperation,
  { resource, name }: { resource: GroupResource; name: string },
): unknown {
  if (!(error instanceof StorageError)) return error;
  return interpret(error, operation, resource, name);
}

function interpret(error: StorageError, operation: StorageOperation, gr: GroupResource, name: string): StatusError {
  switch (error.code) {
    case "KeyNotFound":
      return notFoundError(gr, name);
    case "KeyExists":
      return operation === "create" ? alreadyExistsError(gr, name) : conflictError(gr, name, error.message);
    case "ResourceVersionConflicts":
    case "InvalidObject":
      return conflictError(gr, name, error.message);
    case "Unreachable":
      return serverTimeoutError(gr, operation, 2);
    default:
      return internalError(error.message);
  }
}
