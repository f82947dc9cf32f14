// Addresses that are taken, each by one object (KEP-1880).
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  type Field,
  isDNS1123Subdomain,
  isPathSegmentName,
  validateImmutable,
  validateIP,
} from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { IPAddress } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";

type AddressObject = KubeObject & IPAddress;

function validateName(name: string): string[] {
  return collect((root) => validateIP(name, root)).map((error) => error.detail);
}

function check(object: AddressObject, root: Field): void {
  checkMeta(object, root, { namespaced: false, validateName });
  const reference = object.spec?.parentRef, at = root.child("spec", "parentRef");
  if (!reference) return at.required();
  const { group, resource, name, namespace } = reference;
  if (group) at.child("group").invalidEach(group, isDNS1123Subdomain(group));
  for (const [member, value] of Object.entries({ resource, name })) {
    if (!value) at.child(member).required();
    else at.child(member).invalidEach(value, isPathSegmentName(value));
  }
  if (namespace) at.child("namespace").invalidEach(namespace, isPathSegmentName(namespace));
}

/** `services/default/web` */
function parentText({ spec }: AddressObject): string {
  if (!spec?.parentRef) return "<none>";
  const { group, resource = "", namespace, name = "" } = spec.parentRef;
  return `${group ? `${resource}.${group}` : resource}`.toLowerCase() + `${namespace ? `/${namespace}` : ""}/${name}`;
}

export const ipAddress: KindDefinition<AddressObject> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "IPAddress" },
  resource: "ipaddresses",
  checksMetadata: true,
  validateName,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      check(object, root);
      checkMetaUpdate(object, old, root);
      const now = internalForm("*ParentReference", object.spec?.parentRef);
      const before = internalForm("*ParentReference", old.spec?.parentRef);
      validateImmutable({ now, before }, root.child("spec", "parentRef"));
    }),
  fields: (object) => ({
    "spec.parentRef.group": object.spec?.parentRef?.group ?? "",
    "spec.parentRef.resource": object.spec?.parentRef?.resource ?? "",
    "spec.parentRef.namespace": object.spec?.parentRef?.namespace ?? "",
    "spec.parentRef.name": object.spec?.parentRef?.name ?? "",
  }),
  columns: [NAME, text("ParentRef", "Who holds the address.", parentText), { ...AGE, withoutDefinition: true }],
};
