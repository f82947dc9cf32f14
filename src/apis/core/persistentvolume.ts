// Persistent volumes: storage that outlives pods.
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect } from "../../machinery/validation/mod.ts";
import { accessModes, AGE, NAME, text } from "../columns.ts";
import type { PersistentVolume, PersistentVolumeSpec } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { VOLUME_DEFAULTS } from "./pod_spec/defaults.ts";
import { podRules } from "./pod_spec/later.ts";
import { roundResources } from "./resource_names.ts";
import { ATTRIBUTES_CLASS, CLASS_ANNOTATION, STORAGE_CLASS, VOLUME_MODE } from "./volume_columns.ts";

type VolumeObject = KubeObject & PersistentVolume;

const rules = new LaterModule(() => import("./persistentvolume_validation.ts"));

/** Sources that pods have as well, with the same defaults. */
const DEFAULTED = ["hostPath", "rbd", "iscsi", "azureDisk", "scaleIO"] as const;

function setDefaults(volume: VolumeObject): void {
  const spec = volume.spec ??= {};
  volume.status ??= {};
  volume.status.phase ||= "Pending";
  spec.persistentVolumeReclaimPolicy ||= "Retain";
  spec.volumeMode ??= "Filesystem";
  setVolumeSpecDefaults(spec);
}

/** Defaults of a volume's spec wherever it stands. */
export function setVolumeSpecDefaults(spec: PersistentVolumeSpec): void {
  roundResources(spec.capacity);
  for (const source of DEFAULTED) if (spec[source]) VOLUME_DEFAULTS[source]?.(spec[source] as never);
}

const DEPRECATED_ANNOTATIONS = [
  [CLASS_ANNOTATION, 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ["volume.beta.kubernetes.io/mount-options", 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

/** Types that are no more, under the names that warnings use. */
const DEPRECATED_SOURCES = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

const RECYCLE = "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the " +
  "recommended approach is to use dynamic provisioning.";

function warnings({ metadata: { annotations = {} }, spec = {} }: VolumeObject): string[] {
  const found: string[] = [];
  for (const [key, message] of DEPRECATED_ANNOTATIONS) {
    if (key in annotations) found.push(`metadata.annotations[${key}]: ${message}`);
  }
  if (spec.persistentVolumeReclaimPolicy === "Recycle") found.push(RECYCLE);
  (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).forEach(({ matchExpressions = [] }, i) => {
    matchExpressions.forEach(({ key = "" }, j) => {
      const message = podRules.module.deprecatedNodeLabel(key);
      if (message === undefined) return;
      const at = `spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions[${j}].key`;
      found.push(`${at}: ${key} is ${message}`);
    });
  });
  for (const [member, shown, message] of DEPRECATED_SOURCES) {
    if (spec[member]) found.push(`spec.${shown}: ${message}`);
  }
  return found;
}

const columns: readonly Column<VolumeObject>[] = [
  NAME,
  text("Capacity", "Size.", ({ spec }) => spec?.capacity?.storage ?? "0"),
  text("Access Modes", "How it may be mounted.", ({ spec }) => accessModes(spec?.accessModes)),
  text(
    "Reclaim Policy",
    "What becomes of it when it is given up.",
    ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? "",
  ),
  text(
    "Status",
    "Phase.",
    ({ metadata, status }) => metadata.deletionTimestamp ? "Terminating" : status?.phase ?? "",
  ),
  text(
    "Claim",
    "Who holds it.",
    ({ spec }) => spec?.claimRef ? `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}` : "",
  ),
  STORAGE_CLASS,
  ATTRIBUTES_CLASS,
  text("Reason", "Why it is in this phase.", ({ status }) => status?.reason ?? ""),
  AGE,
  VOLUME_MODE,
];

export const persistentVolume: KindDefinition<VolumeObject> = {
  gvk: { group: "", version: "v1", kind: "PersistentVolume" },
  resource: "persistentvolumes",
  async load() {
    await Promise.all([rules.load(), podRules.load()]);
  },
  returnsDeletedObject: true,
  setDefaults,
  prepareForCreate(volume) {
    volume.status = { phase: "Pending", lastPhaseTransitionTime: now() };
  },
  checksMetadata: true,
  validate: (volume) => collect((root) => rules.module.checkVolume(volume, root)),
  validateUpdate: (volume, old) =>
    collect((root) => {
      rules.module.checkVolume(volume, root, old);
      rules.module.checkVolumeChange(volume, old, root);
    }),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  columns,
  subresources: {
    status: {
      /** The time of the last change of phase, unless the client knows better. */
      prepareForUpdate({ status = {} }, { status: before = {} }) {
        const told = status.lastPhaseTransitionTime;
        if (status.phase === before.phase) {
          if (!told && before.lastPhaseTransitionTime) status.lastPhaseTransitionTime = before.lastPhaseTransitionTime;
        } else if (!told || told === before.lastPhaseTransitionTime) status.lastPhaseTransitionTime = now();
      },
    },
  },
};
