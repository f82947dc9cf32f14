// Rules of resource slices: pools, the nodes that reach them, counters and devices.
import {
  type Field,
  isLabelValue,
  nameIsDNSSubdomain,
  validateImmutable,
  validateLabelName,
} from "../../machinery/validation/mod.ts";
import { validateNodeSelector } from "../core/pod_spec/affinity.ts";
import { isNativeResource } from "../core/resource_names.ts";
import type {
  Counter,
  CounterSet,
  Device,
  DeviceAttribute,
  DeviceTaint,
  NodeAllocatableResourceMapping,
  NodeSelector,
  ResourcePool,
  ResourceSliceSpec,
} from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import { checkAttribute } from "./device_attribute.ts";
import { checkCapacity } from "./device_capacity.ts";
import { checkBindingConditions } from "./claim_status.ts";
import { TAINT_EFFECTS } from "./claim_spec.ts";
import { checkList, checkMap } from "./lists.ts";
import { checkDriverName, checkLabelName, checkPoolName, checkQualifiedName, MAX_QUALIFIED_NAME } from "./names.ts";
import { deepEqual } from "../../machinery/validation/equality.ts";
import { compareQuantities } from "../../machinery/quantity.ts";

/** Members of an attribute that hold several values. */
export const LIST_ATTRIBUTES = ["ints", "bools", "strings", "versions"] as const;

const MAX = {
  devices: 128,
  /** Where devices have taints, counters or lists. */
  heavyDevices: 64,
  counterSets: 8,
  counters: 32,
  consumptions: 2,
  taints: 16,
  attributesAndCapacities: 32,
  attributeValues: 48,
  label: 63,
};

export function checkSliceSpec(spec: ResourceSliceSpec, at: Field, old?: ResourceSliceSpec): void {
  checkDriverName(spec.driver ?? "", at.child("driver"));
  checkPool(spec.pool ?? {}, at.child("pool"));
  if (old) {
    validateImmutable({ now: spec.pool?.name, before: old.pool?.name }, at.child("pool", "name"));
    validateImmutable({ now: spec.driver, before: old.driver }, at.child("driver"));
    validateImmutable({ now: spec.nodeName, before: old.nodeName, shown: spec.nodeName ?? null }, at.child("nodeName"));
  }
  checkNodes(spec, at);
  if (spec.sharedCounters !== undefined && spec.devices !== undefined) {
    at.invalid("", "only one of `sharedCounters` or `devices` is allowed");
  }
  const devices = spec.devices ?? [], heavy = devices.some(isHeavy);
  checkList(devices, at.child("devices"), {
    max: heavy ? MAX.heavyDevices : MAX.devices,
    check: (device, field) => {
      const before = old?.devices?.find(({ name }) => name === device.name);
      checkDevice(device, field, { before, ownNodes: spec.perDeviceNodeSelection ?? false });
    },
    key: ({ name }) => name ?? "",
  });
  checkList(spec.sharedCounters, at.child("sharedCounters"), {
    max: MAX.counterSets,
    check: (set, field) => checkCounters(set, set.name, field, "name"),
    key: ({ name }) => name ?? "",
  });
}

function isHeavy({ taints, consumesCounters, attributes }: Device): boolean {
  return Boolean(taints?.length || consumesCounters?.length) ||
    Object.values(attributes ?? {}).some((attribute) => LIST_ATTRIBUTES.some((member) => attribute[member]));
}

function checkPool({ name, resourceSliceCount = 0, generation = 0 }: ResourcePool, at: Field): void {
  checkPoolName(name, at.child("name"));
  if (resourceSliceCount <= 0) at.child("resourceSliceCount").invalid(resourceSliceCount, "must be greater than zero");
  if (generation < 0) at.child("generation").invalid(generation, "must be greater than or equal to zero");
}

/** Notes `nodeName`, `nodeSelector` or `allNodes` where they say something. */
function nodeFields(
  { nodeName, nodeSelector, allNodes }: { nodeName?: string; nodeSelector?: NodeSelector; allNodes?: boolean },
  at: Field,
  { emptyName, oneTerm }: { emptyName: string; oneTerm: boolean },
): string[] {
  const set: string[] = [];
  if (nodeName === "") at.child("nodeName").invalid("", emptyName);
  else if (nodeName !== undefined) {
    set.push("`nodeName`");
    at.child("nodeName").invalidEach(nodeName, nameIsDNSSubdomain(nodeName, false));
  }
  if (nodeSelector) {
    set.push("`nodeSelector`");
    const field = at.child("nodeSelector"), terms = nodeSelector.nodeSelectorTerms ?? [];
    validateNodeSelector(nodeSelector, field);
    if (oneTerm && terms.length !== 1) {
      const shown = internalForm("[]NodeSelectorTerm", nodeSelector.nodeSelectorTerms);
      field.child("nodeSelectorTerms").invalid(shown, "must have exactly one node selector term");
    }
  }
  if (allNodes) set.push("`allNodes`");
  else if (allNodes === false) at.child("allNodes").invalid(false, "must be either unset or set to true");
  return set;
}

