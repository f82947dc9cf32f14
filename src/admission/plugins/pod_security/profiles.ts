// Checks of the profiles that confine containers: AppArmor, seccomp and SELinux.
import { containersOf } from "../../../apis/core/pod_spec/visit.ts";
import type { SELinuxOptions } from "../../../facts/generated/types.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import {
  type Check,
  type CheckFunction,
  containerNames,
  isWindows,
  namesWhere,
  plural,
  type PodLike,
  quoted,
  setters,
  sortedSet,
  unless,
  type Violation,
} from "./check.ts";

const CONFINED = new Set(["RuntimeDefault", "Localhost"]);

function isUnconfined(profile: { type?: string } | undefined): boolean {
  return profile !== undefined && !CONFINED.has(profile.type ?? "");
}

const APP_ARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";

function badAppArmorAnnotations({ metadata }: PodLike): string[] {
  return Object.entries(metadata.annotations ?? {}).filter(([key, value]) =>
    key.startsWith(APP_ARMOR_ANNOTATION) && value !== "" && value !== "runtime/default" &&
    !value.startsWith("localhost/")
  ).map(([key, value]) => `${key}=${goQuote(value)}`).sort();
}

function appArmor(pod: PodLike): Violation | undefined {
  const { spec } = pod, own = spec.securityContext?.appArmorProfile;
  const containers = namesWhere(spec, (c) => isUnconfined(c.securityContext?.appArmorProfile));
  const annotations = badAppArmorAnnotations(pod);
  const who = [
    setters(isUnconfined(own), containers),
    annotations.length > 0 ? plural("annotation", annotations.length) : "",
  ].filter((part) => part !== "").join(" and ");
  if (who === "") return undefined;
  const profiles = [own, ...containersOf(spec).map((c) => c.securityContext?.appArmorProfile)];
  const values = [...sortedSet(profiles.filter(isUnconfined).map((profile) => profile!.type ?? "")), ...annotations];
  return {
    reason: plural("forbidden AppArmor profile", values.length),
    detail: `${who} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

/** Profiles in annotations, as they were before there was a field. */
function seccompAnnotations({ metadata, spec }: PodLike): Violation | undefined {
  const keys = [SECCOMP_POD, ...containersOf(spec).map((container) => SECCOMP_CONTAINER + container.name)];
  const wrong = sortedSet(keys.flatMap((key) => {
    const value = metadata.annotations?.[key];
    if (value === undefined || ["runtime/default", "docker/default"].includes(value)) return [];
    return value.startsWith("localhost/") ? [] : [`${key}=${goQuote(value)}`];
  }));
  if (wrong.length === 0) return undefined;
  return { reason: "seccompProfile", detail: `forbidden ${plural("annotation", wrong.length)} ${wrong.join(", ")}` };
}

function seccompUnconfined({ spec }: PodLike): Violation | undefined {
  const own = spec.securityContext?.seccompProfile;
  const containers = namesWhere(spec, (c) => isUnconfined(c.securityContext?.seccompProfile));
  const who = setters(isUnconfined(own), containers);
  if (who === "") return undefined;
  const profiles = [own, ...containersOf(spec).map((c) => c.securityContext?.seccompProfile)];
  const values = sortedSet(profiles.filter(isUnconfined).map((profile) => profile!.type ?? ""));
  return {
    reason: "seccompProfile",
    detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
  };
}

const seccompConfined: CheckFunction = (pod) => {
  const unconfined = seccompUnconfined(pod);
  if (unconfined !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return unconfined;
  const silent = namesWhere(pod.spec, (c) => c.securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${
      containerNames(silent)
    } must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

const SELINUX_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

function seLinux(types: readonly string[]): CheckFunction {
  const badType = (options: SELinuxOptions | undefined) => options !== undefined && !types.includes(options.type ?? "");
  const isBad = (options: SELinuxOptions | undefined) => badType(options) || !!options?.user || !!options?.role;
  return ({ spec }) => {
    const own = spec.securityContext?.seLinuxOptions;
    const who = setters(isBad(own), namesWhere(spec, (c) => isBad(c.securityContext?.seLinuxOptions)));
    if (who === "") return undefined;
    const all = [own, ...containersOf(spec).map((c) => c.securityContext?.seLinuxOptions)];
    const bad = sortedSet(all.filter(badType).map((options) => options!.type ?? ""));
    const what = [
      ...bad.length > 0 ? [`${plural("type", bad.length)} ${quoted(bad)}`] : [],
      ...all.some((options) => options?.user) ? ["user may not be set"] : [],
      ...all.some((options) => options?.role) ? ["role may not be set"] : [],
    ];
    return {
      reason: "seLinuxOptions",
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join("; ")}`,
    };
  };
}

export const PROFILE_CHECKS: readonly Check[] = [
  { id: "appArmorProfile", level: "baseline", versions: [[0, appArmor]] },
  {
    id: "seLinuxOptions",
    level: "baseline",
    versions: [[0, seLinux(SELINUX_TYPES)], [31, seLinux([...SELINUX_TYPES, "container_engine_t"])]],
  },
  { id: "seccompProfile_baseline", level: "baseline", versions: [[0, seccompAnnotations], [19, seccompUnconfined]] },
  {
    id: "seccompProfile_restricted",
    level: "restricted",
    versions: [[19, seccompConfined], [25, unless(isWindows, seccompConfined)]],
    overrides: ["seccompProfile_baseline"],
  },
];
