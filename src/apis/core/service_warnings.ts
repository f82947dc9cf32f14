// What users of services are warned of.
import { warningsForCIDR, warningsForIP } from "../../machinery/validation/mod.ts";
import { isHeadless, type ServiceObject } from "./service_rules.ts";

const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";

export function serviceWarnings(service: ServiceObject): string[] {
  const { spec, metadata } = service, warnings: string[] = [];
  const { externalIPs = [], clusterIPs = [], type } = spec;
  if (metadata.annotations?.[TOPOLOGY_HINTS] !== undefined) {
    warnings.push(`annotation ${TOPOLOGY_HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`);
  }
  if (spec.clusterIP && spec.clusterIP !== "None") {
    clusterIPs.forEach((ip, i) => warnings.push(...warningsForIP(ip, `spec.clusterIPs[${i}]`)));
  }
  if (isHeadless(service)) {
    if (spec.loadBalancerIP) warnings.push("spec.loadBalancerIP is ignored for headless services");
    if (externalIPs.length > 0) warnings.push("spec.externalIPs is ignored for headless services");
    if (spec.sessionAffinity !== "None") warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  externalIPs.forEach((ip, i) => warnings.push(...warningsForIP(ip, `spec.externalIPs[${i}]`)));
  if (externalIPs.length > 0 && !isHeadless(service) && type !== "ExternalName") {
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (spec.loadBalancerIP) warnings.push(...warningsForIP(spec.loadBalancerIP, "spec.loadBalancerIP"));
  (spec.loadBalancerSourceRanges ?? []).forEach((cidr, i) =>
    warnings.push(...warningsForCIDR(cidr, `spec.loadBalancerSourceRanges[${i}]`))
  );
  if (type === "ExternalName" && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== "ExternalName" && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

export function serviceStatusWarnings({ status }: ServiceObject): string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, i) =>
    ip ? warningsForIP(ip, `status.loadBalancer.ingress[${i}]`) : []
  );
}
