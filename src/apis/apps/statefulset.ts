// Stateful sets: pods with names and volumes of their own.
import { validateDNS1123Label } from "../../machinery/validation/domains.ts";
import { deepEqual } from "../../machinery/validation/equality.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { nameIsDNSLabel } from "../../machinery/validation/names.ts";
import { validateAnnotations, validateLabels } from "../../machinery/validation/labels.ts";
import {
  intOrPercentValue,
  validateNonnegative,
  validateNonnegativeIntOrPercent,
  validateNotMoreThan100Percent,
} from "../../machinery/validation/numbers.ts";
import { validateObjectMetaUpdate } from "../../machinery/validation/object_meta.ts";
import { path } from "../../machinery/field_error.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, containerColumns, NAME, text, wide } from "../columns.ts";
import { claimSpecWarnings, setClaimSpecDefaults, validateClaimSpec } from "../core/persistentvolumeclaim_spec.ts";
import { setPodTemplateDefaults } from "../core/pod_spec/defaults.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { PodOptions } from "../core/pod_spec/options.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import {
  canSelect,
  type StatusRules,
  templateWarnings,
  validateCollisionCount,
  validateCounts,
  validateRequiredSelector,
} from "../workload.ts";

type StatefulSet = KubeObject & v1.StatefulSet;

const RETENTION = ["Retain", "Delete"];
const NEGATIVE_HISTORY =
  "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";

/** What an update tolerates because it cannot be changed any more. */
interface Tolerance {
  options: PodOptions;
  invalidServiceName?: boolean;
  invalidTemplate?: boolean;
  invalidClaims?: boolean;
}

function validateSpec(spec: v1.StatefulSetSpec, at: Field, tolerance: Tolerance): void {
  validatePolicies(spec, at);
  if (!tolerance.invalidClaims) {
    spec.volumeClaimTemplates?.forEach((claim, i) =>
      validateClaimSpec(claim.spec ?? {}, at.child("volumeClaimTemplates").index(i).child("spec"))
    );
  }
  validateNonnegative(spec.replicas, at.child("replicas"));
  validateNonnegative(spec.minReadySeconds, at.child("minReadySeconds"));
  validateNonnegative(spec.ordinals?.start, at.child("ordinals.start"));
  if (spec.serviceName && !tolerance.invalidServiceName) {
    validateDNS1123Label(spec.serviceName, at.child("serviceName"));
  }
  validateRequiredSelector(spec.selector, at.child("selector"), "statefulset");
  if (!canSelect(spec.selector)) at.child("selector").invalid(spec.selector, "");
  else validateTemplate(spec, at.child("template"), tolerance);
  podRules.module.validateRunsForever(spec.template ?? {}, at.child("template"), "StatefulSet");
}

function validatePolicies(spec: v1.StatefulSetSpec, at: Field): void {
  const { podManagementPolicy: management = "", updateStrategy: strategy = {} } = spec;
  if (management === "") at.child("podManagementPolicy").required();
  else if (management !== "OrderedReady" && management !== "Parallel") {
    at.child("podManagementPolicy").invalid(management, "must be 'OrderedReady' or 'Parallel'");
  }
  const field = at.child("updateStrategy"), rolling = strategy.rollingUpdate;
  if (!strategy.type) field.required();
  else if (strategy.type === "OnDelete") {
    if (rolling) {
      field.child("rollingUpdate").invalid(
        internalForm("RollingUpdateStatefulSetStrategy", rolling),
        "only allowed for updateStrategy 'RollingUpdate'",
      );
    }
  } else if (strategy.type === "RollingUpdate") {
    if (rolling) validateRollingUpdate(rolling, field.child("rollingUpdate"));
  } else {
    field.invalid(internalForm("StatefulSetUpdateStrategy", strategy), "must be 'RollingUpdate' or 'OnDelete'");
  }
  const retention = spec.persistentVolumeClaimRetentionPolicy;
  if (!retention) return;
  for (const when of ["whenDeleted", "whenScaled"] as const) {
    const policy = retention[when] ?? "";
    if (RETENTION.includes(policy)) continue;
    at.child("persistentVolumeClaimRetentionPolicy", when).notSupportedInOrder(policy, RETENTION);
  }
}

function validateRollingUpdate(rolling: v1.RollingUpdateStatefulSetStrategy, at: Field): void {
  validateNonnegative(rolling.partition, at.child("partition"));
  const { maxUnavailable } = rolling, field = at.child("maxUnavailable");
  if (maxUnavailable === undefined) return;
  validateNonnegativeIntOrPercent(maxUnavailable, field);
  if (intOrPercentValue(maxUnavailable) === 0) field.invalid(maxUnavailable, "cannot be 0");
  validateNotMoreThan100Percent(maxUnavailable, field);
}

