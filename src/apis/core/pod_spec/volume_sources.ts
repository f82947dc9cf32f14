// Rules of each volume type, one small function each; pods and persistent volumes share most of them.
import type * as v1 from "../../../facts/generated/types.ts";
import { validateDNS1123Label } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { byteLength, isDNS1123Subdomain, rangeMessage } from "../../../machinery/validation/names.ts";
import { validateDescendingPath, validateFileMode, validateNoBacksteps, validateNonReservedPath } from "./paths.ts";

/** Says for each member that it is needed when it is missing. */
export function requireMembers<T extends object>(source: T, at: Field, members: readonly (keyof T & string)[]): void {
  for (const member of members) {
    const value = source[member];
    if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) {
      at.child(member).required();
    }
  }
}

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

export function validateHostPath(source: v1.HostPathVolumeSource, at: Field): void {
  const { path = "", type } = source;
  if (path === "") return at.child("path").required();
  validateNoBacksteps(path, at.child("path"));
  if (type !== undefined && !HOST_PATH_TYPES.includes(type)) at.child("type").notSupported(type, HOST_PATH_TYPES);
}

export function validateGitRepo(source: v1.GitRepoVolumeSource, at: Field): void {
  requireMembers(source, at, ["repository"]);
  validateDescendingPath(source.directory ?? "", at.child("directory"));
}

/** The block device's partition; 0 is the whole device. */
function validatePartition(partition: number | undefined, at: Field): void {
  if (partition !== undefined && (partition < 0 || partition > 255)) at.invalid(partition, rangeMessage(1, 255));
}

export function validateGCEPersistentDisk(source: v1.GCEPersistentDiskVolumeSource, at: Field): void {
  requireMembers(source, at, ["pdName"]);
  validatePartition(source.partition, at.child("partition"));
}

export function validateAWSElasticBlockStore(source: v1.AWSElasticBlockStoreVolumeSource, at: Field): void {
  requireMembers(source, at, ["volumeID"]);
  validatePartition(source.partition, at.child("partition"));
}

export function validateSecretVolume(source: v1.SecretVolumeSource, at: Field): void {
  requireMembers(source, at, ["secretName"]);
  validateFileMode(source.defaultMode, at.child("defaultMode"));
  source.items?.forEach((item, i) => validateKeyToPath(item, at.child("items").index(i)));
}

export function validateConfigMapVolume(source: v1.ConfigMapVolumeSource, at: Field): void {
  requireMembers(source, at, ["name"]);
  validateFileMode(source.defaultMode, at.child("defaultMode"));
  source.items?.forEach((item, i) => validateKeyToPath(item, at.child("items").index(i)));
}

export function validateKeyToPath(item: v1.KeyToPath, at: Field): void {
  requireMembers(item, at, ["key", "path"]);
  validateNonReservedPath(item.path ?? "", at.child("path"));
  validateFileMode(item.mode, at.child("mode"));
}

export function validateNFS(source: v1.NFSVolumeSource, at: Field): void {
  requireMembers(source, at, ["server", "path"]);
  const { path = "" } = source;
  if (!path.startsWith("/")) at.child("path").invalid(path, "must be an absolute path");
}

const INITIATORS: Record<string, RegExp> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

/** A name as RFC 3720 has them: iqn, eui or naa. */
function validateInitiator(name: string, at: Field, otherwise: string): void {
  const expression = INITIATORS[name.slice(0, 3)];
  if (!expression) at.invalid(name, otherwise);
  else if (!expression.test(name)) at.invalid(name, "must be valid format");
}

const ISCSI_NAME_TOO_LONG =
  "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";

/** Whether volume and portal together are too long for an initiator's name; the message if so. */
export function iscsiNameProblem(volumeName: string, source: v1.ISCSIVolumeSource): string | undefined {
  const length = byteLength(`${volumeName}:${source.targetPortal ?? ""}`);
  return source.initiatorName !== undefined && length > 64 ? ISCSI_NAME_TOO_LONG : undefined;
}

