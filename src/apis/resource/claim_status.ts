// The status of a claim: what was allocated, for whom, and what drivers say about it.
import type { JsonObject, KubeObject } from "../../machinery/types.ts";
import {
  byteLength,
  type Condition,
  deepEqual,
  type Field,
  IMMUTABLE,
  validateConditions,
  validateInterfaceAddress,
  validateLabelName,
} from "../../machinery/validation/mod.ts";
import { validateNodeSelector } from "../core/pod_spec/affinity.ts";
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import {
  checkConfig,
  checkRaw,
  checkRequestReference,
  checkRequestReferences,
  MAX_CONFIGS,
  type RequestNames,
  requestNamesOf,
} from "./claim_spec.ts";
import { checkList } from "./lists.ts";
import { checkDriverName, checkLabelName, checkPoolName, checkUid } from "./names.ts";

type ClaimObject = KubeObject & ResourceClaim;

const MAX = { consumers: 256, results: 32, conditions: 8, ips: 16, interfaceName: 256, hardwareAddress: 128 };
const MAX_BINDING_CONDITIONS = 4;
const CONFIG_SOURCES = ["FromClaim", "FromClass"];

interface Named {
  driver?: string;
  pool?: string;
  device?: string;
  shareID?: string;
}

/** A device, or somebody's share of it, as messages show it. */
function deviceId({ driver = "", pool = "", device = "", shareID = "" }: Named): JsonObject {
  return { Driver: driver, Pool: pool, Device: device, ShareID: shareID };
}

function idsOf(allocation: AllocationResult | undefined): Set<string> {
  return new Set((allocation?.devices?.results ?? []).map((result) => JSON.stringify(deviceId(result))));
}

/** What drivers said about devices that the claim no longer has is forgotten. */
export function dropDeallocated(status: ResourceClaimStatus, before: ResourceClaimStatus): void {
  if (!status.devices) return;
  const now = idsOf(status.allocation), then = idsOf(before.allocation);
  const kept = status.devices.filter((device) => {
    const id = JSON.stringify(deviceId(device));
    return now.has(id) || !then.has(id);
  });
  if (kept.length > 0) status.devices = kept;
  else delete status.devices;
}

export function checkClaimStatus(claim: ClaimObject, old: ClaimObject, at: Field): void {
  const { status = {}, spec } = claim, { status: before = {} } = old;
  const { allocation, reservedFor = [] } = status, names = requestNamesOf(spec?.devices ?? {});
  checkList(reservedFor, at.child("reservedFor"), {
    max: MAX.consumers,
    check: checkConsumer,
    key: (c) => c.uid ?? "",
  });
  const allocated = idsOf(allocation);
  checkList(status.devices, at.child("devices"), {
    check: (device, field) => checkDeviceStatus(device, field, allocated),
    key: deviceId,
  });
  if (reservedFor.length > 0 && !allocation) {
    at.child("reservedFor").forbidden("may not be specified when `allocated` is not set");
  } else if (claim.metadata.deletionTimestamp && hasNewConsumers(reservedFor, before.reservedFor ?? [])) {
    at.child("reservedFor").forbidden(
      "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set",
    );
  }
  const field = at.child("allocation");
  if (!allocation) return;
  if (!before.allocation) checkAllocation(allocation, field, names);
  else if (!deepEqual(allocation, before.allocation)) {
    field.invalid(internalForm("*AllocationResult", allocation), IMMUTABLE);
  }
}

function hasNewConsumers(
  now: readonly ResourceClaimConsumerReference[],
  before: readonly ResourceClaimConsumerReference[],
): boolean {
  return now.some((consumer) => !before.some((known) => deepEqual(consumer, known)));
}

function checkConsumer(consumer: ResourceClaimConsumerReference, at: Field): void {
  for (const member of ["resource", "name", "uid"] as const) if (!consumer[member]) at.child(member).required();
}

