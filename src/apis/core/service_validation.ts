// Validation of services.
import type { FieldError } from "../../machinery/field_error.ts";
import {
  collect,
  type Field,
  isPortNumber,
  parseIP,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateLabels,
  validateLegacyCIDR,
  validateLegacyIP,
  validatePortNumberOrName,
  validateQualifiedName,
} from "../../machinery/validation/mod.ts";
import type { ServicePort } from "../../facts/generated/types.ts";
import { validateEndpointIP } from "./endpoint_ip.ts";
import { externallyAccessible, isHeadless, needsHealthCheck, same, type ServiceObject } from "./service_rules.ts";

const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const TRAFFIC_POLICIES = ["Cluster", "Local"];
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const IP_MODES = ["Proxy", "VIP"];
const MAX_AFFINITY_SECONDS = 86400;
const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";

export function validateService(service: ServiceObject, old?: ServiceObject): FieldError[] {
  return collect((root) => checkService(service, old, root));
}

export function validateServiceUpdate(service: ServiceObject, old: ServiceObject): FieldError[] {
  return collect((root) => {
    const spec = root.child("spec");
    if (service.spec.type !== "ExternalName" && old.spec.type !== "ExternalName") {
      checkClusterIPsChange(service, old, spec);
      checkFamiliesChange(service, old, spec);
    }
    checkLoadBalancerClass(service, old, spec);
    const { healthCheckNodePort } = service.spec;
    if (needsHealthCheck(old) && needsHealthCheck(service) && healthCheckNodePort !== old.spec.healthCheckNodePort) {
      spec.child("healthCheckNodePort").forbidden("field is immutable");
    }
    checkService(service, old, root);
  });
}

function checkService(service: ServiceObject, old: ServiceObject | undefined, root: Field): void {
  const { spec, metadata } = service, at = root.child("spec");
  const mode = metadata.annotations?.[TOPOLOGY_MODE], hints = metadata.annotations?.[TOPOLOGY_HINTS];
  if (mode !== undefined && hints !== undefined && mode !== hints) {
    root.child("metadata", "annotations").key(TOPOLOGY_MODE).invalid(
      mode,
      `must match annotations[${TOPOLOGY_HINTS}] when both are specified`,
    );
  }
  checkType(service, at);
  checkPorts(service, at.child("ports"));
  if (spec.selector) validateLabels(spec.selector, at.child("selector"));
  checkAffinity(service, at);
  checkAddresses(service, old, at);
  checkExternalIPs(service, old, at.child("externalIPs"));
  if (!spec.type) at.child("type").required();
  else if (!TYPES.includes(spec.type)) at.child("type").notSupported(spec.type, TYPES);
  checkNodePorts(service, at.child("ports"));
  checkDuplicatePorts(service, at.child("ports"));
  checkSourceRanges(service, old, root);
  const allocates = at.child("allocateLoadBalancerNodePorts");
  if (spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== "LoadBalancer") allocates.forbidden(LB_ONLY);
  checkLoadBalancerClass(service, undefined, at);
  checkTrafficPolicies(service, at);
}

const LB_ONLY = "may only be used when `type` is 'LoadBalancer'";

function checkType({ spec }: ServiceObject, at: Field): void {
  const headless = spec.clusterIP === "None";
  if ((spec.ports ?? []).length === 0 && !(spec.type === "ClusterIP" && headless) && spec.type !== "ExternalName") {
    at.child("ports").required();
  }
  if ((spec.type === "LoadBalancer" || spec.type === "NodePort") && headless) {
    at.child("clusterIPs").index(0).invalid("None", `may not be set to 'None' for ${spec.type} services`);
  }
  if (spec.type !== "ExternalName") return;
  const not = "may not be set for ExternalName services";
  if ((spec.clusterIPs ?? []).length > 0) at.child("clusterIPs").forbidden(not);
  if ((spec.ipFamilies ?? []).length > 0) at.child("ipFamilies").forbidden(not);
  if (spec.ipFamilyPolicy !== undefined) at.child("ipFamilyPolicy").forbidden(not);
  const name = (spec.externalName ?? "").replace(/\.$/, "");
  if (name === "") at.child("externalName").required();
  else validateDNS1123Subdomain(name, at.child("externalName"));
}

