// Services: defaults, what may be set when, warnings and columns. Addresses and node ports: src/registry/services.
import { nameIsDNSLabel } from "../../machinery/validation/mod.ts";
import { AGE, loadBalancerAddresses, NAME, text, wide } from "../columns.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { validateLoadBalancerStatus, validateService, validateServiceUpdate } from "./service_validation.ts";
import { serviceStatusWarnings, serviceWarnings } from "./service_warnings.ts";
import { externallyAccessible, mayHaveNodePorts, needsHealthCheck, same, type ServiceObject } from "./service_rules.ts";

const AFFINITY_SECONDS = 10800;

function setDefaults(service: ServiceObject): void {
  const spec = service.spec;
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP" && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  }
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ||= "TCP";
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "") port.targetPort = port.port;
  }
  if (externallyAccessible(service)) spec.externalTrafficPolicy ||= "Cluster";
  if (["NodePort", "LoadBalancer", "ClusterIP"].includes(spec.type)) spec.internalTrafficPolicy ??= "Cluster";
  service.status ??= {};
  service.status.loadBalancer ??= {};
  if (spec.type !== "LoadBalancer") return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status.loadBalancer.ingress ?? []) if (ingress.ip) ingress.ipMode ??= "VIP";
}

/** Fields that go with a type are dropped when the type changes and the client left them as they were. */
function dropTypeDependentFields(service: ServiceObject, old: ServiceObject): void {
  const spec = service.spec, before = old.spec;
  if (before.type !== "ExternalName" && spec.type === "ExternalName") {
    if (same(spec.clusterIP, before.clusterIP) && same(spec.clusterIPs, before.clusterIPs)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (same(spec.ipFamilies, before.ipFamilies)) delete spec.ipFamilies;
    if (same(spec.ipFamilyPolicy, before.ipFamilyPolicy)) delete spec.ipFamilyPolicy;
  }
  const known = new Set((before.ports ?? []).map((p) => p.nodePort));
  const hasNewPort = (spec.ports ?? []).some((p) => p.nodePort && !known.has(p.nodePort));
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service) && !hasNewPort) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  const sameCheck = same(spec.healthCheckNodePort, before.healthCheckNodePort);
  if (needsHealthCheck(old) && !needsHealthCheck(service) && sameCheck) delete spec.healthCheckNodePort;
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    for (const field of ["allocateLoadBalancerNodePorts", "loadBalancerClass"] as const) {
      if (same(spec[field], before[field])) delete spec[field];
    }
  }
  const samePolicy = same(spec.externalTrafficPolicy, before.externalTrafficPolicy);
  if (externallyAccessible(old) && !externallyAccessible(service) && samePolicy) delete spec.externalTrafficPolicy;
  if (spec.type !== "LoadBalancer") service.status = { ...service.status, loadBalancer: {} };
}

const columns: readonly Column<ServiceObject>[] = [
  NAME,
  text("Type", "How the service is reached.", ({ spec }) => spec.type ?? ""),
  text("Cluster-IP", "Address inside of the cluster.", ({ spec }) => spec.clusterIPs?.[0] ?? "<none>"),
  text("External-IP", "Addresses from outside.", externalAddresses),
  text(
    "Port(s)",
    "Ports, with the node port behind a colon.",
    ({ spec }) =>
      (spec.ports ?? []).map((p) => `${p.port}${p.nodePort ? `:${p.nodePort}` : ""}/${p.protocol}`).join(",") ||
      "<none>",
  ),
  AGE,
  wide(
    text(
      "Selector",
      "Labels of the pods behind it.",
      ({ spec }) =>
        Object.entries(spec.selector ?? {}).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => `${k}=${v}`).join(",") ||
        "<none>",
    ),
  ),
];

function externalAddresses({ spec, status }: ServiceObject): string {
  const own = spec.externalIPs ?? [];
  if (spec.type === "ExternalName") return spec.externalName ?? "";
  if (spec.type !== "LoadBalancer") return own.join(",") || "<none>";
  const given = loadBalancerAddresses(status?.loadBalancer);
  return [...(given === "" ? [] : [given]), ...own].join(",") || "<pending>";
}

export const service: KindDefinition<ServiceObject> = {
  gvk: { group: "", version: "v1", kind: "Service" },
  resource: "services",
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  validateName: nameIsDNSLabel,
  setDefaults,
  prepareForCreate(object) {
    object.status = { loadBalancer: {} };
  },
  prepareForUpdate(object, old) {
    dropTypeDependentFields(object, old);
  },
  validate: (object) => validateService(object),
  validateUpdate: (object, old) => validateServiceUpdate(object, old),
  warningsOnCreate: serviceWarnings,
  warningsOnUpdate: serviceWarnings,
  canonicalize(object) {
    // A name has no endpoints to choose between.
    if (object.spec.type === "ExternalName") delete object.spec.internalTrafficPolicy;
  },
  fields: (object) => ({ "spec.clusterIP": object.spec.clusterIP ?? "", "spec.type": object.spec.type ?? "" }),
  columns,
  subresources: {
    status: {
      validateUpdate: (object, old) => validateLoadBalancerStatus(object, old),
      warningsOnUpdate: serviceStatusWarnings,
    },
  },
};
