// Addresses that are taken, each by one object.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, validateIP } from "../../machinery/validation/mod.ts";
import { NAME, text } from "../columns.ts";
import type { IPAddress } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const ipAddress: KindDefinition<KubeObject & IPAddress> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "IPAddress" },
  resource: "ipaddresses",
  validateName: (name) => collect((root) => validateIP(name, root)).map((e) => e.detail),
  validate: (object) =>
    collect((root) => {
      const ref = object.spec?.parentRef, at = root.child("spec", "parentRef");
      if (!ref) return at.required();
      if (!ref.resource) at.child("resource").required();
      if (!ref.name) at.child("name").required();
    }),
  fields: (object) => ({
    "spec.parentRef.group": object.spec?.parentRef?.group ?? "",
    "spec.parentRef.resource": object.spec?.parentRef?.resource ?? "",
    "spec.parentRef.namespace": object.spec?.parentRef?.namespace ?? "",
    "spec.parentRef.name": object.spec?.parentRef?.name ?? "",
  }),
  columns: [
    NAME,
    text("ParentRef", "Who holds the address.", (o) => {
      const { group, resource = "", namespace, name = "" } = o.spec?.parentRef ?? {};
      return `${resource}${group ? `.${group}` : ""}/${namespace ? `${namespace}/` : ""}${name}`;
    }),
  ],
};
