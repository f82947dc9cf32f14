// Controller revisions: what a controller's template was, kept to go back to.
import { path } from "../../machinery/field_error.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { validateImmutable } from "../../machinery/validation/immutable.ts";
import { nameIsDNSSubdomain } from "../../machinery/validation/names.ts";
import { validateNonnegative } from "../../machinery/validation/numbers.ts";
import { validateObjectMeta } from "../../machinery/validation/object_meta.ts";
import { formatGroupKind, type KubeObject, parseApiVersion } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type ControllerRevision = KubeObject & v1.ControllerRevision;

function controllerText({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller);
  if (!owner) return "<none>";
  const group = parseApiVersion(owner.apiVersion)?.group ?? "";
  return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
}

function validateData(data: unknown, at: Field): void {
  if (data === undefined || data === null) return at.required("data is mandatory");
  if (typeof data !== "object" || Array.isArray(data)) at.required("data must be a valid JSON object");
}

export const controllerRevision: KindDefinition<ControllerRevision> = {
  gvk: { group: "apps", version: "v1", kind: "ControllerRevision" },
  resource: "controllerrevisions",
  columns: [
    NAME,
    text<ControllerRevision>("Controller", "Whose revision it is.", controllerText),
    text<ControllerRevision>("Revision", "The number of the revision.", ({ revision = 0 }) => revision),
    AGE,
  ],
  validate: ({ revision, data }) =>
    collect((root) => {
      validateNonnegative(revision, root.child("revision"));
      validateData(data, root.child("data"));
    }),
  validateUpdate: ({ metadata, revision, data }, old) =>
    collect((root) => {
      root.add(validateObjectMeta(metadata, {
        namespaced: true,
        validateName: nameIsDNSSubdomain,
        path: path("metadata"),
        standardFinalizers: true,
      }));
      validateNonnegative(revision, root.child("revision"));
      validateImmutable({ now: data, before: old.data }, root.child("data"));
    }),
};
