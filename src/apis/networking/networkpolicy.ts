// Network policies: which traffic pods may have.
import type { JsonObject, KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { NetworkPolicy } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { labelSelectorText } from "../label_selector_text.ts";

export const networkPolicy: KindDefinition<KubeObject & NetworkPolicy> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" },
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
