// Keeps the addresses that are held the same as those that services have: a server that died between two writes leaves
// an address without its service, and what somebody deleted by hand is missing.
import type { ServiceObject } from "../../apis/core/service_rules.ts";
import type { IPAddress } from "../../facts/generated/types.ts";
import { hasReason } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { RequestContext } from "../../apis/context.ts";
import { addressName, addressObject, FAMILY_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from "./addresses.ts";

type AddressObject = KubeObject & IPAddress;

const REPAIR_EVERY_MS = 180_000;
/** A service may still be on its way for so long after its address, as long as a request takes at most. */
const GRACE_MS = 60_000;

/** Repairs once, then now and then until the signal is aborted. Fails when the first repair does. */
export async function repairServiceAddresses(
  resources: BuiltinResources,
  context: RequestContext,
  signal: AbortSignal,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  const repair = async () => {
    const next = await repairOnce(resources, context, Date.now());
    if (!signal.aborted) timer = setTimeout(() => void repair().catch(() => again()), next);
  };
  const again = () => {
    if (!signal.aborted) timer = setTimeout(() => void repair().catch(() => again()), REPAIR_EVERY_MS);
  };
  await repair();
}

/** @returns in how many milliseconds there is something to look at again */
export async function repairOnce(resources: BuiltinResources, context: RequestContext, now: number): Promise<number> {
  const addresses = resources.store("networking.k8s.io", "ipaddresses");
  // Addresses are written before their services, and read before them: one whose service is missing has none yet.
  const held = new Map((await listOf<AddressObject>(addresses, context)).map((a) => [a.metadata.name!, a]));
  const services = await listOf<ServiceObject>(resources.store("", "services"), context);
  const remove = async ({ metadata: { name, uid } }: AddressObject) => {
    try {
      await addresses.delete(context, name!, { preconditions: { uid } }, { dryRun: false });
    } catch (e) {
      // Somebody else was faster, and may hold the address anew.
      if (!hasReason(e, "NotFound") && !hasReason(e, "Conflict")) throw e;
    }
  };
  const used = new Map<string, ServiceObject>();
  for (const service of services) {
    for (const ip of (service.spec.clusterIPs ?? []).filter((ip) => ip !== "None").map(addressName)) {
      if (!used.has(ip)) used.set(ip, service);
    }
  }
  for (const [ip, service] of used) {
    const address = held.get(ip);
    if (address !== undefined) {
      if (isRight(address, service)) continue;
      await remove(address);
    }
    try {
      await addresses.create(context, ip, addressObject(ip, service), { options: {}, dryRun: false });
    } catch (e) {
      if (!hasReason(e, "AlreadyExists")) throw e;
    }
  }
  let next = REPAIR_EVERY_MS;
  for (const [ip, address] of held) {
    const { metadata } = address;
    if (used.has(ip) || metadata.labels?.[MANAGED_BY_LABEL] !== MANAGED_BY) continue;
    const left = Date.parse(metadata.creationTimestamp!) + GRACE_MS - now;
    if (left > 0) next = Math.min(next, left + 1000);
    else await remove(address);
  }
  return next;
}

async function listOf<T extends KubeObject>(
  store: ReturnType<BuiltinResources["store"]>,
  context: RequestContext,
): Promise<T[]> {
  const { items } = await store.list(context, {});
  return items.map((item) => item.object() as T);
}

/** Whether an address says of which service it is, as the allocator wrote it. */
function isRight({ metadata, spec }: AddressObject, service: ServiceObject): boolean {
  const parent = spec?.parentRef, wanted = addressObject(metadata.name!, service);
  return !parent?.group && parent?.resource === "services" && parent.namespace === service.metadata.namespace &&
    parent.name === service.metadata.name &&
    [FAMILY_LABEL, MANAGED_BY_LABEL].every((label) => metadata.labels?.[label] === wanted.metadata.labels?.[label]);
}
