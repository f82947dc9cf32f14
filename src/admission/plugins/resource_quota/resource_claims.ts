// What quotas count of claims of devices (KEP-4381): their number, and devices by class.
import type { ResourceList } from "../../../apis/core/resource_names.ts";
import type { DeviceRequest, DeviceSubRequest, ExactDeviceRequest } from "../../../facts/generated/types.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import type { ObjectLookup } from "../lookup.ts";
import { countName, type Evaluator } from "./evaluator.ts";
import { isExtendedRequest, podUsage } from "./pods.ts";
import { addLists, excess, greatest } from "./resource_lists.ts";

const COUNT = countName({ group: "resource.k8s.io", resource: "resourceclaims" });
const OF_CLASS = ".deviceclass.resource.k8s.io/devices";
const IMPLICIT = "requests.deviceclass.resource.kubernetes.io/";
const EXTENDED_CLAIM = "resource.kubernetes.io/extended-resource-claim";
/** Devices that a claim can get at most: what `All` may come to. */
const MOST_DEVICES = 32;

function devices({ deviceClassName, allocationMode, count = 0 }: ExactDeviceRequest | DeviceSubRequest): ResourceList {
  const number = allocationMode === "All" ? MOST_DEVICES : allocationMode === "ExactCount" ? Number(count) : 0;
  return { [`${deviceClassName}${OF_CLASS}`]: String(number) };
}

/** Of alternatives the worst case of each class. */
function requested({ firstAvailable = [], exactly }: DeviceRequest): ResourceList {
  if (firstAvailable.length > 0) return greatest(...firstAvailable.map(devices));
  return exactly === undefined ? {} : devices(exactly);
}

/** What the pod counts for which a claim was made: nobody pays twice. */
async function ownersUsage(lookup: ObjectLookup, claim: KubeObject, namespace: string): Promise<ResourceList> {
  const { annotations, ownerReferences, name = "" } = claim.metadata;
  const since = claim.metadata.creationTimestamp ?? "";
  const owner = ownerReferences?.find((reference) => reference.controller);
  if (annotations?.[EXTENDED_CLAIM] !== "true" || owner?.kind !== "Pod" || owner.apiVersion !== "v1") return {};
  const pod = await lookup.get("", "pods", owner.name, namespace);
  if (pod?.metadata.uid !== owner.uid) return {};
  const known = pod.status?.extendedResourceClaimStatus;
  if (known !== undefined) return known.resourceClaimName === name ? podUsage(pod) : {};
  const others = (await lookup.list("resource.k8s.io", "resourceclaims", namespace)).filter(({ metadata }) =>
    metadata.annotations?.[EXTENDED_CLAIM] === "true" &&
    metadata.ownerReferences?.some((reference) => reference.controller && reference.uid === owner.uid)
  );
  const isFirst = others.every(({ metadata }) => {
    const made = metadata.creationTimestamp ?? "";
    return made > since || (made === since && (metadata.name ?? "") >= name);
  });
  return isFirst ? podUsage(pod) : {};
}

/** With the device classes as they are, and for claims in this namespace. */
export async function resourceClaims(
  lookup: ObjectLookup,
  claims: readonly KubeObject[],
  namespace: string,
): Promise<Evaluator> {
  const extended = new Map<string, string>();
  for (const { metadata, spec } of await lookup.list("resource.k8s.io", "deviceclasses")) {
    if (spec?.extendedResourceName) extended.set(metadata.name!, spec.extendedResourceName);
  }
  const names = new Set(extended.values());
  const counted = new Map<KubeObject, ResourceList>();
  for (const claim of claims) counted.set(claim, await ownersUsage(lookup, claim, namespace));

  /** The same devices under the names by which pods ask for them. */
  function implied(claim: KubeObject, usage: ResourceList): ResourceList {
    const byRequest: ResourceList = {};
    for (const [name, quantity] of Object.entries(usage)) {
      const deviceClass = name.endsWith(OF_CLASS) ? name.slice(0, -OF_CLASS.length) : "";
      if (deviceClass === "") continue;
      byRequest[IMPLICIT + deviceClass] = quantity;
      const resource = extended.get(deviceClass);
      if (resource !== undefined) byRequest[`requests.${resource}`] = quantity;
    }
    return excess(byRequest, counted.get(claim) ?? {});
  }

  return {
    handles: ({ operation, subresource }) => subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
    matching: (limited) =>
      limited.filter((name) =>
        name === COUNT || name.endsWith(OF_CLASS) ||
        (name.startsWith(IMPLICIT) && extended.has(name.slice(IMPLICIT.length))) ||
        (isExtendedRequest(name) && names.has(name.slice("requests.".length)))
      ),
    usage(claim) {
      const requests: DeviceRequest[] = claim.spec?.devices?.requests ?? [];
      const usage = requests.map(requested).reduce(addLists, { [COUNT]: "1" });
      return { ...usage, ...implied(claim, usage) };
    },
  };
}
