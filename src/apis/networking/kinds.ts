// Ingresses, ingress classes, network policies, addresses and ranges: defaults and columns.
import type { JsonObject, KubeObject } from "../../machinery/types.ts";
import { collect, validateIP } from "../../machinery/validation/mod.ts";
import { labelSelectorText } from "../label_selector_text.ts";
import { AGE, firstOf, NAME, text } from "../columns.ts";
import type { Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

const GROUP = "networking.k8s.io";

type IngressObject = KubeObject & Ingress;

function hosts({ spec }: IngressObject): string {
  const all = (spec?.rules ?? []).flatMap((r) => r.host ? [r.host] : []);
  if (all.length === 0) return "*";
  return firstOf(all, 3);
}

export const ingress: KindDefinition<IngressObject> = {
  gvk: { group: GROUP, version: "v1", kind: "Ingress" },
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

export const ingressClass: KindDefinition<KubeObject & IngressClass> = {
  gvk: { group: GROUP, version: "v1", kind: "IngressClass" },
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

export const networkPolicy: KindDefinition<KubeObject & NetworkPolicy> = {
  gvk: { group: GROUP, version: "v1", kind: "NetworkPolicy" },
  resource: "networkpolicies",
  generation: true,
  setDefaults(object) {
    const spec = object.spec;
    if (!spec) return;
    for (const rule of [...spec.ingress ?? [], ...spec.egress ?? []]) {
      for (const port of rule.ports ?? []) port.protocol ??= "TCP";
    }
    if (spec.policyTypes?.length) return;
    spec.policyTypes = spec.egress?.length ? ["Ingress", "Egress"] : ["Ingress"];
  },
  columns: [
    NAME,
    text(
      "Pod-Selector",
      "Pods that it is about.",
      (o) => labelSelectorText((o.spec?.podSelector ?? {}) as JsonObject) || "<none>",
    ),
    AGE,
  ],
};

export const ipAddress: KindDefinition<KubeObject & IPAddress> = {
  gvk: { group: GROUP, version: "v1", kind: "IPAddress" },
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

export const serviceCIDR: KindDefinition<KubeObject & ServiceCIDR> = {
  gvk: { group: GROUP, version: "v1", kind: "ServiceCIDR" },
  resource: "servicecidrs",
  columns: [NAME, text("CIDRs", "Ranges.", (o) => (o.spec?.cidrs ?? []).join(",")), AGE],
};
