// Rules of persistent volumes.
import { compareQuantities, quantityValue } from "../../machinery/quantity.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { deepEqual, type Field, isDNS1123Subdomain, isLabelValue } from "../../machinery/validation/mod.ts";
import type { NodeSelectorRequirement, PersistentVolume, PersistentVolumeSpec } from "../../facts/generated/types.ts";
import { internalDiff, internalForm } from "../internal_form.ts";
import { checkMeta } from "../meta.ts";
import { checkVolumeSources, PERSISTENT_SOURCES } from "./persistentvolume_sources.ts";
import { validateAccessModes, VOLUME_MODES } from "./persistentvolumeclaim_spec.ts";
import { validateNodeSelector } from "./pod_spec/affinity.ts";

type VolumeObject = KubeObject & PersistentVolume;

const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];
const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";
/** Sources whose mounts take options. */
const WITH_MOUNT_OPTIONS = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
] as const;

/** Everything on create; `old`: what is stored, on update. */
export function checkVolume(volume: VolumeObject, root: Field, old?: VolumeObject): void {
  checkMetaAndSpec(volume, root, old);
  const { spec = {}, metadata: { annotations = {} } } = volume;
  if (MOUNT_OPTIONS in annotations && !WITH_MOUNT_OPTIONS.some((source) => spec[source])) {
    root.child("metadata", "annotations").child(MOUNT_OPTIONS).forbidden(
      "may not specify mount options for this volume type",
    );
  }
}

function checkMetaAndSpec(volume: VolumeObject, root: Field, old: VolumeObject | undefined): void {
  checkMeta(volume, root, { namespaced: false });
  const { spec = {}, metadata: { name = "" } } = volume, at = root.child("spec");
  checkModes(spec, at.child("accessModes"));
  checkCapacity(spec, at.child("capacity"));
  const { persistentVolumeReclaimPolicy: policy } = spec;
  if (policy && !RECLAIM_POLICIES.includes(policy)) {
    at.child("persistentVolumeReclaimPolicy").notSupported(policy, RECLAIM_POLICIES);
  }
  checkNodeAffinity(spec, at.child("nodeAffinity"), old?.spec);
  checkVolumeSources(spec, name, at);
  checkRecycling(spec, at);
  const { storageClassName: storageClass, volumeMode, volumeAttributesClassName: attributesClass } = spec;
  if (storageClass) at.child("storageClassName").invalidEach(storageClass, isDNS1123Subdomain(storageClass));
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode)) {
    at.child("volumeMode").notSupported(volumeMode, VOLUME_MODES);
  }
  if (attributesClass === undefined) return;
  const field = at.child("volumeAttributesClassName");
  if (attributesClass === "") field.required("an empty string is disallowed");
  else field.invalidEach(attributesClass, isDNS1123Subdomain(attributesClass));
  if (!spec.csi) at.child("csi").required("has to be specified when using volumeAttributesClassName");
}

function checkModes({ accessModes = [] }: PersistentVolumeSpec, at: Field): void {
  if (accessModes.length === 0) at.required();
  validateAccessModes(accessModes, at);
}

/** Nobody wants all of a node's files removed. */
function checkRecycling({ hostPath, persistentVolumeReclaimPolicy: policy }: PersistentVolumeSpec, at: Field): void {
  if (!hostPath || !isRoot(hostPath.path ?? "") || policy !== "Recycle") return;
  at.child("persistentVolumeReclaimPolicy").forbidden("may not be 'recycle' for a hostPath mount of '/'");
}

