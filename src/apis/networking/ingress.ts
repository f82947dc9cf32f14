// Ingresses: HTTP routes from outside to services.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, firstOf, NAME, text } from "../columns.ts";
import type { Ingress } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type IngressObject = KubeObject & Ingress;

function hosts({ spec }: IngressObject): string {
  const all = (spec?.rules ?? []).flatMap((r) => r.host ? [r.host] : []);
  if (all.length === 0) return "*";
  return firstOf(all, 3);
}

export const ingress: KindDefinition<IngressObject> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "Ingress" },
  resource: "ingresses",
  generation: true,
  columns: [
    NAME,
    text(
      "Class",
      "Which controller serves it.",
      (o) => o.spec?.ingressClassName ?? o.metadata.annotations?.["kubernetes.io/ingress.class"] ?? "<none>",
    ),
    text("Hosts", "Names that it serves.", hosts),
    text(
      "Address",
      "Where it is reached.",
      (o) => (o.status?.loadBalancer?.ingress ?? []).map((i) => i.ip || i.hostname || "").filter(Boolean).join(","),
    ),
    text("Ports", "Ports that it serves.", (o) => (o.spec?.tls ?? []).length > 0 ? "80, 443" : "80"),
    AGE,
  ],
};
