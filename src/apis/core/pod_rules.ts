// The rules of pods themselves, read before the first is written.
import { path } from "../../machinery/field_error.ts";
import { deepEqual } from "../../machinery/validation/equality.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { nameIsDNSSubdomain } from "../../machinery/validation/names.ts";
import { warningsForIP } from "../../machinery/validation/net.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "../../machinery/validation/object_meta.ts";
import { now } from "../../machinery/time.ts";
import type { ObjectMeta } from "../../machinery/types.ts";
import type { RequestContext } from "../context.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { Strategy } from "../kind.ts";
import { qosClass } from "./pod_qos.ts";
import { keepOnlyResize, mayBeResized, validateResize } from "./pod_resize.ts";
import {
  APPARMOR_CONTAINER,
  appArmorProfileOf,
  MIRROR_POD,
  validateAnnotationUpdate,
  validatePodAnnotations,
  validateProfilesMatch,
} from "./pod_spec/annotations.ts";
import { validateImageWhitespace } from "./pod_spec/containers.ts";
import { dropDisabledFields, dropDisabledStatusFields } from "./pod_spec/gates.ts";
import type { LabelKeys } from "./pod_spec/label_keys.ts";
import { validatePodSpec } from "./pod_spec/mod.ts";
import { type PodOptions, podOptions } from "./pod_spec/options.ts";
import { validateAppArmorProfile } from "./pod_spec/security.ts";
import { containersOf } from "./pod_spec/visit.ts";
import { APPARMOR_DEPRECATED, hostNameWarning, podWarnings } from "./pod_spec/warnings.ts";
import { keepObservedGenerations, validatePodStatusUpdate } from "./pod_status.ts";
import { validateEphemeralContainersUpdate, validatePodSpecUpdate } from "./pod_update.ts";

import type { Pod } from "./pod.ts";
import { lookUp } from "../../machinery/look_up.ts";

const META = { path: path("metadata"), standardFinalizers: true };

function optionsFor(old?: Pod): PodOptions {
  return podOptions(old, { isPod: true });
}

/** What a template and a pod have in common, and what only pods have to hold to. */
function validateMetadataAndSpec(pod: Pod, root: Field, options: PodOptions): void {
  const { metadata: meta, spec = {} } = pod;
  root.add(validateObjectMeta(meta, { ...META, namespaced: true, validateName: nameIsDNSSubdomain }));
  const at = root.child("spec");
  if (meta.annotations) {
    validatePodAnnotations(meta.annotations, root.child("metadata", "annotations"), { spec, options });
  }
  validatePodSpec(spec, at, { options, meta });
  if (!spec.serviceAccountName) {
    spec.volumes?.forEach(({ projected }, i) =>
      projected?.sources?.forEach((source, j) => {
        if (!source.serviceAccountToken) return;
        at.child("volumes").index(i).child("projected", "sources").index(j).child("serviceAccountToken").forbidden(
          "must not be specified when serviceAccountName is not set",
        );
      })
    );
  }
  for (const list of ["containers", "initContainers"] as const) {
    spec[list]?.forEach((container, i) => validateImageWhitespace(container, at.child(list).index(i)));
  }
}

function updateOf(
  pod: Pod,
  old: Pod,
  check: (root: Field, options: PodOptions) => void,
): ReturnType<typeof collect> {
  return collect((root) => {
    root.add(validateObjectMetaUpdate(pod.metadata, old.metadata, META));
    check(root, optionsFor(old));
  });
}

function validateAnnotations(pod: Pod, old: Pod, root: Field, options: PodOptions): void {
  const at = root.child("metadata", "annotations");
  const now = pod.metadata.annotations ?? {};
  validateAnnotationUpdate(now, old.metadata.annotations ?? {}, at);
  validatePodAnnotations(now, at, { spec: pod.spec ?? {}, options });
}

/** metadata.generation counts changes of the spec. */
function countGeneration(pod: Pod, old: Pod): void {
  if (deepEqual(pod.spec, old.spec)) return;
  pod.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Subresources that write a part of the spec leave metadata alone. */
function keepMetadata(pod: Pod, old: Pod): void {
  const kept: readonly (keyof ObjectMeta)[] = [
    "deletionTimestamp",
    "generation",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
  ];
  for (const member of kept) {
    if (old.metadata[member] === undefined) delete pod.metadata[member];
    else Object.assign(pod.metadata, { [member]: old.metadata[member] });
  }
}

/** Adds the pod's own labels to selectors that ask for them by key (KEP-3633, KEP-3243). */
function mergeLabelKeys(pod: Pod): void {
  const { affinity, topologySpreadConstraints = [] } = pod.spec ?? {};
  const terms: LabelKeys[] = [...topologySpreadConstraints];
  for (const side of [affinity?.podAffinity, affinity?.podAntiAffinity]) {
    for (const { podAffinityTerm } of side?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (podAffinityTerm) terms.push(podAffinityTerm);
    }
    terms.push(...side?.requiredDuringSchedulingIgnoredDuringExecution ?? []);
  }
  for (const { labelSelector: selector, matchLabelKeys = [], mismatchLabelKeys = [] } of terms) {
    if (!selector) continue;
    for (const [keys, operator] of [[matchLabelKeys, "In"], [mismatchLabelKeys, "NotIn"]] as const) {
      for (const key of keys) {
        const value = lookUp(pod.metadata.labels ?? {}, key);
        if (value === undefined) continue;
        (selector.matchExpressions ??= []).push({ key, operator, values: [value] });
      }
    }
  }
}

/** AppArmor annotations of older clients become the fields that they stand for (KEP-24). */
function adoptAppArmorAnnotations(pod: Pod, context: RequestContext): void {
  const { annotations } = pod.metadata, spec = pod.spec ?? {};
  if (!annotations || spec.os?.name === "windows") return;
  for (const container of containersOf(spec)) {
    const key = APPARMOR_CONTAINER + (container.name ?? "");
    if (annotations[key] === undefined || container.securityContext?.appArmorProfile) continue;
    let profile = appArmorProfileOf(annotations[key]);
    if (profile && collect((at) => validateAppArmorProfile(profile!, at)).length > 0) profile = undefined;
    const isOfPod = profile && deepEqual(profile, spec.securityContext?.appArmorProfile);
    if (profile && !isOfPod) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    if (!profile || !isOfPod) context.addWarning(`metadata.annotations[${key}]: ${APPARMOR_DEPRECATED}`);
  }
}

const GATED: v1.PodCondition = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};

