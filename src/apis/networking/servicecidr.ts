// Ranges that cluster addresses of services come from.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { ServiceCIDR } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const serviceCIDR: KindDefinition<KubeObject & ServiceCIDR> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "ServiceCIDR" },
  resource: "servicecidrs",
  columns: [NAME, text("CIDRs", "Ranges.", (o) => (o.spec?.cidrs ?? []).join(",")), AGE],
};
