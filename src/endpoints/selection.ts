// The label and field selector of a list, a watch or a deletecollection as one predicate.
import { badRequestError } from "../machinery/errors.ts";
import type { Predicate } from "../storage/interface.ts";
import type { ListQuery } from "./options.ts";
import type { Scope } from "./scope.ts";

const EVERYTHING: Predicate = { everything: true, matches: () => true, requiresField: () => undefined };

/** Throws 400. */
export function selectionOf(_scope: Scope, query: ListQuery): Predicate {
  if (query.labelSelector === "" && query.fieldSelector === "") return EVERYTHING;
  throw badRequestError("selectors are not supported yet");
}