function checkNodes(spec: ResourceSliceSpec, at: Field): void {
  const one = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  const set = nodeFields(spec, at, { emptyName: "must be either unset or set to a non-empty string", oneTerm: true });
  const { perDeviceNodeSelection: own } = spec;
  if (own) set.push("`perDeviceNodeSelection`");
  else if (own === false) at.child("perDeviceNodeSelection").invalid(false, "must be either unset or set to true");
  if (set.length === 0) at.required(one);
  else if (set.length > 1) at.invalid(`{${set.join(", ")}}`, `${one}, but multiple fields are set`);
}

function checkDeviceNodes(device: Device, at: Field, ownNodes: boolean): void {
  const { nodeName, nodeSelector, allNodes } = device;
  if (!ownNodes) {
    if (nodeName === undefined && !nodeSelector && allNodes === undefined) return;
    return at.invalid(
      null,
      "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the " +
        "ResourceSlice spec",
    );
  }
  const one = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is " +
    "set to true in the ResourceSlice spec";
  const set = nodeFields(device, at, { emptyName: "must not be empty", oneTerm: false });
  if (set.length === 0) at.required(one);
  else if (set.length > 1) at.invalid(`{${set.join(", ")}}`, one);
}

interface DeviceScope {
  /** The device as it is stored. */
  before: Device | undefined;
  /** Devices say themselves which nodes reach them. */
  ownNodes: boolean;
}

function checkDevice(device: Device, at: Field, { before, ownNodes }: DeviceScope): void {
  const { attributes = {}, capacity = {}, taints } = device, shared = device.allowMultipleAllocations ?? false;
  checkLabelName(device.name, at.child("name"));
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > MAX.attributesAndCapacities) {
    at.invalid(
      count,
      `the total number of attributes and capacities must not exceed ${MAX.attributesAndCapacities}`,
    );
  }
  const values = Object.values(attributes).reduce((sum, attribute) => sum + valuesIn(attribute), 0);
  if (values > MAX.attributeValues) {
    at.invalid(values, `the total number of attribute values must not exceed ${MAX.attributeValues}`);
  }
  const names = { checkKey: checkQualifiedName, shownKey: MAX_QUALIFIED_NAME };
  checkMap(attributes, at.child("attributes"), { ...names, check: checkAttribute });
  checkMap(capacity, at.child("capacity"), { ...names, check: (c, field) => checkCapacity(c, field, shared) });
  if (!before || !deepEqual(before.taints, taints)) {
    checkList(taints, at.child("taints"), { max: MAX.taints, check: checkTaint });
  }
  checkList(device.consumesCounters, at.child("consumesCounters"), {
    max: MAX.consumptions,
    check: (consumed, field) => checkCounters(consumed, consumed.counterSet, field, "counterSet"),
    key: ({ counterSet }) => counterSet ?? "",
  });
  checkDeviceNodes(device, at, ownNodes);
  checkBindingConditions(device, at);
  checkMappings(device, at.child("nodeAllocatableResourceMappings"));
}

function valuesIn(attribute: DeviceAttribute): number {
  return LIST_ATTRIBUTES.reduce((sum, member) => sum + (attribute[member]?.length ?? 0), 0) || 1;
}

function checkTaint({ key = "", value = "", effect = "" }: DeviceTaint, at: Field): void {
  validateLabelName(key, at.child("key"));
  if (value !== "") at.child("value").invalidEach(value, isLabelValue(value));
  if (effect === "") at.child("effect").required();
  else if (!TAINT_EFFECTS.includes(effect)) at.child("effect").notSupported(effect, TAINT_EFFECTS);
}

/** Counters that devices share, or what a device takes of them; `member` names the set. */
function checkCounters(
  { counters = {} }: { counters?: Record<string, Counter> } | CounterSet,
  name: string | undefined,
  at: Field,
  member: "name" | "counterSet",
): void {
  if (!name) at.child(member).required();
  else checkLabelName(name, at.child(member));
  const field = at.child("counters");
  if (Object.keys(counters).length === 0) field.required();
  else checkMap(counters, field, { max: MAX.counters, checkKey: checkLabelName, shownKey: MAX.label });
}

function checkMappings({ nodeAllocatableResourceMappings, capacity }: Device, at: Field): void {
  const entries = Object.entries(nodeAllocatableResourceMappings ?? {});
  for (const [name, mapping] of entries) {
    const field = at.key(name);
    if (!isNativeResource(name)) field.invalid(name, "must be a node allocatable resource name");
    checkMapping(mapping, field, Object.keys(capacity ?? {}));
  }
}

function checkMapping(
  { allocationMultiplier: multiplier, capacityKey }: NodeAllocatableResourceMapping,
  at: Field,
  capacities: readonly string[],
): void {
  if (multiplier === undefined && capacityKey === undefined) {
    return at.invalid("", "at least one of allocationMultiplier or capacityKey must be set");
  }
  if (multiplier !== undefined && compareQuantities(multiplier, "0") <= 0) {
    at.child("allocationMultiplier").invalid(multiplier, "must be positive");
  }
  if (capacityKey === "") at.child("capacityKey").invalid("", "capacityKey must not be an empty string");
  else if (capacityKey !== undefined && !capacities.includes(capacityKey)) {
    at.child("capacityKey").notFound(capacityKey);
  }
}
