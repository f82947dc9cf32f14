// Checks of privileges: capabilities, escalation, users, sysctls and what of /proc is seen.
import { containersOf } from "../../../apis/core/pod_spec/visit.ts";
import {
  type AnyContainer,
  type Check,
  type CheckFunction,
  containerNames,
  inUserNamespace,
  isWindows,
  namesWhere,
  type PodLike,
  quoted,
  setters,
  sortedSet,
  unless,
  type Violation,
} from "./check.ts";

function privileged({ spec }: PodLike): Violation | undefined {
  const containers = namesWhere(spec, (c) => c.securityContext?.privileged === true);
  if (containers.length === 0) return undefined;
  return { reason: "privileged", detail: `${containerNames(containers)} must not set securityContext.privileged=true` };
}

function escalation({ spec }: PodLike): Violation | undefined {
  const containers = namesWhere(spec, (c) => c.securityContext?.allowPrivilegeEscalation !== false);
  if (containers.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containerNames(containers)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

/** What container runtimes give by default, without NET_RAW. */
const DEFAULT_CAPABILITIES = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

function addedBeyond(container: AnyContainer, allowed: ReadonlySet<string>): string[] {
  return (container.securityContext?.capabilities?.add ?? []).filter((capability) => !allowed.has(capability));
}

function beyond(pod: PodLike, allowed: ReadonlySet<string>): string | undefined {
  const containers = namesWhere(pod.spec, (c) => addedBeyond(c, allowed).length > 0);
  if (containers.length === 0) return undefined;
  const added = sortedSet(containersOf(pod.spec).flatMap((c) => addedBeyond(c, allowed)));
  return `${containerNames(containers)} must not include ${quoted(added)} in securityContext.capabilities.add`;
}

function capabilities(pod: PodLike): Violation | undefined {
  const detail = beyond(pod, DEFAULT_CAPABILITIES);
  return detail === undefined ? undefined : { reason: "non-default capabilities", detail };
}

const BIND_ONLY = new Set(["NET_BIND_SERVICE"]);

function dropAll(pod: PodLike): Violation | undefined {
  const keeping = namesWhere(pod.spec, (c) => !c.securityContext?.capabilities?.drop?.includes("ALL"));
  const details = [
    keeping.length > 0 ? `${containerNames(keeping)} must set securityContext.capabilities.drop=["ALL"]` : undefined,
    beyond(pod, BIND_ONLY),
  ].filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function procMount({ spec }: PodLike): Violation | undefined {
  const unmasked = (c: AnyContainer) => (c.securityContext?.procMount ?? "Default") !== "Default";
  const containers = namesWhere(spec, unmasked);
  if (containers.length === 0) return undefined;
  const types = sortedSet(containersOf(spec).filter(unmasked).map((c) => c.securityContext!.procMount!));
  return {
    reason: "procMount",
    detail: `${containerNames(containers)} must not set securityContext.procMount to ${quoted(types)}`,
  };
}

function nonRoot({ spec }: PodLike): Violation | undefined {
  const reason = "runAsNonRoot != true", own = spec.securityContext?.runAsNonRoot;
  const who = setters(own === false, namesWhere(spec, (c) => c.securityContext?.runAsNonRoot === false));
  if (who !== "") return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  if (own === true) return undefined;
  const silent = namesWhere(spec, (c) => c.securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containerNames(silent)} must set securityContext.runAsNonRoot=true` };
}

function user({ spec }: PodLike): Violation | undefined {
  const who = setters(
    spec.securityContext?.runAsUser === 0,
    namesWhere(spec, (c) => c.securityContext?.runAsUser === 0),
  );
  return who === "" ? undefined : { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
}

/** Safe sysctls by the version of the policy that came to know them. */
const SYSCTLS: readonly [since: number, names: readonly string[]][] = [
  [0, [
    "kernel.shm_rmid_forced",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range",
    "net.ipv4.ip_unprivileged_port_start",
  ]],
  [27, ["net.ipv4.ip_local_reserved_ports"]],
  [29, [
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
  ]],
  [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
];

function sysctlsOf(version: number): CheckFunction {
  const safe = new Set(SYSCTLS.filter(([since]) => since <= version).flatMap(([, names]) => names));
  return ({ spec }) => {
    const unsafe = (spec.securityContext?.sysctls ?? []).map(({ name = "" }) => name).filter((name) => !safe.has(name));
    return unsafe.length === 0 ? undefined : { reason: "forbidden sysctls", detail: unsafe.join(", ") };
  };
}

export const PRIVILEGE_CHECKS: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    level: "restricted",
    versions: [[8, escalation], [25, unless(isWindows, escalation)]],
  },
  { id: "capabilities_baseline", level: "baseline", versions: [[0, capabilities]] },
  {
    id: "capabilities_restricted",
    level: "restricted",
    versions: [[22, dropAll], [25, unless(isWindows, dropAll)]],
    overrides: ["capabilities_baseline"],
  },
  { id: "privileged", level: "baseline", versions: [[0, privileged]] },
  { id: "procMount", level: "baseline", versions: [[0, procMount], [35, unless(inUserNamespace, procMount)]] },
  { id: "procMount_restricted", level: "restricted", versions: [[35, procMount]], overrides: ["procMount"] },
  { id: "runAsNonRoot", level: "restricted", versions: [[0, nonRoot], [35, unless(inUserNamespace, nonRoot)]] },
  { id: "runAsUser", level: "restricted", versions: [[23, user], [35, unless(inUserNamespace, user)]] },
  { id: "sysctls", level: "baseline", versions: SYSCTLS.map(([since]) => [since, sysctlsOf(since)]) },
];
