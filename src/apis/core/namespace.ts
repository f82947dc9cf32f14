// Namespaces: they carry their own name as a label, live until they are empty, and are emptied by a controller.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, isQualifiedName, nameIsDNSLabel } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { Namespace } from "../../facts/generated/types.ts";
import type { KindDefinition, Strategy } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";

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
function checkFinalizers({ spec }: NamespaceObject, at: (i: number) => Field): void {
  (spec?.finalizers ?? []).forEach((finalizer, i) => {
    at(i).invalidEach(finalizer, isQualifiedName(finalizer));
    if (!finalizer.includes("/") && finalizer !== KUBERNETES) {
      at(i).invalid(finalizer, "name is neither a standard finalizer name nor is it fully qualified");
    }
  });
}

function check(object: NamespaceObject, root: Field): void {
  checkMeta(object, root, { namespaced: false, validateName: nameIsDNSLabel });
  // The whole list is named, not the one that is wrong.
  checkFinalizers(object, () => root.child("spec", "finalizers"));
}

const finalize: Strategy<NamespaceObject> = {
  prepareForUpdate(object, old) {
    object.status = old.status;
  },
  validateUpdate: (object) =>
    collect((root) => checkFinalizers(object, (i) => root.child("spec", "finalizers").index(i))),
  resetFields: [["status"]],
};

const status: Strategy<NamespaceObject> = {
  validateUpdate({ metadata, status }) {
    return collect((root) => {
      const phase = status?.phase ?? "", at = root.child("status", "Phase");
      const living = metadata.deletionTimestamp === undefined, expected = living ? "Active" : "Terminating";
      if (phase === expected) return;
      at.invalid(phase, `may only be '${expected}' if \`deletionTimestamp\` is ${living ? "" : "not "}empty`);
    });
  },
};

export const namespace: KindDefinition<NamespaceObject> = {
  gvk: { group: "", version: "v1", kind: "Namespace" },
  resource: "namespaces",
  returnsDeletedObject: true,
  validateName: nameIsDNSLabel,
  setDefaults,
  prepareForCreate(object) {
    object.status = { phase: "Active" };
    const finalizers = object.spec?.finalizers ?? [];
    object.spec = { finalizers: finalizers.includes(KUBERNETES) ? finalizers : [...finalizers, KUBERNETES] };
  },
  prepareForUpdate(object, old) {
    object.spec = { ...object.spec, finalizers: old.spec?.finalizers };
    if (object.spec.finalizers === undefined) delete object.spec.finalizers;
  },
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      check(object, root);
      checkMetaUpdate(object, old, root);
    }),
  canonicalize({ metadata }) {
    metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name! };
  },
  fields: (object) => ({ "status.phase": object.status?.phase ?? "", name: object.metadata.name ?? "" }),
  columns: [NAME, text("Status", "Whether it lives or is being emptied.", (n) => n.status?.phase ?? ""), AGE],
  subresources: { status, finalize },
};
