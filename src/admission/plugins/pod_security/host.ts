// Checks of what a pod shares with its host: namespaces, paths, ports, and hosts that probes speak to.
import { containersOf } from "../../../apis/core/pod_spec/visit.ts";
import type { LifecycleHandler, Probe } from "../../../facts/generated/types.ts";
import {
  type AnyContainer,
  type Check,
  containerNames,
  namesWhere,
  plural,
  type PodLike,
  quoted,
  setters,
  sortedSet,
  type Violation,
} from "./check.ts";

function namespaces({ spec }: PodLike): Violation | undefined {
  const shared = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((name) => spec[name] === true);
  if (shared.length === 0) return undefined;
  return { reason: "host namespaces", detail: shared.map((name) => `${name}=true`).join(", ") };
}

function paths({ spec }: PodLike): Violation | undefined {
  const volumes = (spec.volumes ?? []).filter((volume) => volume.hostPath !== undefined).map((v) => v.name ?? "");
  if (volumes.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural("volume", volumes.length)} ${quoted(volumes)}` };
}

function hostPorts(container: AnyContainer): string[] {
  return (container.ports ?? []).flatMap(({ hostPort }) => hostPort ? [String(hostPort)] : []);
}

function ports({ spec }: PodLike): Violation | undefined {
  const containers = namesWhere(spec, (container) => hostPorts(container).length > 0);
  if (containers.length === 0) return undefined;
  const taken = sortedSet(containersOf(spec).flatMap(hostPorts));
  const uses = plural("uses", containers.length, "use");
  return {
    reason: "hostPort",
    detail: `${containerNames(containers)} ${uses} ${plural("hostPort", taken.length)} ${taken.join(", ")}`,
  };
}

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: AnyContainer): string[] {
  const handlers: (Probe | LifecycleHandler | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers.flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .filter((host): host is string => host !== undefined && host !== "");
}

function probes({ spec }: PodLike): Violation | undefined {
  const containers = sortedSet(namesWhere(spec, (container) => hostsOf(container).length > 0));
  if (containers.length === 0) return undefined;
  const hosts = sortedSet(containersOf(spec).flatMap(hostsOf));
  const uses = plural("uses", containers.length, "use");
  return {
    reason: "probe or lifecycle host",
    detail: `${containerNames(containers)} ${uses} ${plural("probe or lifecycle host", hosts.length)} ${quoted(hosts)}`,
  };
}

function processes({ spec }: PodLike): Violation | undefined {
  const who = setters(
    spec.securityContext?.windowsOptions?.hostProcess === true,
    namesWhere(spec, (container) => container.securityContext?.windowsOptions?.hostProcess === true),
  );
  if (who === "") return undefined;
  return { reason: "hostProcess", detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
}

export const HOST_CHECKS: readonly Check[] = [
  { id: "hostNamespaces", level: "baseline", versions: [[0, namespaces]] },
  { id: "hostPathVolumes", level: "baseline", versions: [[0, paths]] },
  { id: "hostPorts", level: "baseline", versions: [[0, ports]] },
  { id: "hostProbesAndHostLifecycle", level: "baseline", versions: [[34, probes]] },
  { id: "windowsHostProcess", level: "baseline", versions: [[0, processes]] },
];
