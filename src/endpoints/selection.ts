// The label and field selector of a list, a watch or a deletecollection as one predicate.
import { badRequestError } from "../machinery/errors.ts";
import { FieldSelector, predicate } from "../machinery/selectors/mod.ts";
import type { Predicate } from "../storage/interface.ts";
import { fieldOfLabel } from "./field_labels.ts";
import type { ListQuery } from "./options.ts";
import type { Scope } from "./scope.ts";

/** A path that names an object (legacy watch paths) selects it. Throws 400. */
export function selectionOf(scope: Scope, { labels, fields }: ListQuery): Predicate {
  return predicate({ labels, fields: selectName(scope, checkFields(scope, fields)) });
}

function checkFields({ resource }: Scope, fields: FieldSelector): FieldSelector {
  return fields.everything ? fields : fields.transform((label) => fieldOfLabel(resource, label));
}

function selectName({ name }: Scope, fields: FieldSelector): FieldSelector {
  if (name === "") return fields;
  if (fields.everything) return new FieldSelector([{ field: "metadata.name", operator: "=", value: name }]);
  if (fields.requires("metadata.name") === name) return fields;
  throw badRequestError("fieldSelector metadata.name doesn't match requested name");
}
