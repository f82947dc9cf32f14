// Namespaces: they carry their own name as a label, live until they are empty, and are emptied by a controller.
import { age } from "../../machinery/duration.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect, isQualifiedName, nameIsDNSLabel } from "../../machinery/validation/mod.ts";
import type { Namespace } from "../generated/types.ts";
import type { Column, KindDefinition, Strategy } from "../kind.ts";

type NamespaceObject = KubeObject & Namespace;

const NAME_LABEL = "kubernetes.io/metadata.name";
const KUBERNETES = "kubernetes";

function setDefaults(object: NamespaceObject): void {
  const { metadata } = object;
  // A generated name is not known yet; the label follows when it is.
  if (metadata.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
  if (object.status) object.status.phase ||= "Active";
}

/** Finalizers of a namespace's own: standard ones or qualified by a domain. */
function validate(object: NamespaceObject) {
  return collect((root) => {
    const at = root.child("spec", "finalizers");
    (object.spec?.finalizers ?? []).forEach((finalizer) => {
      at.invalidEach(finalizer, isQualifiedName(finalizer));
      if (!finalizer.includes("/") && finalizer !== KUBERNETES) {
        at.invalid(finalizer, "name is neither a standard finalizer name nor is it fully qualified");
      }
    });
  });
}

const finalize: Strategy<NamespaceObject> = {
  prepareForUpdate(object, old) {
    object.status = old.status;
  },
  validateUpdate: validate,
  resetFields: [["status"]],
};

const status: Strategy<NamespaceObject> = {
  validateUpdate(object) {
    return collect((root) => {
      const phase = root.child("status", "Phase");
      const terminating = object.status?.phase === "Terminating";
      if (object.metadata.deletionTimestamp === undefined && terminating) {
        phase.invalid(object.status?.phase, "may only be 'Active' if `deletionTimestamp` is empty");
      } else if (object.metadata.deletionTimestamp !== undefined && !terminating) {
        phase.invalid(object.status?.phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
      }
    });
  },
};

const columns: readonly Column<NamespaceObject>[] = [
  {
    name: "Name",
    type: "string",
    format: "name",
    description: "Name of the namespace.",
    cell: (n) => n.metadata.name!,
  },
  {
    name: "Status",
    type: "string",
    description: "Whether it lives or is being emptied.",
    cell: (n) => n.status?.phase ?? "",
  },
  {
    name: "Age",
    type: "string",
    description: "Time since creation.",
    cell: (n, now) => age(n.metadata.creationTimestamp, now),
  },
];

export const namespace: KindDefinition<NamespaceObject> = {
  gvk: { group: "", version: "v1", kind: "Namespace" },
  resource: "namespaces",
  validateName: nameIsDNSLabel,
  setDefaults,
  prepareForCreate(object) {
    object.metadata.labels = { ...object.metadata.labels, [NAME_LABEL]: object.metadata.name! };
    object.status = { phase: "Active" };
    const finalizers = object.spec?.finalizers ?? [];
    object.spec = { finalizers: finalizers.includes(KUBERNETES) ? finalizers : [...finalizers, KUBERNETES] };
  },
  prepareForUpdate(object, old) {
    object.spec = { ...object.spec, finalizers: old.spec?.finalizers };
    if (object.spec.finalizers === undefined) delete object.spec.finalizers;
  },
  validate,
  validateUpdate: validate,
  fields: (object) => ({ "status.phase": object.status?.phase ?? "", name: object.metadata.name ?? "" }),
  columns,
  subresources: { status, finalize },
};
