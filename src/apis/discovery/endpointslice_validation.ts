// Rules of endpoint slices.
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  deepEqual,
  type Field,
  isLabelValue,
  nameIsDNSSubdomain,
  parseIP,
  validateDNS1123Label,
  validateFullyQualifiedDomainName,
  validateImmutable,
  validateIP,
  validateLabels,
  validateLegacyIP,
  validateQualifiedName,
} from "../../machinery/validation/mod.ts";
import { validateEndpointIP } from "../core/endpoint_ip.ts";
import type {
  DiscoveryV1EndpointPort as EndpointPort,
  Endpoint,
  EndpointHints,
  EndpointSlice,
} from "../../facts/generated/types.ts";
import { checkMeta } from "../meta.ts";

type SliceObject = KubeObject & EndpointSlice;

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const ZONE = "topology.kubernetes.io/zone";
const MAX = { topology: 16, addresses: 100, ports: 20_000, endpoints: 1000, hints: 8 };

export function checkEndpointSlice(slice: SliceObject, root: Field, old?: SliceObject): void {
  const { addressType = "" } = slice, at = root.child("addressType");
  checkMeta(slice, root, { namespaced: true });
  if (addressType === "") at.required();
  else if (!ADDRESS_TYPES.includes(addressType)) at.notSupported(addressType, ADDRESS_TYPES);
  checkPorts(slice.ports ?? [], root.child("ports"));
  const errors = collect((top) => checkEndpoints(slice.endpoints ?? [], addressType, top.child("endpoints")));
  // Older versions took what is refused today: what stays as it was passes.
  const kept = errors.length > 0 && old !== undefined && deepEqual(slice.endpoints, old.endpoints);
  if (!kept) root.add(errors);
}

export function checkEndpointSliceUpdate(slice: SliceObject, old: SliceObject, root: Field): void {
  checkEndpointSlice(slice, root, old);
  validateImmutable({ now: slice.addressType, before: old.addressType }, root.child("addressType"));
}

function checkEndpoints(endpoints: readonly Endpoint[], addressType: string, at: Field): void {
  if (endpoints.length > MAX.endpoints) return at.tooMany(endpoints.length, MAX.endpoints);
  endpoints.forEach((endpoint, i) => checkEndpoint(endpoint, addressType, at.index(i)));
}

function checkEndpoint(endpoint: Endpoint, addressType: string, at: Field): void {
  const { nodeName, hostname, hints, deprecatedTopology: topology = {} } = endpoint;
  const addresses = endpoint.addresses ?? [], field = at.child("addresses");
  if (addresses.length === 0) field.required("must contain at least 1 address");
  else if (addresses.length > MAX.addresses) field.tooMany(addresses.length, MAX.addresses);
  addresses.forEach((address, i) => checkAddress(address, addressType, field, i));
  if (nodeName !== undefined) at.child("nodeName").invalidEach(nodeName, nameIsDNSSubdomain(nodeName, false));
  const size = Object.keys(topology).length, topologyField = at.child("deprecatedTopology");
  if (size > MAX.topology) topologyField.tooMany(size, MAX.topology);
  validateLabels(topology, topologyField);
  if (ZONE in topology) topologyField.key(ZONE).internal("reserved key was not removed in conversion");
  if (hostname !== undefined) validateDNS1123Label(hostname, at.child("hostname"));
  if (hints) checkHints(hints, at.child("hints"));
}

function checkAddress(address: string, addressType: string, list: Field, i: number): void {
  const at = list.index(i), before = at.count;
  if (addressType === "FQDN") return validateFullyQualifiedDomainName(address, at);
  if (addressType === "IPv4") validateLegacyIP(address, at);
  else if (addressType === "IPv6") validateIP(address, at);
  else return;
  if (at.count > before) return;
  const family = addressType === "IPv4" ? 4 : 6;
  if (parseIP(address)?.family !== family) list.invalid(address, `must be an ${addressType} address`);
  validateEndpointIP(address, at);
}

function checkPorts(ports: readonly EndpointPort[], at: Field): void {
  if (ports.length > MAX.ports) return at.tooMany(ports.length, MAX.ports);
  const seen = new Set<string>();
  ports.forEach(({ name = "", protocol = "", appProtocol }, i) => {
    const field = at.index(i);
    if (name !== "") validateDNS1123Label(name, field.child("name"));
    if (seen.has(name)) field.child("name").duplicate(name);
    seen.add(name);
    if (!PROTOCOLS.includes(protocol)) field.child("protocol").notSupported(protocol, PROTOCOLS);
    if (appProtocol !== undefined) validateQualifiedName(appProtocol, field.child("appProtocol"));
  });
}

function checkHints({ forZones = [], forNodes = [] }: EndpointHints, at: Field): void {
  const names = { forZones: isLabelValue, forNodes: (name: string) => nameIsDNSSubdomain(name, false) };
  const lists = { forZones, forNodes };
  for (const member of ["forZones", "forNodes"] as const) {
    const list = lists[member], field = at.child(member), seen = new Set<string>();
    if (list.length > MAX.hints) return field.tooMany(list.length, MAX.hints);
    list.forEach(({ name = "" }, i) => {
      const entry = field.index(i).child("name");
      if (seen.has(name)) entry.duplicate(name);
      seen.add(name);
      entry.invalidEach(name, names[member](name));
    });
  }
}
