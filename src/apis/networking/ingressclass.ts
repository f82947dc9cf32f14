// Ingress classes: which controller serves ingresses.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { IngressClass } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const ingressClass: KindDefinition<KubeObject & IngressClass> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "IngressClass" },
  resource: "ingressclasses",
  generation: true,
  setDefaults(object) {
    if (object.spec?.parameters) object.spec.parameters.scope ??= "Cluster";
  },
  columns: [
    NAME,
    text("Controller", "Who serves ingresses of this class.", (o) => o.spec?.controller ?? ""),
    text("Parameters", "Where its parameters are.", (o) => {
      const p = o.spec?.parameters;
      if (!p) return "<none>";
      return `${p.kind}${p.apiGroup ? `.${p.apiGroup}` : ""}/${p.name}`;
    }),
    AGE,
  ],
};
