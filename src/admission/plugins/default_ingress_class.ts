// DefaultIngressClass: an ingress that names no class gets the default one.
import type { AdmissionPlugin } from "../interface.ts";
import { isResource, on } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { defaultClassOf } from "./default_class.ts";

const INGRESSES = { group: "networking.k8s.io", resource: "ingresses" };
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

export function defaultIngressClass({ lookup }: PluginContext): AdmissionPlugin {
  return {
    name: "DefaultIngressClass",
    handles: on("CREATE"),
    looksAt: (attributes) => isResource(attributes, INGRESSES),
    async admit(attributes) {
      const { metadata, spec } = attributes.object!;
      if (spec?.ingressClassName !== undefined || metadata.annotations?.[CLASS_ANNOTATION] !== undefined) return;
      const chosen = defaultClassOf(await lookup.list("networking.k8s.io", "ingressclasses"), [
        "ingressclass.kubernetes.io/is-default-class",
      ]);
      if (chosen !== undefined) (attributes.object!.spec ??= {}).ingressClassName = chosen.metadata.name;
    },
  };
}
