// Warnings about pods and templates of pods that are accepted although something in them does not do what it seems to.
import type * as v1 from "../../../facts/generated/types.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import { quantityMilliValue } from "../../../machinery/quantity.ts";
import type { ObjectMeta } from "../../../machinery/types.ts";
import { deepEqual } from "../../../machinery/validation/equality.ts";
import { isDNS1123Label, isLabelValue } from "../../../machinery/validation/names.ts";
import { warningsForIP } from "../../../machinery/validation/net.ts";
import { claimSpecWarnings } from "../persistentvolumeclaim_spec.ts";
import type { ResourceList } from "../resource_names.ts";
import { APPARMOR_CONTAINER, appArmorProfileOf, SECCOMP_CONTAINER, SECCOMP_POD } from "./annotations.ts";
import { overlapWarnings } from "./overlaps.ts";
import { CONTAINER_LISTS } from "./visit.ts";
import { lookUp } from "../../../machinery/look_up.ts";

/** Labels of nodes that have a successor or no meaning. */
const DEPRECATED_NODE_LABELS: Record<string, string> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

const DEPRECATED_ANNOTATIONS: Record<string, string> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};

/** Types of volumes that are no more, by member; the path is the name that the warning uses. */
const DEPRECATED_VOLUMES: readonly (readonly [keyof v1.Volume, string, path?: string])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", ""],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

export function deprecatedNodeLabel(key: string): string | undefined {
  return lookUp(DEPRECATED_NODE_LABELS, key);
}

export interface Warned {
  spec: v1.PodSpec;
  meta: ObjectMeta;
  /** Text of the template's path; undefined for a pod itself. */
  template?: string;
}

