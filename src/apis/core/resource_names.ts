// Names of resources (cpu, memory, example.com/gpu) and rules of their quantities.
import { isQualifiedName } from "../../machinery/validation/names.ts";
import type { Field } from "../../machinery/validation/field.ts";
import { canonicalQuantity, parseQuantity, quantityMilliValue, quantityValue } from "../../machinery/quantity.ts";

/** Resource → quantity, as limits and requests are written. */
export type ResourceList = Record<string, string>;

/** Defaulting of every list: quantities finer than thousandths are rounded up. */
export function roundResources(list: ResourceList | undefined): void {
  for (const name in list) {
    const quantity = list[name], last = quantity.charCodeAt(quantity.length - 1);
    // Only the suffixes n and u, or an exponent, can be that fine.
    if (last === 0x6e || last === 0x75 || quantity.includes("e-")) {
      list[name] = canonicalQuantity(`${quantityMilliValue(quantity)}m`)!;
    }
  }
}

const HUGE_PAGES = "hugepages-";
const REQUESTS = "requests.";
/** Within it every name is the API's own. */
const NATIVE_DOMAIN = "kubernetes.io/";

const CONTAINER_RESOURCES = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Those that are counted: no fractions. */
const INTEGER_RESOURCES = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

const STANDARD_RESOURCES = new Set([
  ...INTEGER_RESOURCES,
  ...CONTAINER_RESOURCES,
  "storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "requests.storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
]);

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** Named by the API itself, not by whoever owns a domain. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes(NATIVE_DOMAIN);
}

/** `example.com/gpu`: a resource of a domain's own. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith(REQUESTS)) return false;
  return isQualifiedName(REQUESTS + name).length === 0;
}

/** Whether limits may be above requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

function isStandardResource(name: string): boolean {
  return STANDARD_RESOURCES.has(name) || isHugePages(name) || name.startsWith(REQUESTS + HUGE_PAGES);
}

/** Known to resource quotas. */
export function isQuotaResource(name: string): boolean {
  return name !== "storage" && isStandardResource(name);
}

function isIntegerResource(name: string): boolean {
  return INTEGER_RESOURCES.has(name) || isExtendedResource(name);
}

/** A standard resource or one with a domain. Says false when there is something wrong. */
export function validateResourceName(name: string, at: Field): boolean {
  const messages = isQualifiedName(name);
  at.invalidEach(name, messages);
  if (messages.length > 0) return false;
  if (name.includes("/") || isStandardResource(name)) return true;
  at.invalid(name, "must be a standard resource type or fully qualified");
  return false;
}

/** What a container may ask for. */
export function validateContainerResourceName(name: string, at: Field): void {
  if (CONTAINER_RESOURCES.has(name)) return;
  validateResourceName(name, at);
  if (!name.includes("/")) {
    if (!isHugePages(name)) at.invalid(name, "must be a standard resource for containers");
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    at.invalid(name, "doesn't follow extended resource name standard");
  }
}

/** What a pod as a whole may ask for (KEP-2837). */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

export function validatePodResourceName(name: string, at: Field): void {
  if (!validateResourceName(name, at) || isPodLevelResource(name)) return;
  at.notSupported(name, ["cpu", "memory", HUGE_PAGES]);
}

/** At least zero, and whole where it is counted. */
export function validateResourceQuantity(entry: { name: string; quantity: string }, at: Field): void {
  const { name, quantity } = entry;
  if (quantity.startsWith("-")) at.invalid(quantity, "must be greater than or equal to 0");
  if (isIntegerResource(name) && quantityMilliValue(quantity) % 1000n !== 0n) {
    at.invalid(quantity, "must be an integer");
  }
}

/** Whether memory in pages of the name's size can have this value. */
export function isDivisibleByPageSize(name: string, quantity: string): boolean {
  const size = name.slice(HUGE_PAGES.length);
  const parsed = parseQuantity(size);
  if (!parsed || parsed.nano <= 0n || quantityMilliValue(size) % 1000n !== 0n) return false;
  return quantityValue(quantity) % quantityValue(size) === 0n;
}
