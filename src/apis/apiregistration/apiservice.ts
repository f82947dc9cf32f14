// API services: which server answers for a group and version.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { APIService } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const apiService: KindDefinition<KubeObject & APIService> = {
  gvk: { group: "apiregistration.k8s.io", version: "v1", kind: "APIService" },
  resource: "apiservices",
  setDefaults({ spec }) {
    if (spec?.service) spec.service.port ??= 443;
  },
  columns: [
    NAME,
    text(
      "Service",
      "Who serves it.",
      (o) => o.spec?.service ? `${o.spec.service.namespace}/${o.spec.service.name}` : "Local",
    ),
    text("Available", "Whether it is served.", (o) => {
      const condition = o.status?.conditions?.find((c) => c.type === "Available");
      if (!condition) return "Unknown";
      return condition.status === "False" && condition.reason
        ? `False (${condition.reason})`
        : condition.status ?? "Unknown";
    }),
    AGE,
  ],
};
