// Ingresses: HTTP routes from outside to services.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, warningsForIP } from "../../machinery/validation/mod.ts";
import { AGE, loadBalancerAddresses, NAME, text } from "../columns.ts";
import type { Ingress } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { checkIngressSpec, checkIngressStatus, ingressOptions } from "./ingress_validation.ts";

type IngressObject = KubeObject & Ingress;

/** How the class was said before there was a field for it. */
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";
const SHOWN = 3;

function hosts({ spec }: IngressObject): string {
  const rules = spec?.rules ?? [], names: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (names.length === SHOWN) more = true;
    else if (host) names.push(host);
  }
  if (names.length === 0) return "*";
  return more ? `${names.join(",")} + ${rules.length - SHOWN} more...` : names.join(",");
}

function classWarnings({ metadata: { annotations = {} }, spec }: IngressObject): string[] {
  if (!(CLASS_ANNOTATION in annotations) || spec?.ingressClassName !== undefined) return [];
  return [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`];
}

export const ingress: KindDefinition<IngressObject> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "Ingress" },
  resource: "ingresses",
  generation: true,
  validate: ({ spec = {}, metadata }) =>
    collect((root) => {
      checkIngressSpec(spec, root.child("spec"), ingressOptions(undefined));
      const annotation = metadata.annotations?.[CLASS_ANNOTATION], name = spec.ingressClassName;
      if (annotation === undefined || name === undefined || annotation === name) return;
      root.child("annotations", CLASS_ANNOTATION).invalid(
        annotation,
        "must match `ingressClassName` when both are specified",
      );
    }),
  validateUpdate: (object, old) =>
    collect((root) => {
      checkMeta(object, root, { namespaced: true });
      checkIngressSpec(object.spec ?? {}, root.child("spec"), ingressOptions(old.spec));
    }),
  warningsOnCreate: classWarnings,
  columns: [
    NAME,
    text("Class", "Which controller serves it.", (o) => o.spec?.ingressClassName ?? "<none>"),
    text("Hosts", "Names that it serves.", hosts),
    text("Address", "Where it is reached.", (o) => loadBalancerAddresses(o.status?.loadBalancer)),
    text("Ports", "Ports that it serves.", (o) => (o.spec?.tls ?? []).length > 0 ? "80, 443" : "80"),
    AGE,
  ],
  subresources: {
    status: {
      validateUpdate: ({ status }, old) =>
        collect((root) =>
          checkIngressStatus(status?.loadBalancer, old.status?.loadBalancer, root.child("status", "loadBalancer"))
        ),
      warningsOnUpdate: ({ status }) =>
        (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, i) =>
          ip ? warningsForIP(ip, `status.loadBalancer.ingress[${i}]`) : []
        ),
    },
  },
};
