// What a persistent volume is made of: exactly one source, each with rules of its own.
import {
  type Field,
  isUnset,
  nameIsDNSLabel,
  validateDNS1123Label,
  validateDNS1123Subdomain,
} from "../../machinery/validation/mod.ts";
import type { PersistentVolumeSpec, SecretReference } from "../../facts/generated/types.ts";
import { validateNoBacksteps } from "./pod_spec/paths.ts";
import * as sources from "./pod_spec/volume_sources.ts";

/** The members of the spec that are sources. */
type Source = Exclude<
  keyof PersistentVolumeSpec,
  | "accessModes"
  | "capacity"
  | "claimRef"
  | "mountOptions"
  | "nodeAffinity"
  | "persistentVolumeReclaimPolicy"
  | "storageClassName"
  | "volumeAttributesClassName"
  | "volumeMode"
>;

interface SourceRule<T extends Source = Source> {
  type: T;
  check(source: NonNullable<PersistentVolumeSpec[T]>, at: Field, volumeName: string): void;
  /** Where its own errors are reported; the type's name unless set. */
  reportedAt?: string;
  /** Where it is said that there is another one already. */
  conflictAt?: string;
}

function rule<T extends Source>(
  type: T,
  check: SourceRule<T>["check"],
  names: Pick<SourceRule, "reportedAt" | "conflictAt"> = {},
): SourceRule {
  return { type, check, ...names } as unknown as SourceRule;
}

/** In the order in which they are checked. */
export const PERSISTENT_SOURCES: readonly SourceRule[] = [
  rule("hostPath", sources.validateHostPath),
  rule("gcePersistentDisk", sources.validateGCEPersistentDisk, { reportedAt: "persistentDisk" }),
  rule("awsElasticBlockStore", sources.validateAWSElasticBlockStore),
  rule("glusterfs", (source, at) => {
    sources.validateGlusterfs(source, at);
    const { endpointsNamespace: namespace } = source, field = at.child("endpointsNamespace");
    if (namespace === undefined) return;
    if (namespace === "") field.invalid("", "if the endpointnamespace is set, it must be a valid namespace name");
    else field.invalidEach(namespace, nameIsDNSLabel(namespace, false));
  }),
  rule("flocker", sources.validateFlocker),
  rule("nfs", sources.validateNFS),
  rule("rbd", sources.validateRBD),
  rule("quobyte", sources.validateQuobyte),
  rule("cephfs", sources.validateCephFS, { conflictAt: "cephFS" }),
  rule("iscsi", sources.validateISCSI),
  rule("cinder", (source, at) => {
    sources.requireMembers(source, at, ["volumeID"]);
    requireSecret(source.secretRef, at.child("secretRef"));
  }),
  rule("fc", sources.validateFC),
  rule("flexVolume", sources.validateFlexVolume),
  rule("azureFile", (source, at) => {
    sources.requireMembers(source, at, ["secretName", "shareName"]);
    if (!isUnset(source.secretNamespace)) sources.requireMembers(source, at, ["secretNamespace"]);
  }),
  rule("vsphereVolume", sources.validateVsphereVolume),
  rule("photonPersistentDisk", sources.validatePhotonPersistentDisk),
  rule("portworxVolume", sources.validatePortworxVolume),
  rule("azureDisk", sources.validateAzureDisk),
  rule("scaleIO", sources.validateScaleIO),
  rule("local", (source, at) => {
    const { path = "" } = source;
    if (path === "") at.child("path").required();
    else validateNoBacksteps(path, at.child("path"));
  }),
  rule("storageos", (source, at) => {
    sources.validateStorageOS({ ...source, secretRef: undefined }, at);
    requireSecret(source.secretRef, at.child("secretRef"));
  }),
  rule("csi", (source, at) => {
    sources.validateCSIDriverName(source.driver ?? "", at.child("driver"));
    sources.requireMembers(source, at, ["volumeHandle"]);
    for (const member of CSI_SECRETS) if (source[member]) validateSecret(source[member], at.child(member));
  }),
];

const CSI_SECRETS = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
] as const;

function requireSecret(reference: { name?: string; namespace?: string } | undefined, at: Field): void {
  if (reference) sources.requireMembers(reference, at, ["name", "namespace"]);
}

function validateSecret({ name = "", namespace = "" }: SecretReference, at: Field): void {
  if (name === "") at.child("name").required();
  else validateDNS1123Subdomain(name, at.child("name"));
  if (namespace === "") at.child("namespace").required();
  else validateDNS1123Label(namespace, at.child("namespace"));
}

export function checkVolumeSources(spec: PersistentVolumeSpec, name: string, at: Field): void {
  let count = 0;
  for (const { type, check, reportedAt, conflictAt } of PERSISTENT_SOURCES) {
    const source = spec[type];
    if (!source) continue;
    // Flex volumes were forgotten by the rule that there is one only.
    if (count > 0 && type !== "flexVolume") {
      at.child(conflictAt ?? type).forbidden("may not specify more than 1 volume type");
      continue;
    }
    count++;
    check(source as never, at.child(reportedAt ?? type), name);
    if (type === "local" && !spec.nodeAffinity) {
      at.child("nodeAffinity").required("Local volume requires node affinity");
    }
  }
  if (count === 0) at.required("must specify a volume type");
}