/** Those of the status subresource. */
export const status = {
  prepareForUpdate(pod, old) {
    delete pod.metadata.deletionTimestamp;
    if (old.metadata.ownerReferences) pod.metadata.ownerReferences = old.metadata.ownerReferences;
    else delete pod.metadata.ownerReferences;
    const now = pod.status ??= {}, before = old.status ?? {};
    if (!now.qosClass && before.qosClass) now.qosClass = before.qosClass;
    keepObservedGenerations(now, before);
    dropDisabledStatusFields(now, before);
  },
  validateUpdate: (pod, old) =>
    updateOf(pod, old, (root, options) => {
      validateAnnotations(pod, old, root, options);
      validatePodStatusUpdate({ pod, old }, root.child("status"));
    }),
  warningsOnUpdate: ({ status: now = {} }) =>
    (["podIPs", "hostIPs"] as const).flatMap((list) =>
      (now[list] ?? []).flatMap(({ ip = "" }, i) => warningsForIP(ip, `status.${list}[${i}].ip`))
    ),
} satisfies Strategy<Pod>;

/** Those of containers that are added to a running pod. */
export const ephemeralContainers = {
  prepareForUpdate(pod, old) {
    const added = pod.spec?.ephemeralContainers;
    pod.spec = { ...old.spec, ephemeralContainers: added };
    pod.status = old.status;
    keepMetadata(pod, old);
    dropDisabledFields(pod.spec, old.spec);
    countGeneration(pod, old);
  },
  validateUpdate: (pod, old) =>
    updateOf(pod, old, (root, options) => {
      validateMetadataAndSpec(pod, root, options);
      validateAnnotations(pod, old, root, options);
      if (old.metadata.annotations?.[MIRROR_POD] !== undefined) {
        root.errors.length = 0;
        root.top("[]").forbidden("static pods do not support ephemeral containers");
        return;
      }
      const change = { spec: pod.spec ?? {}, old: old.spec ?? {} };
      validateEphemeralContainersUpdate(change, root.child("spec", "ephemeralContainers"));
    }),
} satisfies Strategy<Pod>;

/** Those of other resources for containers that run. */
export const resize = {
  prepareForUpdate(pod, old) {
    const spec = keepOnlyResize(pod.spec ?? {}, old.spec ?? {});
    if (spec !== pod.spec) {
      pod.spec = spec;
      pod.status = old.status;
      keepMetadata(pod, old);
    }
    dropDisabledFields(pod.spec, old.spec);
    countGeneration(pod, old);
  },
  validateUpdate: (pod, old) =>
    updateOf(pod, old, (root, options) => {
      validateMetadataAndSpec(pod, root, options);
      if (mayBeResized(old, root)) validateResize(pod, old, root.child("spec"));
    }),
} satisfies Strategy<Pod>;

/** Those of pods as a whole. */
export const main = {
  prepareForCreate(pod, context) {
    const spec = pod.spec ?? {};
    pod.status = { phase: "Pending", qosClass: pod.status?.qosClass || qosClass(spec) };
    dropDisabledFields(spec, undefined);
    if (spec.schedulingGates?.length) {
      pod.status.conditions = [{ ...GATED, lastTransitionTime: now() }];
    }
    mergeLabelKeys(pod);
    adoptAppArmorAnnotations(pod, context);
  },
  validate: (pod) =>
    collect((root) => {
      const options = optionsFor(), { spec = {} } = pod, at = root.child("spec");
      validateMetadataAndSpec(pod, root, options);
      if (spec.ephemeralContainers?.length) at.child("ephemeralContainers").forbidden("cannot be set on create");
      if (spec.nodeName && spec.schedulingGates?.length) {
        at.child("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
      }
      validateProfilesMatch(pod.metadata.annotations, at, spec);
    }),
  warningsOnCreate: ({ metadata: meta, spec = {} }) => [
    ...hostNameWarning(meta, "the Pod's hostname"),
    ...podWarnings({ spec, meta }),
  ],
  prepareForUpdate(pod, old) {
    dropDisabledFields(pod.spec, old.spec);
  },
  validateUpdate: (pod, old) =>
    updateOf(pod, old, (root, options) => {
      validateMetadataAndSpec(pod, root, options);
      validateAnnotations(pod, old, root, options);
      validatePodSpecUpdate({ spec: pod.spec ?? {}, old: old.spec ?? {} }, root.child("spec"), options);
    }),
} satisfies Strategy<Pod>;
