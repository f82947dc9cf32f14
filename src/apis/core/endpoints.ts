// Endpoints: the older form of endpoint slices.
import type { FieldError } from "../../machinery/field_error.ts";
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  deepEqual,
  type Field,
  isDNS1123Label,
  isPortNumber,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateLegacyIP,
  validateQualifiedName,
  warningsForIP,
} from "../../machinery/validation/mod.ts";
import { AGE, firstOf, NAME, text } from "../columns.ts";
import type { Endpoints, EndpointSubset } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { validateEndpointIP } from "./endpoint_ip.ts";

type EndpointsObject = KubeObject & Endpoints;

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const SHOWN = 3;

function check({ subsets = [] }: EndpointsObject, root: Field): void {
  subsets.forEach((subset, i) => checkSubset(subset, root.child("subsets").index(i)));
}

function checkSubset({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset, at: Field): void {
  if (addresses.length === 0 && notReadyAddresses.length === 0) {
    at.required("must specify `addresses` or `notReadyAddresses`");
  }
  const groups = { addresses, notReadyAddresses };
  for (const [name, list] of Object.entries(groups)) {
    list.forEach(({ ip = "", hostname, nodeName }, i) => {
      const entry = at.child(name).index(i);
      validateLegacyIP(ip, entry.child("ip"));
      if (hostname) entry.child("hostname").invalidEach(hostname, isDNS1123Label(hostname));
      if (nodeName !== undefined) validateDNS1123Subdomain(nodeName, entry.child("nodeName"));
      validateEndpointIP(ip, entry.child("ip"));
    });
  }
  ports.forEach(({ name = "", port = 0, protocol = "", appProtocol }, i) => {
    const entry = at.child("ports").index(i);
    if (ports.length > 1 && name === "") entry.child("name").required();
    else if (name !== "") validateDNS1123Label(name, entry.child("name"));
    entry.child("port").invalidEach(port, isPortNumber(port));
    if (protocol === "") entry.child("protocol").required();
    else if (!PROTOCOLS.includes(protocol)) entry.child("protocol").notSupported(protocol, PROTOCOLS);
    if (appProtocol !== undefined) validateQualifiedName(appProtocol, entry.child("appProtocol"));
  });
}

/** `192.0.2.1:80,192.0.2.2:80 + 3 more...` */
function shown({ subsets = [] }: EndpointsObject): string {
  const all: string[] = [];
  for (const { addresses = [], ports = [] } of subsets) {
    if (ports.length === 0) all.push(...addresses.map((a) => a.ip ?? ""));
    for (const { port } of ports) {
      for (const { ip = "" } of addresses) all.push(ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`);
    }
  }
  return all.length === 0 ? "<none>" : firstOf(all, SHOWN);
}

const MANAGED_BY = "endpoints.kubernetes.io/managed-by";

function warnings({ metadata, subsets = [] }: EndpointsObject): string[] {
  // The controller puts its addresses right itself.
  if (metadata.labels?.[MANAGED_BY] === "endpoint-controller") return [];
  return subsets.flatMap((subset, i) =>
    (["addresses", "notReadyAddresses"] as const).flatMap((member) =>
      (subset[member] ?? []).flatMap(({ ip = "" }, j) => warningsForIP(ip, `subsets[${i}].${member}[${j}].ip`))
    )
  );
}

export const endpoints: KindDefinition<EndpointsObject> = {
  gvk: { group: "", version: "v1", kind: "Endpoints" },
  resource: "endpoints",
  allowCreateOnUpdate: true,
  setDefaults(object) {
    for (const { ports = [] } of object.subsets ?? []) for (const port of ports) port.protocol ||= "TCP";
  },
  validate: (object): FieldError[] => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      checkMeta(object, root, { namespaced: true });
      // Older versions took what is refused today: what stays as it was passes.
      if (!deepEqual(object.subsets, old.subsets)) check(object, root);
    }),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  columns: [NAME, text("Endpoints", "Addresses and ports.", shown), AGE],
};