function checkPorts({ spec }: ServiceObject, at: Field): void {
  const names = new Set<string>(), ports = spec.ports ?? [];
  ports.forEach((port, i) => checkPort(port, ports.length > 1, names, at.index(i)));
}

function checkPort(port: ServicePort, needsName: boolean, names: Set<string>, at: Field): void {
  const { name = "", protocol = "", targetPort, appProtocol } = port;
  if (name === "") {
    if (needsName) at.child("name").required();
  } else {
    validateDNS1123Label(name, at.child("name"));
    if (names.has(name)) at.child("name").duplicate(name);
    names.add(name);
  }
  at.child("port").invalidEach(port.port ?? 0, isPortNumber(port.port ?? 0));
  if (protocol === "") at.child("protocol").required();
  else if (!PROTOCOLS.includes(protocol)) at.child("protocol").notSupported(protocol, PROTOCOLS);
  validatePortNumberOrName(targetPort ?? 0, at.child("targetPort"));
  if (appProtocol !== undefined) validateQualifiedName(appProtocol, at.child("appProtocol"));
}

function checkAffinity({ spec }: ServiceObject, at: Field): void {
  const { sessionAffinity = "", sessionAffinityConfig: config } = spec;
  const field = at.child("sessionAffinity"), configField = at.child("sessionAffinityConfig");
  if (sessionAffinity === "") field.required();
  else if (sessionAffinity !== "ClientIP" && sessionAffinity !== "None") {
    field.notSupported(sessionAffinity, ["ClientIP", "None"]);
  }
  if (sessionAffinity === "ClientIP") {
    const seconds = config?.clientIP?.timeoutSeconds;
    if (config === undefined) configField.required("when session affinity type is ClientIP");
    else if (config.clientIP === undefined) {
      configField.child("clientIP").required("when session affinity type is ClientIP");
    } else if (seconds === undefined) {
      configField.child("clientIP", "timeoutSeconds").required("when session affinity type is ClientIP");
    } else if (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS) {
      configField.child("clientIP", "timeoutSeconds").invalid(
        seconds,
        `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`,
      );
    }
  } else if (sessionAffinity === "None" && config !== undefined) {
    configField.forbidden("must not be set when session affinity is None");
  }
}

/** clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy, which hang together; also asked before addresses are given out. */
export function checkAddresses(service: ServiceObject, old: ServiceObject | undefined, at: Field): void {
  const { spec } = service;
  if (spec.type === "ExternalName") return;
  const { clusterIP = "", clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const ips = at.child("clusterIPs"), families = at.child("ipFamilies");
  if (clusterIP !== "") {
    if (clusterIPs.length === 0) ips.required();
    else if (clusterIPs[0] !== clusterIP) ips.invalid(clusterIPs, "first value must match `clusterIP`");
  } else if (clusterIPs.length > 0) {
    ips.invalid(clusterIPs, "must be empty when `clusterIP` is not specified");
  }
  ipFamilies.forEach((family, i) => {
    if (!FAMILIES.includes(family)) families.index(i).notSupported(family, FAMILIES);
    if (ipFamilies.indexOf(family) < i) families.index(i).duplicate(family);
  });
  if (ipFamilyPolicy !== undefined && !POLICIES.includes(ipFamilyPolicy)) {
    at.child("ipFamilyPolicy").notSupported(ipFamilyPolicy, POLICIES);
  }
  const before = ips.count;
  clusterIPs.forEach((ip, i) => {
    if (i > 0 || ip !== "None") validateLegacyIP(ip, ips.index(i), { old: old?.spec.clusterIPs });
    else if (clusterIPs.length > 1) ips.invalid(clusterIPs, "'None' must be the first and only value");
  });
  const bad = ips.count > before;
  if (clusterIPs.length > 2) ips.invalid(clusterIPs, "may only hold up to 2 values");
  if (bad) return;
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size < 2) {
    ips.invalid(clusterIPs, "may specify no more than one IP for each IP family");
  }
  if (isHeadless(service)) return;
  clusterIPs.slice(0, ipFamilies.length).forEach((ip, i) => {
    if (FAMILIES.includes(ipFamilies[i]) && familyOf(ip) !== ipFamilies[i]) {
      ips.index(i).invalid(ip, `expected an ${ipFamilies[i]} value as indicated by \`ipFamilies[${i}]\``);
    }
  });
}