/** In the order of the real server. */
export function podWarnings({ spec, meta, template }: Warned): string[] {
  const warnings: string[] = [];
  const root = template === undefined ? "" : `${template}.`;
  const at = `${root}spec`, annotations = `${root}metadata.annotations`;
  nodeWarnings(spec, at, warnings);
  for (const key in DEPRECATED_ANNOTATIONS) {
    if (meta.annotations?.[key] !== undefined) warnings.push(`${annotations}[${key}]: ${DEPRECATED_ANNOTATIONS[key]}`);
  }
  spec.volumes?.forEach((volume, i) => volumeWarnings(volume, `${at}.volumes[${i}]`, warnings));
  warnings.push(...overlapWarnings(spec.volumes ?? []));
  repeatedNames(spec.hostAliases?.map((a) => a.ip ?? ""), (i) => `${at}.hostAliases[${i}].ip: duplicate ip`, warnings);
  const secrets = spec.imagePullSecrets?.map((s) => s.name ?? "");
  repeatedNames(secrets, (i) => `${at}.imagePullSecrets[${i}].name: duplicate name`, warnings);
  secrets?.forEach((name, i) => {
    if (name === "") warnings.push(`${at}.imagePullSecrets[${i}].name: invalid empty name ""`);
  });
  fractionWarnings(spec.overhead, `${at}.overhead`, ["memory", "ephemeral-storage"], warnings);
  if (!spec.securityContext?.seccompProfile && meta.annotations?.[SECCOMP_POD] !== undefined) {
    warnings.push(`${annotations}[${SECCOMP_POD}]: ${SECCOMP_GONE}`);
  }
  const containers = containersWithPaths(spec, at);
  for (const { container, path } of containers) {
    profileWarnings(container, annotations, { spec, meta, template }, warnings);
    containerWarnings(container, path, warnings);
  }
  portWarnings(containers, warnings);
  portNameWarnings(containers, warnings);
  const grace = spec.terminationGracePeriodSeconds;
  if (grace !== undefined && grace < 0) {
    warnings.push(
      `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
    );
  }
  affinityWarnings(spec.affinity, at, warnings);
  spec.dnsConfig?.nameservers?.forEach((ns, i) =>
    warnings.push(...warningsForIP(ns, `${at}.dnsConfig.nameservers[${i}]`))
  );
  spec.hostAliases?.forEach((a, i) => warnings.push(...warningsForIP(a.ip ?? "", `${at}.hostAliases[${i}].ip`)));
  return warnings;
}

const SECCOMP_GONE = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const MATCHES_NOTHING = "a null labelSelector results in matching no pod";
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function nodeWarnings(spec: v1.PodSpec, at: string, warnings: string[]): void {
  for (const key in spec.nodeSelector) {
    if (deprecatedNodeLabel(key)) warnings.push(`${at}.nodeSelector[${key}]: ${deprecatedNodeLabel(key)}`);
  }
  const affinity = spec.affinity?.nodeAffinity, path = `${at}.affinity.nodeAffinity`;
  affinity?.[REQUIRED]?.nodeSelectorTerms?.forEach((term, i) =>
    warnings.push(...nodeSelectorTermWarnings(term, `${path}.${REQUIRED}.nodeSelectorTerms[${i}]`))
  );
  affinity?.[PREFERRED]?.forEach(({ preference = {} }, i) =>
    warnings.push(
      ...nodeSelectorTermWarnings(preference, `${path}.${PREFERRED}[${i}].preference`, { checkValues: true }),
    )
  );
  spec.topologySpreadConstraints?.forEach(({ topologyKey = "", labelSelector }, i) => {
    const constraint = `${at}.topologySpreadConstraints[${i}]`;
    const deprecated = deprecatedNodeLabel(topologyKey);
    if (deprecated) warnings.push(`${constraint}.topologyKey: ${topologyKey} is ${deprecated}`);
    if (!labelSelector) warnings.push(`${constraint}.labelSelector: ${MATCHES_NOTHING}`);
  });
}

/** Warnings about a requirement of nodes; `at` is the text of its path. */
function nodeSelectorTermWarnings(
  term: v1.NodeSelectorTerm,
  at: string,
  options: { checkValues?: boolean } = {},
): string[] {
  const warnings: string[] = [];
  term.matchExpressions?.forEach(({ key = "", values }, i) => {
    const deprecated = deprecatedNodeLabel(key), path = `${at}.matchExpressions[${i}]`;
    if (deprecated) warnings.push(`${path}.key: ${key} is ${deprecated}`);
    if (!options.checkValues) return;
    values?.forEach((value, j) => {
      for (const message of isLabelValue(value)) {
        warnings.push(`${path}.values[${j}]: ${value} is invalid, ${message}`);
      }
    });
  });
  return warnings;
}

function volumeWarnings(volume: v1.Volume, at: string, warnings: string[]): void {
  for (const [type, what, path = type] of DEPRECATED_VOLUMES) {
    if (!volume[type]) continue;
    if (type !== "ephemeral") warnings.push(`${at}.${path}: ${what}`);
    else if (volume.ephemeral?.volumeClaimTemplate) {
      const spec = volume.ephemeral.volumeClaimTemplate.spec ?? {};
      warnings.push(...claimSpecWarnings(spec, `${at}.ephemeral.volumeClaimTemplate.spec`));
    }
  }
}

function repeatedNames(names: string[] | undefined, say: (i: number) => string, warnings: string[]): void {
  const seen = new Set<string>();
  names?.forEach((name, i) => {
    if (seen.has(name)) warnings.push(`${say(i)} ${goQuote(name)}`);
    seen.add(name);
  });
}

function fractionWarnings(list: ResourceList | undefined, at: string, names: string[], warnings: string[]): void {
  for (const name of names) {
    const quantity = list?.[name];
    // Only quantities in thousandths can have a fraction.
    if (!quantity?.endsWith("m") || quantityMilliValue(quantity) % 1000n === 0n) continue;
    warnings.push(`${at}[${name}]: fractional byte value "${quantity}" is invalid, must be an integer`);
  }
}

type AnyContainer = v1.Container | v1.EphemeralContainer;

interface Placed {
  container: AnyContainer;
  path: string;
}

function containersWithPaths(spec: v1.PodSpec, at: string): Placed[] {
  return CONTAINER_LISTS.flatMap((list) =>
    (spec[list] ?? []).map((container: AnyContainer, i: number) => ({ container, path: `${at}.${list}[${i}]` }))
  );
}

/** Profiles that stand in annotations only. Of pods themselves the AppArmor ones have become fields already. */
function profileWarnings(
  container: AnyContainer,
  at: string,
  { spec, meta, template }: Warned,
  warnings: string[],
): void {
  const name = container.name ?? "", { seccompProfile, appArmorProfile } = container.securityContext ?? {};
  const seccomp = SECCOMP_CONTAINER + name, appArmor = APPARMOR_CONTAINER + name;
  if (!seccompProfile && meta.annotations?.[seccomp] !== undefined) {
    warnings.push(`${at}[${seccomp}]: ${SECCOMP_GONE}`);
  }
  const annotation = meta.annotations?.[appArmor];
  if (template === undefined || appArmorProfile || annotation === undefined) return;
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod && deepEqual(ofPod, appArmorProfileOf(annotation))) return;
  warnings.push(`${at}[${appArmor}]: ${APPARMOR_DEPRECATED}`);
}

export const APPARMOR_DEPRECATED = 'deprecated since v1.30; use the "appArmorProfile" field instead';

function containerWarnings(container: AnyContainer, at: string, warnings: string[]): void {
  const { limits, requests } = container.resources ?? {};
  for (const name of ["memory", "ephemeral-storage"]) {
    fractionWarnings(limits, `${at}.resources.limits`, [name], warnings);
    fractionWarnings(requests, `${at}.resources.requests`, [name], warnings);
  }
  const seen = new Set<string>();
  container.env?.forEach(({ name = "", value = "", valueFrom }, i) => {
    // A variable may be set again out of its own value.
    const builtOnIt = !valueFrom && value !== `$(${name})` && value.includes(`$(${name})`);
    if (seen.has(name) && !builtOnIt) {
      warnings.push(
        `${at}.env[${i}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
      );
    }
    seen.add(name);
  });
}

