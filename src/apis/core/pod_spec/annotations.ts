// Rules of annotations that mean something to pods: what was a field's trial before it became one.
import type * as v1 from "../../../facts/generated/types.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import type { PodOptions } from "./options.ts";
import { validateDescendingPath } from "./paths.ts";
import { validateTolerations } from "./scheduling.ts";
import { containersOf, visitContainers } from "./visit.ts";

export type Annotations = Readonly<Record<string, string>>;

/** On a pod that a kubelet made of a file. */
export const MIRROR_POD = "kubernetes.io/config.mirror";
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
/** Before a container's name. */
export const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
export const APPARMOR_CONTAINER = "container.apparmor.security.beta.kubernetes.io/";
const TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const RUNTIME_DEFAULT = "runtime/default";
const UNCONFINED = "unconfined";
const LOCALHOST = "localhost/";

/** Whether the pod's deletion cost, if it has one, is a 32-bit integer (KEP-2255). */
export function isDeletionCost(annotations: Annotations | undefined): boolean {
  const cost = annotations?.[DELETION_COST];
  if (cost === undefined) return true;
  if (!/^(-\d+|0|[1-9]\d*)$/.test(cost)) return false;
  const value = Number(cost);
  return value >= -(2 ** 31) && value < 2 ** 31;
}

interface AnnotationScope {
  spec: v1.PodSpec;
  options: PodOptions;
}

export function validatePodAnnotations(annotations: Annotations, at: Field, scope: AnnotationScope): void {
  const mirror = annotations[MIRROR_POD];
  if (mirror !== undefined && !scope.spec.nodeName) {
    at.key(MIRROR_POD).invalid(mirror, "must set spec.nodeName if mirror pod annotation is set");
  }
  if (annotations[TOLERATIONS]) validateTolerationsAnnotation(annotations[TOLERATIONS], at, scope.options);
  if (!scope.options.allowInvalidDeletionCost && !isDeletionCost(annotations)) {
    at.key(DELETION_COST).invalid(annotations[DELETION_COST], "must be a 32bit integer");
  }
  if (annotations[SECCOMP_POD] !== undefined) validateSeccompName(annotations[SECCOMP_POD], at.child(SECCOMP_POD));
  for (const key in annotations) {
    if (key.startsWith(SECCOMP_CONTAINER)) validateSeccompName(annotations[key], at.child(key));
  }
  for (const key in annotations) {
    if (key.startsWith(APPARMOR_CONTAINER)) validateAppArmorName(key, at.key(key), { annotations, spec: scope.spec });
  }
}

function validateTolerationsAnnotation(text: string, at: Field, options: PodOptions): void {
  try {
    const tolerations = JSON.parse(text) as v1.Toleration[] | null;
    if (tolerations?.length) validateTolerations(tolerations, at.child(TOLERATIONS), options);
  } catch (error) {
    at.invalid(TOLERATIONS, (error as Error).message);
  }
}

function validateSeccompName(profile: string, at: Field): void {
  if (profile === RUNTIME_DEFAULT || profile === "docker/default" || profile === UNCONFINED) return;
  if (profile.startsWith(LOCALHOST)) validateDescendingPath(profile.slice(LOCALHOST.length), at);
  else at.invalid(profile, "must be a valid seccomp profile");
}

function validateAppArmorName(
  key: string,
  at: Field,
  { annotations, spec }: { annotations: Annotations; spec: v1.PodSpec },
): void {
  const name = key.slice(APPARMOR_CONTAINER.length), profile = annotations[key];
  if (!containersOf(spec).some((c) => (c.name ?? "") === name)) at.invalid(name, "container not found");
  if (profile === "" || profile === RUNTIME_DEFAULT || profile === UNCONFINED || profile.startsWith(LOCALHOST)) return;
  at.invalid(profile, `invalid AppArmor profile name: ${goQuote(profile)}`);
}

/** What an update may not do to annotations of a pod. */
export function validateAnnotationUpdate(now: Annotations, before: Annotations, at: Field): void {
  for (const key in before) {
    if (now[key] === before[key]) continue;
    if (key.startsWith(APPARMOR_CONTAINER)) at.key(key).forbidden("may not remove or update AppArmor annotations");
    if (key === MIRROR_POD) at.key(key).forbidden("may not remove or update mirror pod annotation");
  }
  for (const key in now) {
    if (key in before) continue;
    if (key.startsWith(APPARMOR_CONTAINER)) at.key(key).forbidden("may not add AppArmor annotations");
    if (key === MIRROR_POD) at.key(key).forbidden("may not add mirror pod annotation");
  }
}

/** A profile may be given as annotation and as field, when both say the same; `at` is the spec. */
export function validateProfilesMatch(annotations: Annotations | undefined, at: Field, spec: v1.PodSpec): void {
  if (!annotations) return;
  const ofPod = spec.securityContext?.seccompProfile;
  if (ofPod && annotations[SECCOMP_POD] !== undefined) {
    matchSeccomp(annotations[SECCOMP_POD], at.child("securityContext", "seccompProfile"), ofPod);
  }
  visitContainers(spec, at, (container, field) => {
    const profile = container.securityContext?.seccompProfile;
    const annotation = annotations[SECCOMP_CONTAINER + (container.name ?? "")];
    if (profile && annotation !== undefined) {
      matchSeccomp(annotation, field.child("securityContext", "seccompProfile"), profile);
    }
  });
  if (spec.os?.name === "windows") return;
  visitContainers(spec, at, (container, field) => {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotations[APPARMOR_CONTAINER + (container.name ?? "")];
    if (profile && annotation !== undefined) {
      matchAppArmor(annotation, field.child("securityContext", "appArmorProfile"), profile);
    }
  });
}

function matchSeccomp(annotation: string, at: Field, profile: v1.SeccompProfile): void {
  const type = at.child("type"), mismatch = "seccomp type in annotation and field must match";
  switch (profile.type) {
    case "Unconfined":
      if (annotation !== UNCONFINED) type.forbidden(mismatch);
      break;
    case "RuntimeDefault":
      if (annotation !== RUNTIME_DEFAULT && annotation !== "docker/default") type.forbidden(mismatch);
      break;
    case "Localhost":
      if (!annotation.startsWith(LOCALHOST)) type.forbidden(mismatch);
      else if (annotation.slice(LOCALHOST.length) !== profile.localhostProfile) {
        at.child("localhostProfile").forbidden("seccomp profile in annotation and field must match");
      }
  }
}

function matchAppArmor(annotation: string, at: Field, profile: v1.AppArmorProfile): void {
  const type = at.child("type"), mismatch = "apparmor type in annotation and field must match";
  switch (profile.type) {
    case "Unconfined":
      if (annotation !== UNCONFINED) type.forbidden(mismatch);
      break;
    case "RuntimeDefault":
      if (annotation !== RUNTIME_DEFAULT) type.forbidden(mismatch);
      break;
    case "Localhost":
      if (!annotation.startsWith(LOCALHOST)) type.forbidden(mismatch);
      else if (annotation.slice(LOCALHOST.length) !== profile.localhostProfile) {
        at.child("localhostProfile").forbidden("apparmor profile in annotation and field must match");
      }
  }
}

/** The field that an AppArmor annotation stands for; undefined when there is none. */
export function appArmorProfileOf(annotation: string): v1.AppArmorProfile | undefined {
  if (annotation === UNCONFINED) return { type: "Unconfined" };
  if (annotation === RUNTIME_DEFAULT) return { type: "RuntimeDefault" };
  const localhostProfile = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : "";
  return localhostProfile === "" ? undefined : { type: "Localhost", localhostProfile };
}
