// Endpoint slices: the addresses behind a service, some at a time.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, firstOf, NAME, text } from "../columns.ts";
import type { EndpointSlice } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type SliceObject = KubeObject & EndpointSlice;

export const endpointSlice: KindDefinition<SliceObject> = {
  gvk: { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" },
  resource: "endpointslices",
  generation: true,
  setDefaults(object) {
    for (const port of object.ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
  },
  columns: [
    NAME,
    text("AddressType", "Family of the addresses.", (o) => o.addressType ?? ""),
    text("Ports", "Ports.", (o) => {
      const ports = (o.ports ?? []).map((p) => p.port !== undefined ? String(p.port) : "*");
      return firstOf(ports, 3) || "<unset>";
    }),
    text(
      "Endpoints",
      "Addresses.",
      (o) => firstOf((o.endpoints ?? []).flatMap((e) => e.addresses ?? []), 3) || "<unset>",
    ),
    AGE,
  ],
};