/** A volume that a pod brings along, as it stands in a volume attachment: a CSI source and little else. */
export function checkInlineVolume(spec: PersistentVolumeSpec, at: Field): void {
  const inline = "in the context of inline volumes", { persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  if (spec.claimRef) at.child("claimRef").forbidden(`may not be specified ${inline}`);
  if (Object.keys(spec.capacity ?? {}).length > 0) at.child("capacity").forbidden(`may not be specified ${inline}`);
  if (!spec.csi) at.child("csi").required(`has to be specified ${inline}`);
  checkModes(spec, at.child("accessModes"));
  if (policy && policy !== "Retain") {
    at.child("persistentVolumeReclaimPolicy").forbidden(`may only be Retain ${inline}`);
  }
  if (spec.nodeAffinity) at.child("nodeAffinity").forbidden(`may not be specified ${inline}`);
  checkVolumeSources({ ...spec, nodeAffinity: undefined }, "", at);
  checkRecycling(spec, at);
  if (spec.storageClassName) at.child("storageClassName").forbidden(`may not be specified ${inline}`);
  if (volumeMode !== undefined && volumeMode !== "Filesystem") {
    at.child("volumeMode").forbidden(`may not specify volumeMode other than Filesystem ${inline}`);
  }
}

function checkCapacity({ capacity = {} }: PersistentVolumeSpec, at: Field): void {
  const names = Object.keys(capacity);
  if (names.length === 0) at.required();
  if (!("storage" in capacity) || names.length > 1) {
    at.notSupported(names.length === 0 ? null : capacity, ["storage"]);
  }
  for (const name of names) {
    const quantity = capacity[name], field = at.key(name), value = quantityValue(quantity);
    if (value < 0n) field.invalid(Number(value), "must be a valid resource quantity");
    if (compareQuantities(quantity, "0") <= 0) field.invalid(quantity, "must be greater than zero");
  }
}

function checkNodeAffinity({ nodeAffinity }: PersistentVolumeSpec, at: Field, old?: PersistentVolumeSpec): void {
  if (!nodeAffinity) return;
  if (!nodeAffinity.required) return at.child("required").required("must specify required node constraints");
  const allowInvalidValues = old?.nodeAffinity?.required?.nodeSelectorTerms?.some((term) =>
    term.matchExpressions?.some((e) => e.values?.some((value) => isLabelValue(value).length > 0))
  );
  validateNodeSelector(nodeAffinity.required, at.child("required"), { allowInvalidValues });
}

/** `/`, `//`, `/./` and what else means the same. */
function isRoot(path: string): boolean {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return path.startsWith("/") && parts.length === 0;
}

/** What an update may not change. The real server checks everything a second time in front of it. */
export function checkVolumeChange(volume: VolumeObject, old: VolumeObject, root: Field): void {
  checkMetaAndSpec(volume, root, old);
  const { spec = {} } = volume, { spec: before = {} } = old, at = root.child("spec");
  checkSourceChange(spec, before, at);
  if (spec.volumeMode !== before.volumeMode) {
    root.child("volumeMode").invalid(spec.volumeMode ?? null, "field is immutable");
  }
  if (before.nodeAffinity && !sameAffinity(spec, before)) {
    root.child("nodeAffinity").invalid(
      internalForm("*VolumeNodeAffinity", spec.nodeAffinity),
      "field is immutable, except for updating from beta label to GA",
    );
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    at.child("volumeAttributesClassName").forbidden("update from non-nil value to nil is forbidden");
  }
}

function sourcesOf(spec: PersistentVolumeSpec): Partial<PersistentVolumeSpec> {
  return Object.fromEntries(PERSISTENT_SOURCES.flatMap(({ type }) => spec[type] ? [[type, spec[type]]] : []));
}

function checkSourceChange(spec: PersistentVolumeSpec, before: PersistentVolumeSpec, at: Field): void {
  const now = sourcesOf(spec), then = sourcesOf(before);
  // The secret for growing the volume may still be named later.
  if (then.csi && now.csi && !then.csi.controllerExpandSecretRef) {
    now.csi = { ...now.csi, controllerExpandSecretRef: undefined };
  }
  if (deepEqual(now, then)) return;
  const diff = internalDiff("PersistentVolumeSource", then, now);
  at.child("persistentvolumesource").forbidden(`spec.persistentvolumesource is immutable after creation\n${diff}`);
}

/** Labels of nodes that have a successor. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};

function sameAffinity(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): boolean {
  if (deepEqual(spec.nodeAffinity, before.nodeAffinity)) return true;
  const now = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const then = before.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const same = (list: NodeSelectorRequirement[] = [], other: NodeSelectorRequirement[] = []) =>
    list.length === other.length && list.every((r, i) => {
      const key = SUCCESSORS[other[i].key ?? ""] === r.key ? r.key : other[i].key;
      return deepEqual(r, { ...other[i], key });
    });
  return now.length === then.length &&
    now.every((term, i) =>
      same(term.matchExpressions, then[i].matchExpressions) && same(term.matchFields, then[i].matchFields)
    );
}