function portWarnings(containers: readonly Placed[], warnings: string[]): void {
  const known = new Map<string, { path: string; port: v1.ContainerPort }[]>();
  for (const { container, path } of containers) {
    container.ports?.forEach((port, i) => {
      const at = `${path}.ports[${i}]`;
      const { name = "", hostIP = "", hostPort = 0, containerPort = 0, protocol = "" } = port;
      if (hostIP !== "" && hostPort === 0) {
        warnings.push(
          `${at}: hostIP set without hostPort: {Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} ` +
            `Protocol:${protocol} HostIP:${hostIP}}`,
        );
      }
      const key = `${containerPort}/${protocol}`, others = known.get(key) ?? [];
      for (const other of others) {
        const otherIP = other.port.hostIP ?? "", otherPort = other.port.hostPort ?? 0;
        if (hostIP === otherIP && hostPort === otherPort) {
          warnings.push(`${at}: duplicate port definition with ${other.path}`);
        } else if (hostPort === 0 || otherPort === 0) {
          warnings.push(`${at}: overlapping port definition with ${other.path}`);
        } else if (hostPort === otherPort && (hostIP === "") !== (otherIP === "")) {
          warnings.push(`${at}: dangerously ambiguous port definition with ${other.path}`);
        }
      }
      known.set(key, [...others, { path: at, port }]);
    });
  }
}

function portNameWarnings(containers: readonly Placed[], warnings: string[]): void {
  const first = new Map<string, string>();
  for (const { container, path } of containers) {
    container.ports?.forEach(({ name }, i) => {
      if (!name) return;
      const at = `${path}.ports[${i}]`, other = first.get(name);
      if (other === undefined) first.set(name, at);
      else {
        warnings.push(
          `${at}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name ` +
            `will use ${other}`,
        );
      }
    });
  }
}

function affinityWarnings(affinity: v1.Affinity | undefined, at: string, warnings: string[]): void {
  for (const side of ["podAffinity", "podAntiAffinity"] as const) {
    const path = `${at}.affinity.${side}`;
    affinity?.[side]?.[REQUIRED]?.forEach((term, i) => {
      if (!term.labelSelector) warnings.push(`${path}.${REQUIRED}[${i}].labelSelector: ${MATCHES_NOTHING}`);
    });
    affinity?.[side]?.[PREFERRED]?.forEach((weighted, i) => {
      if (weighted.podAffinityTerm?.labelSelector) return;
      warnings.push(`${path}.${PREFERRED}[${i}].podAffinityTerm.labelSelector: ${MATCHES_NOTHING}`);
    });
  }
}

/** A name that becomes part of host names should be a label of DNS; `use` says where it becomes one. */
export function hostNameWarning(meta: ObjectMeta, use: string): string[] {
  const messages = isDNS1123Label(meta.name ?? "");
  if (messages.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: ` +
    `[${messages.join(" ")}]`,
  ];
}
