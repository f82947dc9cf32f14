// What holds of services, shared by defaults, validation and the allocation of addresses.
import type { Json, KubeObject } from "../../machinery/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { Service, ServiceSpec } from "../../facts/generated/types.ts";

/** A service with its spec, which defaulting makes sure of. */
export type ServiceObject = KubeObject & Service & { spec: ServiceSpec };

export function isHeadless({ spec }: ServiceObject): boolean {
  return spec.type === "ClusterIP" && spec.clusterIP === "None";
}

export function externallyAccessible({ spec }: ServiceObject): boolean {
  const { type, externalIPs = [] } = spec;
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && externalIPs.length > 0);
}

/** Load balancers that keep traffic on its node ask the nodes whether they have an endpoint. */
export function needsHealthCheck({ spec }: ServiceObject): boolean {
  return spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
}

/** Of a type whose ports may have node ports. */
export function mayHaveNodePorts({ spec }: ServiceObject): boolean {
  return spec.type === "NodePort" || spec.type === "LoadBalancer";
}

/** Of a type whose ports are given node ports. */
export function usesNodePorts({ spec }: ServiceObject): boolean {
  return spec.type === "NodePort" || (spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false);
}

/** Equal, where something empty is the same as nothing. */
export function same(a: unknown, b: unknown): boolean {
  const plain = (v: unknown) => v === "" || v === 0 || (Array.isArray(v) && v.length === 0) ? undefined : v;
  return deepEqual(plain(a) as Json, plain(b) as Json);
}