function checkAllocation({ devices = {}, nodeSelector }: AllocationResult, at: Field, names: RequestNames): void {
  const field = at.child("devices");
  checkList(devices.results, field.child("results"), {
    max: MAX.results,
    check: (result, entry) => checkResult(result, entry, names),
  });
  checkList(devices.config, field.child("config"), {
    max: 2 * MAX_CONFIGS,
    check: (config, entry) => checkAllocationConfig(config, entry, names),
  });
  if (nodeSelector) validateNodeSelector(nodeSelector, at.child("nodeSelector"));
}

function checkResult(result: DeviceRequestAllocationResult, at: Field, names: RequestNames): void {
  checkRequestReference(result.request ?? "", at.child("request"), names);
  checkDeviceName(result, at);
  checkBindingConditions(result, at);
  if (result.shareID !== undefined) checkUid(result.shareID, at.child("shareID"));
}

function checkDeviceName({ driver = "", pool, device }: Named, at: Field): void {
  checkDriverName(driver, at.child("driver"));
  checkPoolName(pool, at.child("pool"));
  checkLabelName(device, at.child("device"));
}

function checkAllocationConfig(config: DeviceAllocationConfiguration, at: Field, names: RequestNames): void {
  const { source = "" } = config;
  if (source === "") at.child("source").required();
  else if (!CONFIG_SOURCES.includes(source)) at.child("source").notSupportedInOrder(source, CONFIG_SOURCES);
  checkRequestReferences(config.requests, at.child("requests"), names);
  checkConfig(config, at);
}

/** Conditions that must come true, or that end it, before a pod is bound to the device: both or none (KEP-5007). */
export function checkBindingConditions(
  { bindingConditions = [], bindingFailureConditions = [] }: {
    bindingConditions?: string[];
    bindingFailureConditions?: string[];
  },
  at: Field,
): void {
  const good = at.child("bindingConditions"), bad = at.child("bindingFailureConditions");
  checkList(bindingConditions, good, { max: MAX_BINDING_CONDITIONS, check: validateLabelName });
  checkList(bindingFailureConditions, bad, { max: MAX_BINDING_CONDITIONS, check: validateLabelName });
  bindingConditions.forEach((condition, i) => {
    if (bindingConditions.indexOf(condition) < i) good.index(i).duplicate(condition);
  });
  bindingFailureConditions.forEach((condition, i) => {
    if (bindingFailureConditions.indexOf(condition) < i) bad.index(i).duplicate(condition);
    if (bindingConditions.includes(condition)) {
      bad.index(i).invalid(condition, "bindingFailureConditions must not overlap with bindingConditions");
    }
  });
  if (bindingConditions.length === 0 && bindingFailureConditions.length > 0) {
    good.invalid(null, "bindingConditions are required to use bindingFailureConditions");
  }
  if (bindingFailureConditions.length === 0 && bindingConditions.length > 0) {
    bad.invalid(null, "bindingFailureConditions are required to use bindingConditions");
  }
}

function checkDeviceStatus(device: AllocatedDeviceStatus, at: Field, allocated: ReadonlySet<string>): void {
  const id = deviceId(device), conditions = (device.conditions ?? []) as Condition[];
  checkDeviceName(device, at);
  if (device.shareID !== undefined) checkUid(device.shareID, at.child("shareID"));
  if (!allocated.has(JSON.stringify(id))) at.invalid(id, "must be an allocated device in the claim");
  if (conditions.length > MAX.conditions) at.child("conditions").tooMany(conditions.length, MAX.conditions);
  validateConditions(conditions, at.child("conditions"));
  if (device.data !== undefined) checkRaw(device.data, at.child("data"));
  if (device.networkData) checkNetwork(device.networkData, at.child("networkData"));
}

function checkNetwork(data: NetworkDeviceData, at: Field): void {
  for (const member of ["interfaceName", "hardwareAddress"] as const) {
    if (byteLength(data[member] ?? "") > MAX[member]) at.child(member).tooLong(MAX[member]);
  }
  checkList(data.ips, at.child("ips"), { max: MAX.ips, check: validateInterfaceAddress, key: (ip) => ip });
}
