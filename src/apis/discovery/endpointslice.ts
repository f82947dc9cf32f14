// Endpoint slices: the addresses behind a service, some at a time (KEP-752).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, nameIsDNSSubdomain, warningsForIP } from "../../machinery/validation/mod.ts";
import { AGE, firstOf, NAME, text } from "../columns.ts";
import type { EndpointSlice } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkEndpointSlice, checkEndpointSliceUpdate } from "./endpointslice_validation.ts";

type SliceObject = KubeObject & EndpointSlice;

const HOSTNAME = "kubernetes.io/hostname";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
/** Controllers that put their addresses right themselves. */
const CONTROLLERS = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];
const SHOWN = 3;

/**
 * Topology was how v1beta1 said what nodeName, zone and hints say now: v1 does not write it. A node that the stored
 * slice names there moves to where it belongs.
 */
function dropTopology(slice: SliceObject, old?: SliceObject): void {
  if (old && deepEqual(slice.endpoints, old.endpoints)) return;
  const known = (old?.endpoints ?? []).map((e) => e.deprecatedTopology?.[HOSTNAME]);
  for (const endpoint of slice.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[HOSTNAME];
    const moves = endpoint.nodeName === undefined && node && known.includes(node);
    if (moves && nameIsDNSSubdomain(node, false).length === 0) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}

function addressWarnings({ metadata, endpoints }: SliceObject): string[] {
  if (CONTROLLERS.includes(metadata.labels?.[MANAGED_BY] ?? "")) return [];
  return (endpoints ?? []).flatMap(({ addresses }, i) =>
    (addresses ?? []).flatMap((address, j) => warningsForIP(address, `endpoints[${i}].addresses[${j}]`))
  );
}

export const endpointSlice: KindDefinition<SliceObject> = {
  gvk: { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" },
  resource: "endpointslices",
  generation: true,
  setDefaults({ ports }) {
    for (const port of ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
  },
  prepareForCreate: (slice) => dropTopology(slice),
  prepareForUpdate(slice, old) {
    // Consumers choose slices by their labels: a change of labels counts like one of endpoints.
    if (!deepEqual(slice.metadata.labels, old.metadata.labels)) {
      slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
    dropTopology(slice, old);
  },
  checksMetadata: true,
  validate: (slice) => collect((root) => checkEndpointSlice(slice, root)),
  validateUpdate: (slice, old) => collect((root) => checkEndpointSliceUpdate(slice, old, root)),
  warningsOnCreate: (slice) => [
    ...(slice.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...addressWarnings(slice),
  ],
  warningsOnUpdate: addressWarnings,
  columns: [
    NAME,
    text("AddressType", "Family of the addresses.", (slice) => slice.addressType ?? ""),
    text(
      "Ports",
      "Ports.",
      ({ ports }) => firstOf((ports ?? []).map(({ port, name }) => String(port ?? name ?? "*")), SHOWN) || "<unset>",
    ),
    text(
      "Endpoints",
      "Addresses.",
      ({ endpoints }) => firstOf((endpoints ?? []).flatMap((e) => e.addresses ?? []), SHOWN) || "<unset>",
    ),
    AGE,
  ],
};
