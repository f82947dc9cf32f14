// Rules of security contexts, of pods and of containers.
import type * as v1 from "../../../facts/generated/types.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { isGroupID, isUserID } from "../../../machinery/validation/numbers.ts";
import { internalForm } from "../../internal_form.ts";
import type { PodOptions } from "./options.ts";
import { validateDescendingPath } from "./paths.ts";
import { validateWindowsOptions } from "./windows.ts";

const PROFILE_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];
const PROC_MOUNTS = ["Default", "Unmasked"];
const MAX_PROFILE_PATH = 4095;

function validateID(id: number | undefined, at: Field, rule: (id: number) => readonly string[]): void {
  if (id !== undefined) at.invalidEach(id, rule(id));
}

export function validateSecurityContext(
  context: v1.SecurityContext,
  at: Field,
  options: { hostUsers: boolean },
): void {
  validateID(context.runAsUser, at.child("runAsUser"), isUserID);
  validateID(context.runAsGroup, at.child("runAsGroup"), isGroupID);
  const { procMount } = context;
  if (procMount !== undefined) {
    if (!PROC_MOUNTS.includes(procMount)) at.child("procMount").notSupportedInOrder(procMount, PROC_MOUNTS);
    if (options.hostUsers && procMount === "Unmasked") {
      at.child("procMount").invalid(procMount, "`hostUsers` must be false to use `Unmasked`");
    }
  }
  if (context.seccompProfile) validateSeccompProfile(context.seccompProfile, at.child("seccompProfile"));
  if (context.allowPrivilegeEscalation === false) validateNoEscalation(context, at);
  if (context.windowsOptions) validateWindowsOptions(context.windowsOptions, at.child("windowsOptions"));
  if (context.appArmorProfile) validateAppArmorProfile(context.appArmorProfile, at.child("appArmorProfile"));
}