function familyOf(ip: string): string {
  return ip.includes(":") ? "IPv6" : "IPv4";
}

function checkExternalIPs({ spec }: ServiceObject, old: ServiceObject | undefined, at: Field): void {
  (spec.externalIPs ?? []).forEach((ip, i) => {
    const before = at.count;
    validateLegacyIP(ip, at.index(i), { old: old?.spec.externalIPs });
    if (at.count === before) validateEndpointIP(ip, at.index(i));
  });
}

function checkNodePorts({ spec }: ServiceObject, at: Field): void {
  const ports = spec.ports ?? [];
  if (spec.type === "ClusterIP") {
    ports.forEach(({ nodePort }, i) => {
      if (nodePort) at.index(i).child("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
    });
  }
  const seen = new Set<string>();
  ports.forEach(({ protocol, nodePort }, i) => {
    if (!nodePort) return;
    const key = `${protocol} ${nodePort}`;
    if (seen.has(key)) at.index(i).child("nodePort").duplicate(nodePort);
    seen.add(key);
  });
}

function checkDuplicatePorts({ spec }: ServiceObject, at: Field): void {
  const seen = new Set<string>();
  (spec.ports ?? []).forEach(({ protocol, port }, i) => {
    const key = `${protocol} ${port}`;
    if (seen.has(key)) {
      at.index(i).duplicate({
        Name: "",
        Protocol: protocol ?? "",
        AppProtocol: null,
        Port: port ?? 0,
        TargetPort: 0,
        NodePort: 0,
      });
    }
    seen.add(key);
  });
}

function checkSourceRanges({ spec, metadata }: ServiceObject, old: ServiceObject | undefined, root: Field): void {
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0) {
    const at = root.child("spec", "LoadBalancerSourceRanges");
    if (spec.type !== "LoadBalancer") at.forbidden(LB_ONLY);
    const known = old?.spec.loadBalancerSourceRanges?.map((r) => r.trim());
    ranges.forEach((range, i) => validateLegacyCIDR(range.trim(), at.index(i), { old: known }));
    return;
  }
  const annotation = metadata.annotations?.[SOURCE_RANGES];
  if (annotation === undefined) return;
  const at = root.child("metadata", "annotations").key(SOURCE_RANGES);
  if (spec.type !== "LoadBalancer") at.forbidden(LB_ONLY);
  if (annotation.trim() === "" || old?.metadata.annotations?.[SOURCE_RANGES] === annotation) return;
  for (const range of annotation.trim().split(",")) validateLegacyCIDR(range.trim(), at);
}

function checkLoadBalancerClass({ spec }: ServiceObject, old: ServiceObject | undefined, at: Field): void {
  const field = at.child("loadBalancerClass"), { loadBalancerClass } = spec;
  const both = old?.spec.type === "LoadBalancer" && spec.type === "LoadBalancer";
  if (both && !same(loadBalancerClass, old.spec.loadBalancerClass)) {
    field.invalid(loadBalancerClass ?? null, "may not change once set");
  }
  if (loadBalancerClass === undefined) return;
  if (spec.type === "LoadBalancer") validateQualifiedName(loadBalancerClass, field);
  else field.forbidden(LB_ONLY);
}

