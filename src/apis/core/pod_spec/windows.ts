// Rules of pods by their operating system: what only Windows has, and what it has not.
import type * as v1 from "../../../facts/generated/types.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { byteLength, isDNS1123Subdomain } from "../../../machinery/validation/names.ts";
import { visitContainers } from "./visit.ts";

const MAX_CREDENTIAL_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const DNS_NAME = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const BAD_USER = /["/\\:;|=,+*?<>@[\]]/;

export function validateWindowsOptions(options: v1.WindowsSecurityContextOptions, at: Field): void {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name !== undefined) at.child("gmsaCredentialSpecName").invalidEach(name, isDNS1123Subdomain(name));
  if (spec === "") at.child("gmsaCredentialSpec").invalid(spec, "gmsaCredentialSpec cannot be an empty string");
  else if (spec !== undefined && byteLength(spec) > MAX_CREDENTIAL_KIB * 1024) {
    at.child("gmsaCredentialSpec").invalid(spec, `gmsaCredentialSpec size must be under ${MAX_CREDENTIAL_KIB} KiB`);
  }
  if (user !== undefined) at.child("runAsUserName").invalidEach(user, userNameProblems(user));
}

function userNameProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (CONTROL.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1)!, domain = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  const say = (when: boolean, what: string) => when && problems.push(`runAsUserName's ${what}`);
  if (domain !== undefined) {
    say(byteLength(domain) >= MAX_DOMAIN, `Domain length must be under ${MAX_DOMAIN} characters`);
    say(!NETBIOS.test(domain) && !DNS_NAME.test(domain), "Domain doesn't match the NetBios nor the DNS format");
  }
  say(user === "", "User cannot be empty");
  say(byteLength(user) > MAX_USER, `User length must not be longer than ${MAX_USER} characters`);
  say(/^[. ]+$/.test(user), "User cannot contain only periods or spaces");
  say(BAD_USER.test(user), 'User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return problems;
}

/** Containers that run as processes of the host: all of a pod or none (KEP-1981). */
export function validateHostProcess(spec: v1.PodSpec, at: Field): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0, hostProcesses = 0;
  visitContainers(spec, at, (container, field) => {
    containers++;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      field.child("securityContext").child("windowsOptions", "hostProcess").invalid(
        own,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      );
    }
    if (own ?? ofPod) hostProcesses++;
  });
  if (hostProcesses === 0) return;
  if (hostProcesses !== containers) {
    at.invalid("", "If pod contains any hostProcess containers then all containers must be HostProcess containers");
  }
  if (!spec.hostNetwork) {
    at.child("hostNetwork").invalid(false, "hostNetwork must be true if pod contains any hostProcess containers");
  }
}

const OPERATING_SYSTEMS = ["linux", "windows"];

/** What an operating system that was named does not have. */
export function validateOS(spec: v1.PodSpec, at: Field): void {
  if (!spec.os) return;
  const { name = "" } = spec.os;
  if (name === "") at.child("os", "name").required();
  else if (!OPERATING_SYSTEMS.includes(name)) at.child("os").notSupported(name, OPERATING_SYSTEMS);
  else if (name === "linux") validateLinux(spec, at);
  else validateWindows(spec, at);
}

function validateLinux(spec: v1.PodSpec, at: Field): void {
  const refuse = (field: Field) => field.forbidden("windows options cannot be set for a linux pod");
  if (spec.securityContext?.windowsOptions) refuse(at.child("securityContext", "windowsOptions"));
  visitContainers(spec, at, (container, field) => {
    if (container.securityContext?.windowsOptions) refuse(field.child("securityContext", "windowsOptions"));
  });
}

/** `false` and lists without elements are as good as unset for those that are no pointers. */
const NOT_ON_WINDOWS: readonly (readonly ["spec" | "securityContext", string, "truthy"?])[] = [
  ["securityContext", "appArmorProfile"],
  ["securityContext", "seLinuxOptions"],
  ["spec", "hostUsers"],
  ["spec", "hostPID", "truthy"],
  ["spec", "hostIPC", "truthy"],
  ["securityContext", "seccompProfile"],
  ["securityContext", "fsGroup"],
  ["securityContext", "fsGroupChangePolicy"],
  ["securityContext", "sysctls"],
  ["spec", "shareProcessNamespace"],
  ["securityContext", "runAsUser"],
  ["securityContext", "runAsGroup"],
  ["securityContext", "supplementalGroups"],
  ["securityContext", "supplementalGroupsPolicy"],
  ["securityContext", "seLinuxChangePolicy"],
];

const NOT_IN_WINDOWS_CONTAINERS = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
] as const;

function validateWindows(spec: v1.PodSpec, at: Field): void {
  const refuse = (field: Field) => field.forbidden("cannot be set for a windows pod");
  const places: Record<string, Record<string, unknown>> = {
    spec: spec as Record<string, unknown>,
    securityContext: (spec.securityContext ?? {}) as Record<string, unknown>,
  };
  for (const [place, member, truthy] of NOT_ON_WINDOWS) {
    const value = places[place][member];
    if (truthy ? !value : value === undefined || value === null) continue;
    refuse(place === "spec" ? at.child(member) : at.child("securityContext", member));
  }
  visitContainers(spec, at, (container, field) => {
    const context = container.securityContext;
    if (!context) return;
    for (const member of NOT_IN_WINDOWS_CONTAINERS) {
      if (context[member] !== undefined && context[member] !== null) refuse(field.child("securityContext", member));
    }
  });
}
