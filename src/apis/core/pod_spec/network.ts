// Rules of a pod's names and network: DNS, host names, aliases, the host's network and user namespace.
import type * as v1 from "../../../facts/generated/types.ts";
import {
  validateDNS1123Subdomain,
  validateDNS1123SubdomainWithUnderscore,
} from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { byteLength } from "../../../machinery/validation/names.ts";
import { validateLegacyIP } from "../../../machinery/validation/net.ts";
import type { PodOptions } from "./options.ts";
import { visitContainers } from "./visit.ts";

const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const MAX_HOSTNAME = 64;

export function validateDNSPolicy(policy: string | undefined, at: Field): void {
  if (!policy) at.required();
  else if (!DNS_POLICIES.includes(policy)) at.notSupportedInOrder(policy, DNS_POLICIES);
}

/** What a pod asks of its resolver. With the policy None at least one nameserver is needed. */
export function validateDNSConfig(spec: v1.PodSpec, at: Field): void {
  const config = spec.dnsConfig;
  if (spec.dnsPolicy === "None") {
    if (!config) return at.required("must provide `dnsConfig` when `dnsPolicy` is None");
    if (!config.nameservers?.length) {
      return at.child("nameservers").required("must provide at least one DNS nameserver when `dnsPolicy` is None");
    }
  }
  if (!config) return;
  const { nameservers = [], searches = [], options = [] } = config;
  if (nameservers.length > MAX_NAMESERVERS) {
    at.child("nameservers").invalid(nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`);
  }
  nameservers.forEach((server, i) => validateLegacyIP(server, at.child("nameservers").index(i)));
  if (searches.length > MAX_SEARCHES) {
    at.child("searches").invalid(searches, `must not have more than ${MAX_SEARCHES} search paths`);
  }
  if (byteLength(searches.join(" ")) > MAX_SEARCH_CHARACTERS) {
    at.child("searches").invalid(
      searches,
      `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
    );
  }
  searches.forEach((search, i) => {
    if (search === ".") return;
    const domain = search.endsWith(".") ? search.slice(0, -1) : search;
    validateDNS1123SubdomainWithUnderscore(domain, at.child("searches").index(i));
  });
  options.forEach(({ name }, i) => {
    if (!name) at.child("options").index(i).required("must not be empty");
  });
}

/** Ports of the host's network are the containers' own; `at` is the spec. */
export function validateHostNetworkPorts(spec: v1.PodSpec, at: Field, options: PodOptions): void {
  if (!spec.hostNetwork) return;
  spec.containers?.forEach((container, i) => {
    container.ports?.forEach(({ hostPort = 0, containerPort = 0 }, j) => {
      if (hostPort === containerPort || (!options.isPod && hostPort === 0)) return;
      at.child("containers").index(i).child("ports").index(j).child("hostPort").invalid(
        hostPort,
        "must match `containerPort` when `hostNetwork` is true",
      );
    });
  });
}

/** What a pod in a user namespace of its own (KEP-127) cannot share with the host. */
export function validateUserNamespace(spec: v1.PodSpec, at: Field, options: PodOptions): void {
  if (spec.hostUsers !== false) return;
  const refuse = (field: Field) => field.forbidden("when `hostUsers` is false");
  if (spec.hostNetwork && !options.allowUserNamespacesWithHostNetwork) refuse(at.child("hostNetwork"));
  if (spec.hostPID) refuse(at.child("HostPID"));
  if (spec.hostIPC) refuse(at.child("HostIPC"));
  if (options.allowUserNamespacesWithDevices) return;
  visitContainers(spec, at, (container, field) => {
    if (container.volumeDevices?.length) refuse(field.child("volumeDevices"));
  });
}

/** A host name of any form (KEP-4762). */
export function validateHostnameOverride(spec: v1.PodSpec, at: Field): void {
  const name = spec.hostnameOverride;
  if (name === undefined) return;
  const field = at.child("hostnameOverride");
  if (spec.setHostnameAsFQDN) field.forbidden("may not be specified when setHostnameAsFQDN is true");
  if (spec.hostNetwork) field.forbidden("may not be specified when hostNetwork is true");
  if (byteLength(name) > MAX_HOSTNAME) field.tooLong(MAX_HOSTNAME);
  validateDNS1123Subdomain(name, field);
}

/** Lines of the pod's hosts file. */
export function validateHostAliases(aliases: readonly v1.HostAlias[], at: Field): void {
  aliases.forEach(({ ip = "", hostnames }, i) => {
    validateLegacyIP(ip, at.index(i).child("ip"));
    hostnames?.forEach((name, j) => validateDNS1123Subdomain(name, at.index(i).child("hostnames").index(j)));
  });
}
