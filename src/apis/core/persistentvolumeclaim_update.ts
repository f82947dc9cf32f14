// What may change in a claim and in its status.
import { compareQuantities, quantityValue } from "../../machinery/quantity.ts";
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  deepEqual,
  type Field,
  isQualifiedName,
  validateLabelSelector,
} from "../../machinery/validation/mod.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../facts/generated/types.ts";
import { internalDiff } from "../internal_form.ts";
import { checkMeta } from "../meta.ts";
import { validateClaimSpec } from "./persistentvolumeclaim_spec.ts";
import { isNativeResource, type ResourceList, validateResourceQuantity } from "./resource_names.ts";
import { CLASS_ANNOTATION } from "./volume_columns.ts";

type ClaimObject = KubeObject & PersistentVolumeClaim;

export function checkClaimUpdate(claim: ClaimObject, old: ClaimObject, root: Field): void {
  const { spec = {} } = claim, { spec: before = {}, status: statusBefore = {} } = old, at = root.child("spec");
  checkMeta(claim, root, { namespaced: true });
  validateClaimSpec(spec, at, {
    allowInvalidSelectorValues: collect((top) => validateLabelSelector(before.selector, top)).length > 0,
    allowInvalidApiGroups: Boolean(before.dataSource?.apiGroup ?? before.dataSourceRef?.apiGroup),
  });
  checkImmutable(claim, old, root);
  checkSize(spec, before, statusBefore.capacity, at);
  if (spec.volumeMode !== before.volumeMode) {
    root.child("volumeMode").invalid(spec.volumeMode ?? null, "field is immutable");
  }
  const attributes = at.child("volumeAttributesClassName"), current = spec.volumeAttributesClassName;
  if (current === before.volumeAttributesClassName || statusBefore.currentVolumeAttributesClassName === undefined) {
    return;
  }
  const applied = "is forbidden when status.currentVolumeAttributesClassName is not nil";
  if (current === undefined) attributes.forbidden(`update to nil ${applied}`);
  else if (current === "") attributes.forbidden(`update to empty string ${applied}`);
}

/** Of the spec only the volume, once, and for bound claims size and class of attributes may change. */
function checkImmutable(claim: ClaimObject, old: ClaimObject, root: Field): void {
  const now = structuredClone(claim.spec ?? {}), before = structuredClone(old.spec ?? {});
  if (!before.volumeName) before.volumeName = now.volumeName;
  const annotation = claim.metadata.annotations?.[CLASS_ANNOTATION];
  const oldAnnotation = old.metadata.annotations?.[CLASS_ANNOTATION];
  const named = now.storageClassName !== undefined && before.storageClassName === undefined;
  const agrees = now.storageClassName === oldAnnotation && (annotation === undefined || annotation === oldAnnotation);
  if (named && oldAnnotation !== undefined && agrees) delete now.storageClassName;
  else {
    if ((annotation ?? "") !== (oldAnnotation ?? "")) {
      root.child("metadata", "annotations").child(CLASS_ANNOTATION).invalid(annotation ?? "", "field is immutable");
    }
    if (named && (oldAnnotation === undefined || now.storageClassName === oldAnnotation)) delete now.storageClassName;
  }
  if (claim.status?.phase === "Bound") keepWhatMayChange(now, before);
  if (deepEqual(now, before)) return;
  root.child("spec").forbidden(
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n" +
      internalDiff("PersistentVolumeClaimSpec", before, now),
  );
}

function keepWhatMayChange(now: PersistentVolumeClaimSpec, before: PersistentVolumeClaimSpec): void {
  if (now.resources?.requests) now.resources.requests.storage = before.resources?.requests?.storage ?? "0";
  if (before.volumeAttributesClassName === undefined) delete now.volumeAttributesClassName;
  else now.volumeAttributesClassName = before.volumeAttributesClassName;
}

/** A claim may ask for less again as long as the volume did not grow that far (KEP-1790). */
function checkSize(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  capacity: ResourceList | undefined,
  at: Field,
): void {
  const size = spec.resources?.requests?.storage ?? "0", sizeBefore = before.resources?.requests?.storage ?? "0";
  if (compareQuantities(size, sizeBefore) >= 0 || compareQuantities(size, capacity?.storage ?? "0") > 0) return;
  at.child("resources", "requests").child("storage").forbidden("field can not be less than status.capacity");
}

const RESIZE_STATUSES = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizePending",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
];

export function checkClaimStatus({ spec = {}, status = {} }: ClaimObject, root: Field): void {
  if (!spec.accessModes?.length) root.child("Spec", "accessModes").required();
  const at = root.child("status");
  checkQuantities(status.capacity, at.child("capacity"));
  const statuses = at.child("allocatedResourceStatuses");
  for (const [name, value] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    checkResourceKey(name, statuses);
    if (!RESIZE_STATUSES.includes(value)) statuses.notSupported(name, RESIZE_STATUSES);
  }
  const allocated = at.child("allocatedResources");
  for (const [name, quantity] of Object.entries(status.allocatedResources ?? {})) {
    if (!checkResourceKey(name, allocated)) continue;
    const field = allocated.key(name), before = field.count;
    checkQuantities({ [name]: quantity }, allocated);
    if (field.count === before) validateResourceQuantity({ name: "storage", quantity }, field);
  }
}

function checkQuantities(list: ResourceList | undefined, at: Field): void {
  for (const [name, quantity] of Object.entries(list ?? {})) {
    const value = quantityValue(quantity);
    if (value < 0n) at.key(name).invalid(Number(value), "must be a valid resource quantity");
  }
}

/** Of the API's own resources only storage. Says false when there is something wrong. */
function checkResourceKey(name: string, at: Field): boolean {
  const messages = isQualifiedName(name);
  at.invalidEach(name, messages);
  if (messages.length > 0) return false;
  if (!isNativeResource(name) || name === "storage") return true;
  at.notSupported(name, ["storage"]);
  return false;
}