/** The template as pods will be made of it: volumes of the claims are there, host name and subdomain the set's own. */
function effectiveTemplate(spec: v1.StatefulSetSpec): v1.PodTemplateSpec {
  const template = spec.template ?? {}, claims = spec.volumeClaimTemplates ?? [];
  if (!template.spec?.hostname && !template.spec?.subdomain && claims.length === 0) return template;
  const pod: v1.PodSpec = { ...template.spec, hostname: undefined, subdomain: undefined };
  if (claims.length > 0) {
    const names = new Set(claims.map((claim) => claim.metadata?.name ?? ""));
    pod.volumes = [
      ...[...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
      ...(pod.volumes ?? []).filter((volume) => !names.has(volume.name ?? "")),
    ];
  }
  return { ...template, spec: pod };
}

function validateTemplate(spec: v1.StatefulSetSpec, at: Field, { options, invalidTemplate }: Tolerance): void {
  const template = effectiveTemplate(spec), { metadata: meta = {}, spec: pod = {} } = template;
  podRules.module.validateSelectorMatches(spec.selector, at, template);
  if (!invalidTemplate) podRules.module.validatePodTemplate(template, at, options);
  validateLabels(meta.labels, at.child("labels"));
  validateAnnotations(meta.annotations, at.child("annotations"));
  podRules.module.validatePodAnnotations(meta.annotations ?? {}, at.child("annotations"), { spec: pod, options });
}

/** Members of the spec that an update may change. */
const UPDATABLE = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
] as const;

const NOT_UPDATABLE = "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
  "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const STATUS: StatusRules<v1.StatefulSetStatus> = {
  nonnegative: [
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ],
  notAboveReplicas: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
  aboveReady: "cannot be greater than status.readyReplicas",
};

/** MaxUnavailableStatefulSet is off: the field is dropped where the stored object does not have it. */
function dropMaxUnavailable(spec: v1.StatefulSetSpec | undefined, old: v1.StatefulSetSpec | undefined): void {
  if (old?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined) {
    delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
  }
}

function specWarnings(spec: v1.StatefulSetSpec | undefined, claimPath: string): string[] {
  const warnings = (spec?.volumeClaimTemplates ?? []).flatMap((claim, i) =>
    claimSpecWarnings(claim.spec ?? {}, `spec.volumeClaimTemplates[${i}]${claimPath}`)
  );
  if ((spec?.revisionHistoryLimit ?? 0) < 0) warnings.push(NEGATIVE_HISTORY);
  return warnings;
}

export const statefulSet: KindDefinition<StatefulSet> = {
  gvk: { group: "apps", version: "v1", kind: "StatefulSet" },
  resource: "statefulsets",
  load: () => podRules.load(),
  generation: true,
  validateName: nameIsDNSLabel,
  columns: [
    NAME,
    text<StatefulSet>(
      "Ready",
      "How many of the wanted pods are ready.",
      ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ),
    AGE,
    ...containerColumns<StatefulSet>(({ spec }) => spec?.template?.spec?.containers).map(wide),
  ],
  setDefaults({ spec }) {
    if (!spec) return;
    spec.podManagementPolicy ||= "OrderedReady";
    const strategy = spec.updateStrategy ??= {};
    if (!strategy.type) {
      strategy.type = "RollingUpdate";
      strategy.rollingUpdate ??= {};
    }
    if (strategy.type === "RollingUpdate" && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
    const retention = spec.persistentVolumeClaimRetentionPolicy ??= {};
    retention.whenDeleted ||= "Retain";
    retention.whenScaled ||= "Retain";
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    setPodTemplateDefaults(spec.template ??= {});
    for (const claim of spec.volumeClaimTemplates ?? []) {
      claim.kind ||= "PersistentVolumeClaim";
      claim.apiVersion ||= "v1";
      setClaimSpecDefaults(claim.spec ??= {});
      (claim.status ??= {}).phase ||= "Pending";
    }
  },
  prepareForCreate(object) {
    object.status = { replicas: 0, availableReplicas: 0 };
    dropMaxUnavailable(object.spec, undefined);
    podRules.module.dropDisabledFields(object.spec?.template?.spec, undefined);
  },
  validate: ({ spec = {} }) =>
    collect((root) => validateSpec(spec, root.child("spec"), { options: podRules.module.podOptions(undefined) })),
  warningsOnCreate: ({ spec }) => [
    ...templateWarnings(spec?.template, "spec.template"),
    ...specWarnings(spec, ""),
  ],
  prepareForUpdate(object, old) {
    dropMaxUnavailable(object.spec, old.spec);
    podRules.module.dropDisabledFields(object.spec?.template?.spec, old.spec?.template?.spec);
  },
  validateUpdate: ({ spec = {} }, old) =>
    collect((root) => {
      const at = root.child("spec"), before = old.spec ?? {};
      const tolerance: Tolerance = {
        options: podRules.module.podOptions(before.template ?? {}),
        invalidServiceName: true,
        invalidClaims: true,
      };
      // What is stored and bad already may stay so.
      const invalidTemplate = collect((ignored) => validateSpec(before, ignored, tolerance)).length > 0;
      validateSpec(spec, at, { ...tolerance, invalidTemplate });
      const rest: v1.StatefulSetSpec = { ...spec };
      for (const member of UPDATABLE) Object.assign(rest, { [member]: before[member] });
      if (!deepEqual(rest, before)) at.forbidden(NOT_UPDATABLE);
    }),
  warningsOnUpdate: ({ metadata, spec }, old) => [
    ...metadata.generation === old.metadata.generation ? [] : templateWarnings(spec?.template, "spec.template"),
    ...specWarnings(spec, ".Spec"),
  ],
  subresources: {
    status: {
      checksMetadata: true,
      validateUpdate: ({ metadata, status = {} }, old) =>
        collect((root) => {
          validateCounts(status, root.child("status"), STATUS);
          root.add(validateObjectMetaUpdate(metadata, old.metadata, {
            path: path("metadata"),
            standardFinalizers: true,
          }));
          validateCollisionCount(status, old.status ?? {}, root.child("status"));
        }),
    },
  },
};
