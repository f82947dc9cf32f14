// Which node ports a service takes and gives back.
import {
  mayHaveNodePorts,
  needsHealthCheck,
  type ServiceObject,
  usesNodePorts,
} from "../../apis/core/service_rules.ts";
import { internalError, invalidError, unknownError } from "../../machinery/errors.ts";
import { invalid, path } from "../../machinery/field_error.ts";
import { type PortOperation, PortTakenError } from "./port_allocator.ts";

const SERVICE = { group: "", kind: "Service" };

/** Every node port of a service, the one for health checks included. */
export function nodePortsOf(service: ServiceObject): number[] {
  const ports = (service.spec.ports ?? []).flatMap((p) => p.nodePort ? [p.nodePort] : []);
  return needsHealthCheck(service) && service.spec.healthCheckNodePort
    ? [...ports, service.spec.healthCheckNodePort]
    : ports;
}

function refusePort(service: ServiceObject, index: number, port: number, e: unknown): never {
  if (!(e instanceof PortTakenError)) throw e;
  throw invalidError(SERVICE, service.metadata.name ?? "", [
    invalid(path("spec", "ports").index(index).child("nodePort"), port, e.message),
  ]);
}

/** Ports of one number share their node port, whatever their protocols. */
export function allocateNodePorts(service: ServiceObject, operation: PortOperation): void {
  const ports = service.spec.ports ?? [], given = new Map<number, number>();
  for (const [i, port] of ports.entries()) {
    const shared = given.get(port.port ?? 0);
    if (shared === undefined) {
      const wanted = ports.find((p) => p.port === port.port && p.nodePort)?.nodePort;
      port.nodePort = wanted === undefined ? nextPort(operation, "nodePort") : take(service, i, wanted, operation);
      given.set(port.port ?? 0, port.nodePort);
    } else if (!port.nodePort) port.nodePort = shared;
    else if (port.nodePort !== shared) take(service, i, port.nodePort, operation);
  }
}

/** Node ports that were asked for although none are given out; validation refuses most of them. */
export function checkGivenNodePorts(service: ServiceObject, operation: PortOperation): void {
  if (service.spec.type !== "LoadBalancer") return;
  for (const [i, port] of (service.spec.ports ?? []).entries()) {
    if (port.nodePort) take(service, i, port.nodePort, operation);
  }
}

function take(service: ServiceObject, index: number, port: number, operation: PortOperation): number {
  try {
    operation.allocate(port);
    return port;
  } catch (e) {
    refusePort(service, index, port, e);
  }
}

function nextPort(operation: PortOperation, what: string): number {
  try {
    return operation.allocateNext();
  } catch (e) {
    throw internalError(`failed to allocate a ${what}: ${(e as Error).message}`);
  }
}

export function allocateHealthCheckPort({ spec }: ServiceObject, operation: PortOperation): void {
  if (!spec.healthCheckNodePort) {
    spec.healthCheckNodePort = nextPort(operation, "HealthCheck NodePort 0");
    return;
  }
  try {
    operation.allocate(spec.healthCheckNodePort);
  } catch (e) {
    throw internalError(
      `failed to allocate requested HealthCheck NodePort ${spec.healthCheckNodePort}: ${(e as Error).message}`,
    );
  }
}

/** Throws when two ports of one protocol would have the same node port. */
export function updateNodePorts(service: ServiceObject, old: ServiceObject, operation: PortOperation): void {
  const ports = service.spec.ports ?? [],
    before = (old.spec.ports ?? []).flatMap((p) => p.nodePort ? [p.nodePort] : []);
  if (!mayHaveNodePorts(service)) {
    if (mayHaveNodePorts(old)) { for (const port of before) operation.release(port); }
    return;
  }
  const mine = new Set(before), seen = new Set<string>();
  for (const [i, port] of ports.entries()) {
    if (port.nodePort) {
      if (!mine.has(port.nodePort)) mine.add(take(service, i, port.nodePort, operation));
    } else if (usesNodePorts(service)) port.nodePort = nextPort(operation, "nodePort");
    else continue;
    const shown = `{${port.protocol} ${port.nodePort}}`;
    if (seen.has(shown)) throw unknownError(`duplicate nodePort: ${shown}`);
    seen.add(shown);
  }
  const now = new Set(ports.map((p) => p.nodePort));
  for (const port of before) if (!now.has(port)) operation.release(port);
}
