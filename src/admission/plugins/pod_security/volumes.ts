// The check of volumes: the restricted level lets only those pass that give nothing of the host.
import type { Volume } from "../../../facts/generated/types.ts";
import { type Check, plural, type PodLike, quoted, sortedSet, type Violation } from "./check.ts";

const ALLOWED: readonly (keyof Volume)[] = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/** Every other type, in the order in which it is looked for. */
const RESTRICTED: readonly (keyof Volume)[] = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

function restrictedVolumes({ spec }: PodLike): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => ALLOWED.every((type) => volume[type] === undefined));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map((v) => RESTRICTED.find((type) => v[type] !== undefined) ?? "unknown"));
  const names = `${plural("volume", bad.length)} ${quoted(bad.map((volume) => volume.name ?? ""))}`;
  const uses = plural("uses", bad.length, "use");
  return {
    reason: "restricted volume types",
    detail: `${names} ${uses} ${plural("restricted volume type", types.length)} ${quoted(types)}`,
  };
}

export const VOLUME_CHECKS: readonly Check[] = [
  {
    id: "restrictedVolumes",
    level: "restricted",
    versions: [[0, restrictedVolumes]],
    overrides: ["hostPathVolumes"],
  },
];