function checkTrafficPolicies(service: ServiceObject, at: Field): void {
  const { spec } = service;
  const { externalTrafficPolicy = "", internalTrafficPolicy, healthCheckNodePort = 0, trafficDistribution } = spec;
  const external = at.child("externalTrafficPolicy"), check = at.child("healthCheckNodePort");
  if (!externallyAccessible(service)) {
    if (externalTrafficPolicy !== "") {
      external.invalid(externalTrafficPolicy, "may only be set for externally-accessible services");
    }
  } else if (externalTrafficPolicy === "") external.required();
  else if (!TRAFFIC_POLICIES.includes(externalTrafficPolicy)) {
    external.notSupported(externalTrafficPolicy, TRAFFIC_POLICIES);
  }
  if (!needsHealthCheck(service)) {
    if (healthCheckNodePort !== 0) {
      check.invalid(
        healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      );
    }
  } else if (healthCheckNodePort === 0) check.required();
  else check.invalidEach(healthCheckNodePort, isPortNumber(healthCheckNodePort));
  const internal = at.child("internalTrafficPolicy");
  if (internalTrafficPolicy === undefined) {
    if (spec.type !== "ExternalName" && TYPES.includes(spec.type ?? "")) internal.required();
  } else if (!TRAFFIC_POLICIES.includes(internalTrafficPolicy)) {
    internal.notSupported(internalTrafficPolicy, TRAFFIC_POLICIES);
  }
  if (trafficDistribution !== undefined && !DISTRIBUTIONS.includes(trafficDistribution)) {
    at.child("trafficDistribution").notSupportedInOrder(trafficDistribution, DISTRIBUTIONS);
  }
}

const ONCE = "may not change once set";

function checkClusterIPsChange(service: ServiceObject, old: ServiceObject, at: Field): void {
  if (isHeadless(old) && isHeadless(service)) return;
  const before = old.spec.clusterIPs ?? [], now = service.spec.clusterIPs ?? [], ips = at.child("clusterIPs");
  if (before.length === now.length) {
    before.forEach((ip, i) => {
      if (ip !== now[i]) ips.index(i).invalid(now, ONCE);
    });
  } else if (before.length > now.length) {
    if (now.length === 0) ips.index(0).invalid(now, "primary clusterIP can not be unset");
    else if (now[0] !== before[0]) ips.index(0).invalid(now, ONCE);
    if (now.length === 1 && service.spec.ipFamilyPolicy !== "SingleStack") {
      at.child("ipFamilyPolicy").invalid(
        service.spec.ipFamilyPolicy ?? null,
        "must be set to 'SingleStack' when releasing the secondary clusterIP",
      );
    }
  } else if (before.length > 0 && now[0] !== before[0]) ips.index(0).invalid(now, ONCE);
}

function checkFamiliesChange(service: ServiceObject, old: ServiceObject, at: Field): void {
  if (isHeadless(old) || isHeadless(service)) return;
  const before = old.spec.ipFamilies ?? [], now = service.spec.ipFamilies ?? [], families = at.child("ipFamilies");
  if (before.length === now.length) {
    before.forEach((family, i) => {
      if (family !== now[i]) families.index(0).invalid(now, ONCE);
    });
    return;
  }
  if (before.length > 0 && now.length > 0 && before[0] !== now[0]) {
    families.index(0).invalid(service.spec.clusterIPs ?? [], ONCE);
  }
  if (before.length > now.length && now.length === 1 && service.spec.ipFamilyPolicy !== "SingleStack") {
    at.child("ipFamilyPolicy").invalid(
      service.spec.ipFamilyPolicy ?? null,
      "must be set to 'SingleStack' when releasing the secondary ipFamily",
    );
  }
}

export function validateLoadBalancerStatus({ status, spec }: ServiceObject, old: ServiceObject): FieldError[] {
  return collect((root) => {
    const at = root.child("status", "loadBalancer").child("ingress");
    const ingress = status?.loadBalancer?.ingress ?? [];
    if (spec.type !== "LoadBalancer" && ingress.length > 0) {
      return at.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
    }
    const known = (old.status?.loadBalancer?.ingress ?? []).flatMap((i) => i.ip ?? []);
    ingress.forEach(({ ip, ipMode, hostname }, i) => {
      const entry = at.index(i), mode = entry.child("ipMode");
      if (ip) validateLegacyIP(ip, entry.child("ip"), { old: known });
      if (ipMode === undefined) {
        if (ip) mode.required("must be specified when `ip` is set");
      } else if (!ip) mode.forbidden("may not be specified when `ip` is not set");
      else if (!IP_MODES.includes(ipMode)) mode.notSupported(ipMode, IP_MODES);
      if (!hostname) return;
      validateDNS1123Subdomain(hostname, entry.child("hostname"));
      if (parseIP(hostname)) entry.child("hostname").invalid(hostname, "must be a DNS name, not an IP address");
    });
  });
}
