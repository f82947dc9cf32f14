// Rules of a pod's volumes: exactly one type each, names that are unique.
import type { Volume } from "../../../facts/generated/types.ts";
import { validateDNS1123Label } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { isDNS1123Subdomain } from "../../../machinery/validation/names.ts";
import type { ObjectMeta } from "../../../machinery/types.ts";
import { validateClaimTemplate } from "../persistentvolumeclaim_spec.ts";
import { validatePullPolicy } from "./containers.ts";
import { validateDownwardFile } from "./downward.ts";
import type { PodOptions } from "./options.ts";
import { validateFileMode } from "./paths.ts";
import { validateProjected } from "./projected.ts";
import * as sources from "./volume_sources.ts";

type VolumeType = Exclude<keyof Volume, "name">;

interface VolumeRule<T extends VolumeType = VolumeType> {
  type: T;
  check(source: NonNullable<Volume[T]>, at: Field, scope: VolumeScope): void;
  /** Where the volume's own errors are reported; the type's name unless set. */
  reportedAt?: string;
  /** Where it is said that there is another type already. */
  conflictAt?: string;
}

interface VolumeScope {
  /** The volume itself. */
  at: Field;
  name: string;
  /** Undefined in templates: the pod's name is not known. */
  podName: string | undefined;
  options: PodOptions;
}

function rule<T extends VolumeType>(
  type: T,
  check: VolumeRule<T>["check"],
  names: Pick<VolumeRule, "reportedAt" | "conflictAt"> = {},
): VolumeRule {
  return { type, check, ...names } as unknown as VolumeRule;
}

/** In the order in which they are checked. */
const VOLUME_RULES: readonly VolumeRule[] = [
  rule("emptyDir", (source, at) => {
    if (source.sizeLimit?.startsWith("-")) {
      at.child("sizeLimit").forbidden("SizeLimit field must be a valid resource quantity");
    }
  }),
  rule("hostPath", sources.validateHostPath),
  rule("gitRepo", sources.validateGitRepo),
  rule("gcePersistentDisk", sources.validateGCEPersistentDisk, { reportedAt: "persistentDisk" }),
  rule("awsElasticBlockStore", sources.validateAWSElasticBlockStore),
  rule("secret", sources.validateSecretVolume),
  rule("nfs", sources.validateNFS),
  rule("iscsi", (source, at) => sources.validateISCSI(source, at)),
  rule("glusterfs", sources.validateGlusterfs),
  rule("flocker", sources.validateFlocker),
  rule("persistentVolumeClaim", (source, at) => sources.requireMembers(source, at, ["claimName"])),
  rule("rbd", sources.validateRBD),
  rule("cinder", sources.validateCinder),
  rule("cephfs", sources.validateCephFS, { conflictAt: "cephFS" }),
  rule("quobyte", sources.validateQuobyte),
  rule("downwardAPI", (source, at) => {
    validateFileMode(source.defaultMode, at.child("defaultMode"));
    for (const file of source.items ?? []) validateDownwardFile(file, at);
  }, { conflictAt: "downwarAPI" }),
  rule("fc", sources.validateFC),
  rule("flexVolume", sources.validateFlexVolume),
  rule("configMap", sources.validateConfigMapVolume),
  rule("azureFile", sources.validateAzureFile),
  rule("vsphereVolume", sources.validateVsphereVolume),
  rule("photonPersistentDisk", sources.validatePhotonPersistentDisk),
  rule("portworxVolume", sources.validatePortworxVolume),
  rule("azureDisk", sources.validateAzureDisk),
  rule("storageos", sources.validateStorageOS),
  rule("projected", (source, at, scope) => validateProjected(source, at, scope.options)),
  rule("scaleIO", sources.validateScaleIO),
  rule("csi", sources.validateCSI),
  rule("ephemeral", (source, at, scope) => {
    if (!source.volumeClaimTemplate) at.child("volumeClaimTemplate").required();
    else validateClaimTemplate(source.volumeClaimTemplate, at.child("volumeClaimTemplate"));
    if (!scope.podName || scope.name === "") return;
    const claim = `${scope.podName}-${scope.name}`;
    for (const message of isDNS1123Subdomain(claim)) {
      scope.at.child("name").invalid(scope.name, `PVC name "${claim}": ${message}`);
    }
  }),
  rule("image", (source, at, scope) => {
    if (scope.options.isPod && !source.reference) at.child("reference").required();
    validatePullPolicy(source.pullPolicy, at.child("pullPolicy"));
  }),
];

const RULES_BY_TYPE = new Map<string, { rule: VolumeRule; order: number }>(
  VOLUME_RULES.map((rule, order) => [rule.type, { rule, order }]),
);

/** Of what is set in a volume the types, in the order in which they are checked. */
function typesOf(volume: Volume): VolumeRule[] {
  const found: { rule: VolumeRule; order: number }[] = [];
  for (const member in volume) {
    const known = RULES_BY_TYPE.get(member);
    if (known && volume[known.rule.type] !== undefined && volume[known.rule.type] !== null) found.push(known);
  }
  if (found.length > 1) found.sort((a, b) => a.order - b.order);
  return found.map(({ rule }) => rule);
}

function validateVolumeSource(volume: Volume, scope: VolumeScope): void {
  const { at, name } = scope;
  const types = typesOf(volume);
  if (types.length === 0) return at.required("must specify a volume type");
  types.forEach((rule, i) => {
    if (i > 0) {
      at.child(rule.conflictAt ?? rule.type).forbidden("may not specify more than 1 volume type");
    } else rule.check(volume[rule.type] as never, at.child(rule.reportedAt ?? rule.type), scope);
    const problem = rule.type === "iscsi" && volume.iscsi ? sources.iscsiNameProblem(name, volume.iscsi) : undefined;
    if (problem !== undefined) at.child("name").invalid(name, problem);
  });
}

/** Gives back the good volumes by their names: those that containers may mount. */
export function validateVolumes(
  volumes: readonly Volume[],
  at: Field,
  scope: { meta: ObjectMeta | undefined; options: PodOptions },
): Map<string, Volume> {
  const podName = scope.meta?.name;
  const created = new Set<string>();
  if (podName) {
    for (const volume of volumes) if (volume.ephemeral) created.add(`${podName}-${volume.name ?? ""}`);
  }
  const good = new Map<string, Volume>();
  volumes.forEach((volume, i) => {
    const field = at.index(i), { name = "" } = volume;
    const before = at.count;
    validateVolumeSource(volume, { at: field, name, podName, options: scope.options });
    if (name === "") field.child("name").required();
    else validateDNS1123Label(name, field.child("name"));
    if (good.has(name)) field.child("name").duplicate(name);
    if (at.count === before) good.set(name, volume);
    const claim = volume.persistentVolumeClaim?.claimName ?? "";
    if (volume.persistentVolumeClaim && created.has(claim)) {
      field.child("persistentVolumeClaim", "claimName").invalid(
        claim,
        "must not reference a PVC that gets created for an ephemeral volume",
      );
    }
  });
  return good;
}
