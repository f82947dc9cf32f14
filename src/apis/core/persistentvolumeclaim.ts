// Claims to persistent volumes.
import type { KubeObject } from "../../machinery/types.ts";
import { collect } from "../../machinery/validation/mod.ts";
import { accessModes, AGE, NAME, text } from "../columns.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../facts/generated/types.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { claimSpecWarnings, setClaimSpecDefaults, validateClaimSpec } from "./persistentvolumeclaim_spec.ts";
import { checkClaimStatus, checkClaimUpdate } from "./persistentvolumeclaim_update.ts";
import { roundResources } from "./resource_names.ts";
import { ATTRIBUTES_CLASS, CLASS_ANNOTATION, STORAGE_CLASS, VOLUME_MODE } from "./volume_columns.ts";

type ClaimObject = KubeObject & PersistentVolumeClaim;

function setDefaults(claim: ClaimObject): void {
  const spec = claim.spec ??= {}, status = claim.status ??= {};
  setClaimSpecDefaults(spec);
  status.phase ||= "Pending";
  for (const list of [spec.resources?.limits, spec.resources?.requests]) roundResources(list);
  for (const list of [status.capacity, status.allocatedResources]) roundResources(list);
}

/** What dataSource could always name; anything else is only known to dataSourceRef. */
function isOldDataSource({ apiGroup, kind }: { apiGroup?: string | null; kind?: string }): boolean {
  if (kind === "PersistentVolumeClaim") return !apiGroup;
  return kind === "VolumeSnapshot" && apiGroup === "snapshot.storage.k8s.io";
}

/** Other objects that a volume is filled from: the older and the newer field say the same (KEP-1495). */
function prepareDataSources(spec: PersistentVolumeClaimSpec, old?: PersistentVolumeClaimSpec): void {
  // CrossNamespaceVolumeDataSource is off: such a reference is dropped.
  if (spec.dataSourceRef?.namespace && !old?.dataSourceRef) delete spec.dataSourceRef;
  const inUse = old?.dataSource || old?.dataSourceRef;
  if (!inUse && !spec.dataSourceRef && spec.dataSource && !isOldDataSource(spec.dataSource)) delete spec.dataSource;
  normalizeDataSources(spec);
  if (old) normalizeDataSources(old);
}

function normalizeDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = referenceOf(dataSource);
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) spec.dataSource = referenceOf(dataSourceRef);
}

function referenceOf({ apiGroup, kind = "", name = "" }: { apiGroup?: string | null; kind?: string; name?: string }) {
  return { apiGroup, kind, name };
}

const DEPRECATED_CLASS = 'deprecated since v1.8; use "storageClassName" attribute instead';

function warnings({ metadata: { annotations = {} }, spec = {} }: ClaimObject): string[] {
  const old = CLASS_ANNOTATION in annotations ? [`metadata.annotations[${CLASS_ANNOTATION}]: ${DEPRECATED_CLASS}`] : [];
  return [...old, ...claimSpecWarnings(spec, "spec")];
}

const columns: readonly Column<ClaimObject>[] = [
  NAME,
  text(
    "Status",
    "Phase.",
    ({ metadata, status }) => metadata.deletionTimestamp ? "Terminating" : status?.phase ?? "",
  ),
  text("Volume", "The volume that it holds.", ({ spec }) => spec?.volumeName ?? ""),
  text(
    "Capacity",
    "Size of the volume.",
    ({ spec, status }) => spec?.volumeName ? status?.capacity?.storage ?? "0" : "",
  ),
  text(
    "Access Modes",
    "How it is mounted.",
    ({ spec, status }) => spec?.volumeName ? accessModes(status?.accessModes) : "",
  ),
  STORAGE_CLASS,
  ATTRIBUTES_CLASS,
  AGE,
  VOLUME_MODE,
];

export const persistentVolumeClaim: KindDefinition<ClaimObject> = {
  gvk: { group: "", version: "v1", kind: "PersistentVolumeClaim" },
  resource: "persistentvolumeclaims",
  returnsDeletedObject: true,
  setDefaults,
  prepareForCreate(claim) {
    claim.status = { phase: "Pending" };
    prepareDataSources(claim.spec!);
  },
  prepareForUpdate: (claim, old) => prepareDataSources(claim.spec!, old.spec),
  validate: ({ spec = {} }) => collect((root) => validateClaimSpec(spec, root.child("spec"))),
  validateUpdate: (claim, old) => collect((root) => checkClaimUpdate(claim, old, root)),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  columns,
  subresources: { status: { validateUpdate: (claim) => collect((root) => checkClaimStatus(claim, root)) } },
};
