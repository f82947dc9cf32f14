// The spec of a claim for a volume, as claims, claim templates of stateful sets and ephemeral volumes have it.
import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedObjectReference,
} from "../../facts/generated/types.ts";
import { quantityMilliValue } from "../../machinery/quantity.ts";
import type { Field } from "../../machinery/validation/field.ts";
import { validateLabelSelector } from "../../machinery/validation/labels.ts";
import { isDNS1123Label, isDNS1123Subdomain } from "../../machinery/validation/names.ts";
import { checkTemplateMeta } from "../meta.ts";
import { validateResourceQuantity } from "./resource_names.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
export const VOLUME_MODES = ["Block", "Filesystem"];

/** Fills in what a claim that says nothing asks for. */
export function setClaimSpecDefaults(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= "Filesystem";
}

/** What old objects may keep although it would be refused in new ones. */
export interface ClaimSpecOptions {
  allowInvalidSelectorValues?: boolean;
  allowInvalidApiGroups?: boolean;
}

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, at: Field, options: ClaimSpecOptions = {}): void {
  const modes = spec.accessModes ?? [], modesField = at.child("accessModes");
  if (modes.length === 0) modesField.required("at least 1 access mode is required");
  validateLabelSelector(spec.selector, at.child("selector"), {
    allowInvalidValues: options.allowInvalidSelectorValues,
  });
  validateAccessModes(modes, modesField);
  validateStorageRequest(spec, at);
  validateClassName(spec.storageClassName, at.child("storageClassName"));
  if (spec.volumeMode !== undefined && !VOLUME_MODES.includes(spec.volumeMode)) {
    at.child("volumeMode").notSupported(spec.volumeMode, VOLUME_MODES);
  }
  validateDataSources(spec, at, options);
  validateClassName(spec.volumeAttributesClassName, at.child("volumeAttributesClassName"));
}

/** Modes must be known; ReadWriteOncePod goes with no other. */
export function validateAccessModes(modes: readonly string[], at: Field): void {
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) at.notSupported(mode, ACCESS_MODES);
  const shared = modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode));
  if (shared && modes.includes("ReadWriteOncePod")) {
    at.forbidden("may not use ReadWriteOncePod with other access modes");
  }
}

function validateStorageRequest(spec: PersistentVolumeClaimSpec, at: Field): void {
  const storage = spec.resources?.requests?.storage;
  const field = at.child("resources").key("storage");
  if (storage === undefined) field.required();
  else if (storage === "0" || storage.startsWith("-")) field.invalid(storage, "must be greater than zero");
  else validateResourceQuantity({ name: "storage", quantity: storage }, field);
}

function validateClassName(name: string | undefined, at: Field): void {
  if (name) at.invalidEach(name, isDNS1123Subdomain(name));
}

function validateDataSources(spec: PersistentVolumeClaimSpec, at: Field, options: ClaimSpecOptions): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource) validateDataSource(dataSource, at.child("dataSource"), options);
  if (dataSourceRef) {
    const field = at.child("dataSourceRef");
    validateDataSource(dataSourceRef, field, options);
    const { namespace } = dataSourceRef;
    if (namespace) field.child("namespace").invalidEach(namespace, isDNS1123Label(namespace));
  }
  if (!dataSource || !dataSourceRef) return;
  if (dataSourceRef.namespace) at.invalid({}, "may not be specified when dataSourceRef.namespace is specified");
  else if (
    (dataSource.apiGroup ?? undefined) !== (dataSourceRef.apiGroup ?? undefined) ||
    dataSource.kind !== dataSourceRef.kind || dataSource.name !== dataSourceRef.name
  ) at.invalid({}, "must match dataSourceRef");
}

function validateDataSource(source: TypedObjectReference, at: Field, options: ClaimSpecOptions): void {
  const { name = "", kind = "" } = source, apiGroup = source.apiGroup ?? "";
  if (name === "") at.child("name").required();
  if (kind === "") at.child("kind").required();
  if (apiGroup === "" && kind !== "PersistentVolumeClaim") {
    at.invalid(kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (apiGroup !== "" && !options.allowInvalidApiGroups) {
    at.child("apiGroup").invalidEach(apiGroup, isDNS1123Subdomain(apiGroup));
  }
}

/** A template inside another object: of its metadata only labels and annotations may be set. */
export function validateClaimTemplate(template: PersistentVolumeClaimTemplate, at: Field): void {
  checkTemplateMeta(template.metadata, at.child("metadata"));
  validateClaimSpec(template.spec ?? {}, at.child("spec"));
}

/** Warnings about a spec; `at` is the text of its path. */
export function claimSpecWarnings(spec: PersistentVolumeClaimSpec, at: string): string[] {
  const warnings: string[] = [];
  for (const side of ["requests", "limits"] as const) {
    const storage = spec.resources?.[side]?.storage;
    if (storage === undefined || quantityMilliValue(storage) % 1000n === 0n) continue;
    warnings.push(
      `${at}.resources.${side}[storage]: fractional byte value "${storage}" is invalid, must be an integer`,
    );
  }
  return warnings;
}