function validateNoEscalation(context: v1.SecurityContext, at: Field): void {
  const say = (what: string) =>
    at.invalid(
      internalForm("SecurityContext", context),
      `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
    );
  if (context.privileged) say("`privileged` to true");
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === "CAP_SYS_ADMIN") say("`capabilities.Add` CAP_SYS_ADMIN");
  }
}

function validateSeccompProfile(profile: v1.SeccompProfile, at: Field): void {
  const { type = "", localhostProfile } = profile;
  if (type === "") at.child("type").required("type is required when seccompProfile is set");
  else if (!PROFILE_TYPES.includes(type)) at.child("type").notSupportedInOrder(type, PROFILE_TYPES);
  const field = at.child("localhostProfile");
  if (type === "Localhost") {
    if (localhostProfile === undefined) field.required("must be set when seccomp type is Localhost");
    else validateDescendingPath(localhostProfile, field);
  } else if (localhostProfile !== undefined) {
    field.invalid(internalForm("SeccompProfile", profile), "can only be set when seccomp type is Localhost");
  }
}

export function validateAppArmorProfile(profile: v1.AppArmorProfile, at: Field): void {
  const { type = "", localhostProfile } = profile;
  const field = at.child("localhostProfile");
  if (type === "Localhost") {
    if (localhostProfile === undefined) return field.required("must be set when AppArmor type is Localhost");
    if (localhostProfile.trim() !== localhostProfile) {
      field.invalid(localhostProfile, "must not be padded with whitespace");
    } else if (localhostProfile === "") field.required("must be set when AppArmor type is Localhost");
    if (localhostProfile.length > MAX_PROFILE_PATH) field.tooLong(MAX_PROFILE_PATH);
  } else if (type === "RuntimeDefault" || type === "Unconfined") {
    if (localhostProfile !== undefined) {
      field.invalid(localhostProfile, "can only be set when AppArmor type is Localhost");
    }
  } else if (type === "") at.child("type").required("type is required when appArmorProfile is set");
  else at.child("type").notSupportedInOrder(type, PROFILE_TYPES);
}

const GROUP_CHANGE_POLICIES = ["Always", "OnRootMismatch"];
const GROUPS_POLICIES = ["Merge", "Strict"];
const SELINUX_CHANGE_POLICIES = ["MountOption", "Recursive"];

/** The security context of a pod; some of what belongs to it stands in the spec itself. */
export function validatePodSecurityContext(spec: v1.PodSpec, at: Field, options: PodOptions): void {
  const context = spec.securityContext ?? {};
  validateID(context.fsGroup, at.child("fsGroup"), isGroupID);
  validateID(context.runAsUser, at.child("runAsUser"), isUserID);
  validateID(context.runAsGroup, at.child("runAsGroup"), isGroupID);
  context.supplementalGroups?.forEach((group, i) =>
    validateID(group, at.child("supplementalGroups").index(i), isGroupID)
  );
  if (spec.hostPID && spec.shareProcessNamespace) {
    at.child("shareProcessNamespace").invalid(true, "ShareProcessNamespace and HostPID cannot both be enabled");
  }
  if (context.sysctls?.length) validateSysctls(spec, at.child("sysctls"), options);
  validateOneOf(context.fsGroupChangePolicy, at.child("fsGroupChangePolicy"), GROUP_CHANGE_POLICIES);
  if (context.seccompProfile) validateSeccompProfile(context.seccompProfile, at.child("seccompProfile"));
  if (context.windowsOptions) validateWindowsOptions(context.windowsOptions, at.child("windowsOptions"));
  if (context.appArmorProfile) validateAppArmorProfile(context.appArmorProfile, at.child("appArmorProfile"));
  validateOneOf(context.supplementalGroupsPolicy, at.child("supplementalGroupsPolicy"), GROUPS_POLICIES);
  validateOneOf(
    context.seLinuxChangePolicy,
    at.child("seLinuxChangePolicy"),
    options.allowSELinuxChangePolicies ? SELINUX_CHANGE_POLICIES : ["Recursive"],
  );
}

function validateOneOf(value: string | undefined, at: Field, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) at.notSupported(value, supported);
}

const SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SYSCTL = `^(${SYSCTL_SEGMENT}[\\./])*${SYSCTL_SEGMENT}$`;
const SYSCTL_EXPRESSION = new RegExp(SYSCTL);
const MAX_SYSCTL = 253;

function validateSysctls(spec: v1.PodSpec, at: Field, options: PodOptions): void {
  const names = new Set<string>();
  spec.securityContext?.sysctls?.forEach(({ name = "" }, i) => {
    const field = at.index(i).child("name");
    if (name === "") field.required();
    else if (name.length > MAX_SYSCTL || !SYSCTL_EXPRESSION.test(name)) {
      field.invalid(name, `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL}`);
    } else if (names.has(name)) field.duplicate(name);
    const problem = options.allowHostNamespaceSysctls ? undefined : hostSysctlProblem(name, spec);
    if (problem) field.invalid(name, problem);
    names.add(name);
  });
}

/** Kernel parameters of a namespace: of IPC those with these names or this prefix, of the network `net.`. */
const IPC_SYSCTLS = new Set([
  "kernel.sem",
  "kernel.shmall",
  "kernel.shmmax",
  "kernel.shmmni",
  "kernel.shm_rmid_forced",
  "kernel.shm",
  "kernel.msgmax",
  "kernel.msgmnb",
  "kernel.msgmni",
  "kernel.msg",
]);

/** A parameter of a namespace that the pod shares with its host may not be set. */
export function hostSysctlProblem(given: string, spec: v1.PodSpec): string | undefined {
  let name = given;
  // Written with slashes, dots and slashes have changed places.
  if (/^[^./]*\//.test(name)) name = name.replace(/[./]/g, (c) => c === "." ? "/" : ".");
  name = name.split("*", 1)[0];
  if (spec.hostNetwork && name.startsWith("net.")) return "may not be specified when 'hostNetwork' is true";
  if (spec.hostIPC && (IPC_SYSCTLS.has(name) || name.startsWith("fs.mqueue."))) {
    return "may not be specified when 'hostIPC' is true";
  }
}