/** What pods and persistent volumes say about a disk of iSCSI; `persistent`: the name of the persistent volume. */
export function validateISCSI(
  source: v1.ISCSIVolumeSource | v1.ISCSIPersistentVolumeSource,
  at: Field,
  persistent?: string,
): void {
  const { targetPortal = "", iqn = "", lun = 0, initiatorName, secretRef } = source;
  const otherwise = persistent === undefined
    ? "must be valid format starting with iqn, eui, or naa"
    : "must be valid format";
  if (targetPortal === "") at.child("targetPortal").required();
  const problem = persistent === undefined ? undefined : iscsiNameProblem(persistent, source);
  if (problem !== undefined) at.child("targetportal").invalid(targetPortal, problem);
  if (iqn === "") at.child("iqn").required();
  else validateInitiator(iqn, at.child("iqn"), otherwise);
  if (lun < 0 || lun > 255) at.child("lun").invalid(lun, rangeMessage(0, 255));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !secretRef) at.child("secretRef").required();
  if (persistent !== undefined && secretRef) requireMembers(secretRef, at.child("secretRef"), ["name"]);
  if (initiatorName !== undefined) validateInitiator(initiatorName, at.child("initiatorname"), otherwise);
}

export function validateFC(source: v1.FCVolumeSource, at: Field): void {
  const targets = source.targetWWNs ?? [], ids = source.wwids ?? [];
  const field = at.child("targetWWNs");
  if (targets.length === 0 && ids.length === 0) {
    field.required("must specify either targetWWNs or wwids, but not both");
  }
  if (targets.length > 0 && ids.length > 0) {
    field.invalid(targets, "targetWWNs and wwids can not be specified simultaneously");
  }
  if (targets.length === 0) return;
  const { lun } = source;
  if (lun === undefined) at.child("lun").required("lun is required if targetWWNs is specified");
  else if (lun < 0 || lun > 255) at.child("lun").invalid(lun, rangeMessage(0, 255));
}

const HOST_PORT = /^(\[[^\[\]]*\]|[^:\[\]]*):[^:\[\]]*$/;

export function validateQuobyte(source: v1.QuobyteVolumeSource, at: Field): void {
  const { registry = "", tenant = "" } = source;
  const wanted = "must be a host:port pair or multiple pairs separated by commas";
  if (registry === "") at.child("registry").required(wanted);
  else if (tenant.length >= 65) {
    at.child("tenant").required("must be a UUID and may not exceed a length of 64 characters");
  } else {
    for (const pair of registry.split(",")) {
      if (!HOST_PORT.test(pair)) at.child("registry").invalid(registry, wanted);
    }
  }
  requireMembers(source, at, ["volume"]);
}

export function validateGlusterfs(source: v1.GlusterfsVolumeSource, at: Field): void {
  requireMembers(source, at, ["endpoints", "path"]);
}

export function validateFlocker(source: v1.FlockerVolumeSource, at: Field): void {
  const { datasetName = "", datasetUUID = "" } = source;
  if (datasetName === "" && datasetUUID === "") at.required("one of datasetName and datasetUUID is required");
  if (datasetName !== "" && datasetUUID !== "") {
    at.invalid("resource", "datasetName and datasetUUID can not be specified simultaneously");
  }
  if (datasetName.includes("/")) at.child("datasetName").invalid(datasetName, "must not contain '/'");
}

export function validateRBD(source: v1.RBDVolumeSource | v1.RBDPersistentVolumeSource, at: Field): void {
  requireMembers(source as v1.RBDVolumeSource, at, ["monitors", "image"]);
}

export function validateCinder(source: v1.CinderVolumeSource, at: Field): void {
  requireMembers(source, at, ["volumeID"]);
  if (source.secretRef) requireMembers(source.secretRef, at.child("secretRef"), ["name"]);
}

