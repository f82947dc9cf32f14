// What a service gets from the cluster: its IP families, its addresses and its node ports.
import { hasReason, invalidError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { checkAddresses } from "../../apis/core/service_validation.ts";
import { needsHealthCheck, same, type ServiceObject, usesNodePorts } from "../../apis/core/service_rules.ts";
import { collect, type Field } from "../../machinery/validation/mod.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { Finish, StoreHooks } from "../config.ts";
import type { RequestContext } from "../../apis/context.ts";
import { ServiceAddresses } from "./addresses.ts";
import { familyOf, type IPFamily, IPRange } from "./ip_range.ts";
import {
  allocateHealthCheckPort,
  allocateNodePorts,
  checkGivenNodePorts,
  nodePortsOf,
  updateNodePorts,
} from "./node_ports.ts";
import { PortAllocator, PortOperation, PortTakenError } from "./port_allocator.ts";

const SERVICE = { group: "", kind: "Service" };

export interface ServiceAllocationOptions {
  /** One CIDR, or two of different families; the first is the cluster's own. */
  clusterIPRanges: readonly string[];
  nodePorts: { first: number; last: number };
  /** The context of what the server writes itself. */
  context: RequestContext;
}

export function serviceHooks(resources: BuiltinResources, options: ServiceAllocationOptions): StoreHooks {
  return new ServiceAllocation(resources, options);
}

class ServiceAllocation implements StoreHooks {
  readonly #resources: BuiltinResources;
  readonly #options: ServiceAllocationOptions;
  readonly #ranges: ReadonlyMap<IPFamily, IPRange>;
  readonly #primary: IPFamily;
  readonly #addresses: ServiceAddresses;
  readonly #ports: PortAllocator;
  #repaired: Promise<void> | undefined;

  constructor(resources: BuiltinResources, options: ServiceAllocationOptions) {
    this.#resources = resources;
    this.#options = options;
    const ranges = options.clusterIPRanges.map((cidr) => new IPRange(cidr));
    this.#ranges = new Map(ranges.map((range) => [range.family, range]));
    this.#primary = ranges[0].family;
    this.#addresses = new ServiceAddresses(resources, options.context, ranges);
    this.#ports = new PortAllocator(options.nodePorts.first, options.nodePorts.last);
  }

  /** Node ports in use are read off the services once, before the first is given out. */
  #repair(): Promise<void> {
    return this.#repaired ??= (async () => {
      const { items } = await this.#resources.store("", "services").list(this.#options.context, {});
      for (const item of items) {
        for (const port of nodePortsOf(item.object() as ServiceObject)) {
          if (this.#ports.has(port)) this.#takePort(port);
        }
      }
    })();
  }

  #takePort(port: number): void {
    try {
      this.#ports.allocate(port);
    } catch (e) {
      // Two services may share a port under different protocols.
      if (!(e instanceof PortTakenError)) throw e;
    }
  }

  async beginCreate(_context: RequestContext, object: KubeObject, dryRun: boolean): Promise<Finish> {
    await this.#repair();
    const service = object as ServiceObject;
    const { spec } = service;
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
    this.#initFamilies(service, undefined);
    const addresses = await this.#allocateAddresses(service, dryRun);
    const ports = new PortOperation(this.#ports, dryRun);
    try {
      if (usesNodePorts(service)) allocateNodePorts(service, ports);
      else checkGivenNodePorts(service, ports);
      if (needsHealthCheck(service)) allocateHealthCheckPort(service, ports);
    } catch (e) {
      ports.revert();
      await this.#addresses.release(addresses);
      throw e;
    }
    return (success) => this.#finish(success, { ports, allocated: addresses, released: [] });
  }

  async beginUpdate(
    _context: RequestContext,
    object: KubeObject,
    oldObject: KubeObject,
    dryRun: boolean,
  ): Promise<Finish> {
    await this.#repair();
    const service = object as ServiceObject, old = oldObject as ServiceObject;
    keepAllocated(service, old);
    normalizeClusterIPs(service, old);
    this.#initFamilies(service, old);
    const { allocated, released } = await this.#updateAddresses(service, old, dryRun);
    const ports = new PortOperation(this.#ports, dryRun);
    try {
      updateNodePorts(service, old, ports);
      if (!needsHealthCheck(old) && needsHealthCheck(service)) allocateHealthCheckPort(service, ports);
      else if (needsHealthCheck(old) && !needsHealthCheck(service)) ports.release(old.spec.healthCheckNodePort ?? 0);
    } catch (e) {
      ports.revert();
      await this.#addresses.release(allocated);
      throw e;
    }
    return (success) => this.#finish(success, { ports, allocated, released: dryRun ? [] : released });
  }

  async afterDelete(object: KubeObject, dryRun: boolean): Promise<void> {
    if (dryRun) return;
    const service = object as ServiceObject;
    await this.#deleteEndpoints(service);
    await this.#addresses.release((service.spec.clusterIPs ?? []).filter((ip) => ip !== "None"));
    for (const port of nodePortsOf(service)) this.#ports.release(port);
  }

  async #deleteEndpoints({ metadata }: ServiceObject): Promise<void> {
    const context = { ...this.#options.context, namespace: metadata.namespace! };
    try {
      await this.#resources.store("", "endpoints").delete(context, metadata.name!, {}, { dryRun: false });
    } catch (e) {
      if (!hasReason(e, "NotFound")) throw e;
    }
  }

  async #finish(
    success: boolean,
    { ports, allocated, released }: { ports: PortOperation; allocated: string[]; released: string[] },
  ): Promise<void> {
    if (success) ports.commit();
    else ports.revert();
    await this.#addresses.release(success ? released : allocated);
  }

  /** Families and policy that the client left open, by what the cluster has. */
  #initFamilies(service: ServiceObject, old: ServiceObject | undefined): void {
    const { spec } = service;
    if (spec.type === "ExternalName") return;
    if (old !== undefined && keepsDualStack(service, old)) return;
    spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ??
      (spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0 ? "RequireDualStack" : "SingleStack");
    this.#refuse(service, collect((root) => checkAddresses(service, old, root.child("spec"))));
    const errors = collect((root) => this.#checkPolicy(service, old, root.child("spec")));
    this.#refuse(service, errors);
    if (spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0) {
      spec.ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : [this.#primary];
      if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== "SingleStack") {
        spec.ipFamilies.push(other(spec.ipFamilies[0]));
      }
      return;
    }
    this.#refuse(service, collect((root) => this.#checkConfigured(service, root.child("spec"))));
    if (!spec.ipFamilies?.length) spec.ipFamilies = [this.#primary];
    if (spec.ipFamilyPolicy !== "SingleStack" && spec.ipFamilies.length === 1 && this.#ranges.size === 2) {
      spec.ipFamilies.push(other(spec.ipFamilies[0]));
    }
  }

  #checkPolicy(service: ServiceObject, old: ServiceObject | undefined, at: Field): void {
    const { spec } = service, policy = at.child("ipFamilyPolicy");
    const single = spec.ipFamilyPolicy === "SingleStack";
    if (old !== undefined && single) {
      if (same(spec.clusterIPs, old.spec.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1);
      if (same(spec.ipFamilies, old.spec.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1);
    } else if (old !== undefined) {
      const fewer = (a: readonly string[] = [], b: readonly string[] = []) => a.length > 0 && a.length < b.length;
      if (fewer(spec.clusterIPs, old.spec.clusterIPs)) {
        policy.invalid(spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP");
      }
      if (fewer(spec.ipFamilies, old.spec.ipFamilies)) {
        policy.invalid(spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family");
      }
    }
    const both = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
    if (single && spec.clusterIPs?.length === 2) {
      policy.invalid(spec.ipFamilyPolicy, `${both} cluster IPs are specified`);
    }
    if (single && spec.ipFamilies?.length === 2) {
      policy.invalid(spec.ipFamilyPolicy, `${both} IP families are specified`);
    }
    (spec.clusterIPs ?? []).forEach((ip, i) => {
      if (ip === "None" || i < (spec.ipFamilies?.length ?? 0)) return;
      const family = familyOf(ip);
      if (this.#ranges.has(family)) (spec.ipFamilies ??= []).push(family);
      else at.child("clusterIPs").index(i).invalid(spec.clusterIPs, `${family} is not configured on this cluster`);
    });
  }

  #checkConfigured({ spec }: ServiceObject, at: Field): void {
    if (spec.ipFamilyPolicy === "RequireDualStack" && this.#ranges.size < 2) {
      at.child("ipFamilyPolicy").invalid(spec.ipFamilyPolicy, "this cluster is not configured for dual-stack services");
    }
    (spec.ipFamilies ?? []).forEach((family, i) => {
      if (!this.#ranges.has(family as IPFamily)) {
        at.child("ipFamilies").index(i).invalid(family, "not configured on this cluster");
      }
    });
  }

  #refuse(service: ServiceObject, errors: FieldError[]): void {
    if (errors.length > 0) throw invalidError(SERVICE, service.metadata.name ?? "", errors);
  }

  async #updateAddresses(service: ServiceObject, old: ServiceObject, dryRun: boolean) {
    const none = { allocated: [] as string[], released: [] as string[] };
    if (keepsDualStack(service, old)) return none;
    const { spec } = service, before = old.spec;
    if (before.type === "ExternalName" && spec.type !== "ExternalName") {
      return { ...none, allocated: await this.#allocateAddresses(service, dryRun) };
    }
    if (before.clusterIPs?.[0] === "None") return none;
    if (before.type !== "ExternalName" && spec.type === "ExternalName") {
      return { ...none, released: before.clusterIPs ?? [] };
    }
    const was = before.ipFamilies?.length ?? 0, is = spec.ipFamilies?.length ?? 0;
    if (was === 1 && is === 2) {
      const wanted = spec.clusterIPs?.[1] ?? "";
      const ip = await this.#addresses.allocate(service, spec.ipFamilies![1] as IPFamily, wanted, dryRun);
      spec.clusterIPs = [spec.clusterIPs![0], ip];
      return { ...none, allocated: dryRun ? [] : [ip] };
    }
    if (was === 2 && is === 1) return { ...none, released: before.clusterIPs?.slice(1) ?? [] };
    return none;
  }

  /** One address for each family. Returns those that are now held. */
  async #allocateAddresses(service: ServiceObject, dryRun: boolean): Promise<string[]> {
    const { spec } = service;
    if (spec.type === "ExternalName" || spec.clusterIPs?.[0] === "None") return [];
    const held: string[] = [], wanted = [...spec.clusterIPs ?? []];
    try {
      for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
        wanted[i] = await this.#addresses.allocate(service, family as IPFamily, wanted[i] ?? "", dryRun);
        if (!dryRun) held.push(wanted[i]);
      }
    } catch (e) {
      await this.#addresses.release(held);
      throw e;
    }
    spec.clusterIPs = wanted;
    spec.clusterIP = wanted[0];
    return held;
  }
}

function other(family: string): string {
  return family === "IPv4" ? "IPv6" : "IPv4";
}

/** A service that prefers dual stack is neither given nor stripped of an address unless its fields change. */
function keepsDualStack({ spec }: ServiceObject, { spec: before }: ServiceObject): boolean {
  return before.ipFamilyPolicy === "PreferDualStack" && spec.ipFamilyPolicy === "PreferDualStack" &&
    same(spec.clusterIPs, before.clusterIPs) && same(spec.ipFamilies, before.ipFamilies);
}

/** What a client that does not know of a field leaves out of its update stays. */
function keepAllocated({ spec }: ServiceObject, old: ServiceObject): void {
  const before = old.spec;
  if (before.type !== "ExternalName" && spec.type !== "ExternalName") {
    spec.clusterIP ||= before.clusterIP;
    if (!spec.clusterIPs?.length && before.clusterIPs?.length) spec.clusterIPs = [...before.clusterIPs];
    if (spec.clusterIP === undefined) delete spec.clusterIP;
  }
  const service = { spec } as ServiceObject;
  if (usesNodePorts(old) && usesNodePorts(service)) {
    const given = new Set(spec.ports?.map((p) => p.nodePort));
    const kept = new Set(before.ports?.map((p) => p.nodePort).filter((port) => given.has(port)));
    const byName = new Map((before.ports ?? []).map((p) => [p.name ?? "", p.nodePort]));
    for (const port of spec.ports ?? []) {
      const known = byName.get(port.name ?? "");
      if (!port.nodePort && known && !kept.has(known)) port.nodePort = known;
    }
  }
  if (needsHealthCheck(old) && needsHealthCheck(service)) spec.healthCheckNodePort ||= before.healthCheckNodePort;
}

/** clusterIP and clusterIPs follow one another where the client changed only one of them. */
function normalizeClusterIPs({ spec }: ServiceObject, { spec: before }: ServiceObject): void {
  const samePlural = same(spec.clusterIPs, before.clusterIPs);
  if (same(spec.clusterIP, before.clusterIP) || !samePlural) return;
  if (before.clusterIP && !spec.clusterIP) delete spec.clusterIPs;
  else spec.clusterIPs = spec.clusterIP ? [spec.clusterIP] : undefined;
  if (spec.clusterIPs === undefined) delete spec.clusterIPs;
}
