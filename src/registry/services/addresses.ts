// Cluster addresses of services. An address is held by an IPAddress object of its name, which is what keeps several
// servers, and the controllers, from giving it out twice; it comes from the ranges that ServiceCIDR objects have.
import type { ServiceObject } from "../../apis/core/service_rules.ts";
import type { ServiceCIDR } from "../../facts/generated/types.ts";
import { hasReason, internalError, invalidError } from "../../machinery/errors.ts";
import { invalid, path } from "../../machinery/field_error.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { parseIP } from "../../machinery/validation/mod.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { Store } from "../store.ts";
import { familyOf, type IPFamily, IPRange } from "./ip_range.ts";

type RangeObject = KubeObject & ServiceCIDR;

export const MANAGED_BY = "ipallocator.k8s.io";
export const FAMILY_LABEL = "ipaddress.kubernetes.io/ip-family";
export const MANAGED_BY_LABEL = "ipaddress.kubernetes.io/managed-by";
const SERVICE = { group: "", kind: "Service" };
/** Wider ranges of IPv6 give nothing out. */
const SHORTEST_PREFIX = 64;

export class ServiceAddresses {
  readonly #resources: BuiltinResources;
  readonly #context: RequestContext;
  /** What `--service-cluster-ip-range` says: holds until there is a ServiceCIDR object of it. */
  readonly #configured: readonly IPRange[];

  constructor(resources: BuiltinResources, context: RequestContext, configured: readonly IPRange[]) {
    this.#resources = resources;
    this.#context = context;
    this.#configured = configured;
  }

  /**
   * @param wanted an address that was asked for by name, or ""
   * @returns the address, held unless it is a dry run
   */
  async allocate(service: ServiceObject, family: IPFamily, wanted: string, dryRun: boolean): Promise<string> {
    const ranges = (await this.#ranges()).filter((range) => range.family === family);
    if (wanted !== "") {
      const problem = await this.#take(service, wanted, ranges, dryRun);
      if (problem === undefined) return wanted;
      const { clusterIPs } = service.spec;
      throw invalidError(SERVICE, service.metadata.name ?? "", [
        invalid(path("spec", "clusterIPs"), clusterIPs, `failed to allocate IP ${wanted}: ${problem}`),
      ]);
    }
    for (const range of ranges) {
      // No address is looked for when none is taken.
      if (dryRun) return range.network;
      for (const ip of range.candidates()) {
        if (!this.#isHeld(ip) && await this.#hold(service, ip)) return ip;
      }
    }
    throw internalError(
      `failed to allocate a serviceIP for Service ${JSON.stringify(service.metadata.name)}: range is full`,
    );
  }

  async release(addresses: readonly string[]): Promise<void> {
    for (const ip of addresses) {
      try {
        await this.#store.delete(this.#context, addressName(ip), {}, { dryRun: false });
      } catch (e) {
        if (!hasReason(e, "NotFound")) throw e;
      }
    }
  }

  get #store(): Store {
    return this.#resources.store("networking.k8s.io", "ipaddresses");
  }

  /** Holds an address that was asked for by name, or says why it cannot. */
  async #take(
    service: ServiceObject,
    ip: string,
    ranges: readonly IPRange[],
    dryRun: boolean,
  ): Promise<string | undefined> {
    if (!ranges.some((range) => range.has(ip))) {
      return dryRun ? "allocator not ready" : "the provided network does not match the current range";
    }
    return dryRun || await this.#hold(service, ip) ? undefined : "provided IP is already allocated";
  }

  async #ranges(): Promise<readonly IPRange[]> {
    const { items } = await this.#resources.store("networking.k8s.io", "servicecidrs").list(this.#context, {});
    const objects = items.map((item) => item.object() as RangeObject);
    const cidrs = objects.filter(isReady).flatMap(({ spec }) => spec?.cidrs ?? []);
    const own = objects.some(({ metadata }) => metadata.name === "kubernetes") ? [] : this.#configured;
    return [...own, ...[...new Set(cidrs)].map((cidr) => new IPRange(cidr))].filter(isUsable);
  }

  #isHeld(ip: string): boolean {
    const { config } = this.#store;
    return config.storage.storage.getCached?.(`${config.prefix}/${ip}`) != null;
  }

  /** False when somebody else holds the address. */
  async #hold(service: ServiceObject, ip: string): Promise<boolean> {
    const name = addressName(ip);
    try {
      await this.#store.create(this.#context, name, addressObject(name, service), { options: {}, dryRun: false });
      return true;
    } catch (e) {
      if (hasReason(e, "AlreadyExists")) return false;
      throw e;
    }
  }
}

/** The name of the IPAddress of an address: its canonical form. */
export function addressName(ip: string): string {
  return parseIP(ip)?.text ?? ip;
}

/** The IPAddress that says that a service has an address. */
export function addressObject(name: string, { metadata }: ServiceObject): KubeObject {
  return {
    kind: "IPAddress",
    apiVersion: "networking.k8s.io/v1",
    metadata: { name, labels: { [FAMILY_LABEL]: familyOf(name), [MANAGED_BY_LABEL]: MANAGED_BY } },
    spec: { parentRef: { resource: "services", namespace: metadata.namespace, name: metadata.name } },
  };
}

function isUsable({ family, cidr }: IPRange): boolean {
  return family === "IPv4" || Number(cidr.split("/")[1]) >= SHORTEST_PREFIX;
}

/** A range that nobody has said anything of counts as ready. */
function isReady({ metadata, status }: RangeObject): boolean {
  if (metadata.deletionTimestamp) return false;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready === undefined || ready.status === "True";
}