export function validateCephFS(source: v1.CephFSVolumeSource | v1.CephFSPersistentVolumeSource, at: Field): void {
  requireMembers(source as v1.CephFSVolumeSource, at, ["monitors"]);
}

export function validateFlexVolume(source: v1.FlexVolumeSource | v1.FlexPersistentVolumeSource, at: Field): void {
  requireMembers(source as v1.FlexVolumeSource, at, ["driver"]);
  for (const key in source.options) {
    const namespace = `.${key.split("/", 1)[0].toLowerCase()}`;
    if (namespace.endsWith(".kubernetes.io") || namespace.endsWith(".k8s.io")) {
      at.child("options").key(key).invalid(key, "kubernetes.io and k8s.io namespaces are reserved");
    }
  }
}

export function validateAzureFile(source: v1.AzureFileVolumeSource, at: Field): void {
  requireMembers(source, at, ["secretName", "shareName"]);
}

const CACHING_MODES = ["None", "ReadOnly", "ReadWrite"];
const DISK_KINDS = ["Dedicated", "Managed", "Shared"];
const MANAGED_DISK = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const BLOB_DISK = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export function validateAzureDisk(source: v1.AzureDiskVolumeSource, at: Field): void {
  requireMembers(source, at, ["diskName", "diskURI"]);
  const { cachingMode, kind, diskURI = "" } = source;
  if (cachingMode !== undefined && !CACHING_MODES.includes(cachingMode)) {
    at.child("cachingMode").notSupported(cachingMode, CACHING_MODES);
  }
  if (kind !== undefined && !DISK_KINDS.includes(kind)) at.child("kind").notSupported(kind, DISK_KINDS);
  if (kind === "Managed" && !diskURI.startsWith("/subscriptions/")) {
    at.child("diskURI").notSupported(diskURI, [MANAGED_DISK]);
  }
  if (kind !== undefined && kind !== "Managed" && !diskURI.startsWith("https://")) {
    at.child("diskURI").notSupported(diskURI, [BLOB_DISK]);
  }
}

export function validateVsphereVolume(source: v1.VsphereVirtualDiskVolumeSource, at: Field): void {
  requireMembers(source, at, ["volumePath"]);
}

export function validatePhotonPersistentDisk(source: v1.PhotonPersistentDiskVolumeSource, at: Field): void {
  requireMembers(source, at, ["pdID"]);
}

export function validatePortworxVolume(source: v1.PortworxVolumeSource, at: Field): void {
  requireMembers(source, at, ["volumeID"]);
}

export function validateScaleIO(source: v1.ScaleIOVolumeSource | v1.ScaleIOPersistentVolumeSource, at: Field): void {
  requireMembers(source as v1.ScaleIOVolumeSource, at, ["gateway", "system", "volumeName"]);
}

export function validateStorageOS(source: v1.StorageOSVolumeSource, at: Field): void {
  const { volumeName = "", volumeNamespace = "" } = source;
  if (volumeName === "") at.child("volumeName").required();
  else validateDNS1123Label(volumeName, at.child("volumeName"));
  if (volumeNamespace !== "") validateDNS1123Label(volumeNamespace, at.child("volumeNamespace"));
  if (source.secretRef) requireMembers(source.secretRef, at.child("secretRef"), ["name"]);
}

/** At most 63 bytes of a DNS subdomain in any case. */
export function validateCSIDriverName(name: string, at: Field): void {
  if (name === "") return at.required();
  if (name.length > 63) at.tooLong(63);
  at.invalidEach(name, isDNS1123Subdomain(name.toLowerCase()));
}

export function validateCSI(source: v1.CSIVolumeSource, at: Field): void {
  validateCSIDriverName(source.driver ?? "", at.child("driver"));
  if (!source.nodePublishSecretRef) return;
  const { name = "" } = source.nodePublishSecretRef;
  if (name === "") at.child("nodePublishSecretRef", "name").required();
  else at.child("name").invalidEach(name, isDNS1123Subdomain(name));
}
