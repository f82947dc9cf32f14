// What an update may keep although it would be refused in a new object: rules become stricter, stored objects stay.
import type * as v1 from "../../../facts/generated/types.ts";
import { collect } from "../../../machinery/validation/field.ts";
import { isLabelValue } from "../../../machinery/validation/names.ts";
import { isDivisibleByPageSize, isHugePages } from "../resource_names.ts";
import { validateAffinityTermSelectors } from "./affinity.ts";
import { containersOf } from "./visit.ts";
import { isDeletionCost } from "./annotations.ts";
import { validateNonReservedPath } from "./paths.ts";
import { hostSysctlProblem } from "./security.ts";
import { validateLabelSelector } from "../../../machinery/validation/labels.ts";
import { validateMatchLabelKeys } from "./label_keys.ts";

export interface PodOptions {
  /** A pod itself, not a template of one: a few more rules. */
  isPod: boolean;
  allowInvalidDeletionCost: boolean;
  allowInvalidAffinitySelectors: boolean;
  allowIndivisibleHugePages: boolean;
  allowInvalidSpreadSelectors: boolean;
  /** matchLabelKeys of spread constraints are checked by the older rule. */
  keepLegacyMatchLabelKeys: boolean;
  allowNonLocalTokenPath: boolean;
  allowHostNamespaceSysctls: boolean;
  /** Any known seLinuxChangePolicy, not only Recursive. */
  allowSELinuxChangePolicies: boolean;
  allowInvalidNodeAffinityValues: boolean;
  /** RestartContainer in the resize policy of an init container that is no sidecar. */
  allowRestartOfInitContainers: boolean;
  allowUserNamespacesWithDevices: boolean;
  allowUserNamespacesWithHostNetwork: boolean;
  /** The operators Lt and Gt in tolerations. */
  allowTolerationComparison: boolean;
  /** Values in selectors of controllers that are no label values. */
  allowInvalidSelectorValues: boolean;
}

const STRICT: PodOptions = {
  isPod: false,
  allowInvalidDeletionCost: false,
  allowInvalidAffinitySelectors: false,
  allowIndivisibleHugePages: false,
  allowInvalidSpreadSelectors: false,
  keepLegacyMatchLabelKeys: false,
  allowNonLocalTokenPath: false,
  allowHostNamespaceSysctls: false,
  allowSELinuxChangePolicies: false,
  allowInvalidNodeAffinityValues: false,
  allowRestartOfInitContainers: false,
  allowUserNamespacesWithDevices: false,
  allowUserNamespacesWithHostNetwork: false,
  allowTolerationComparison: false,
  allowInvalidSelectorValues: false,
};

const STRICT_POD: PodOptions = { ...STRICT, isPod: true };

/** `old` is what is stored; undefined on create. */
export function podOptions(
  old: v1.PodTemplateSpec | undefined,
  options: { isPod?: boolean } = {},
): PodOptions {
  if (!old) return options.isPod ? STRICT_POD : STRICT;
  const spec = old.spec ?? {};
  const affinity = hasInvalidAffinitySelectors(spec);
  return {
    isPod: options.isPod ?? false,
    allowInvalidDeletionCost: !isDeletionCost(old.metadata?.annotations),
    allowInvalidAffinitySelectors: affinity,
    allowInvalidSelectorValues: affinity,
    allowIndivisibleHugePages: hasIndivisibleHugePages(spec),
    allowInvalidSpreadSelectors:
      spec.topologySpreadConstraints?.some((constraint) =>
        collect((at) => validateLabelSelector(constraint.labelSelector, at)).length > 0
      ) ?? false,
    keepLegacyMatchLabelKeys:
      spec.topologySpreadConstraints?.some((constraint) =>
        collect((at) => validateMatchLabelKeys(constraint, at)).length > 0
      ) ?? false,
    allowNonLocalTokenPath: hasNonLocalTokenPath(spec),
    allowHostNamespaceSysctls:
      spec.securityContext?.sysctls?.some((s) => hostSysctlProblem(s.name ?? "", spec) !== undefined) ?? false,
    allowSELinuxChangePolicies: spec.securityContext?.seLinuxChangePolicy !== undefined,
    allowInvalidNodeAffinityValues: hasInvalidNodeAffinityValues(spec),
    allowRestartOfInitContainers:
      spec.initContainers?.some((c) =>
        c.restartPolicy !== "Always" && c.resizePolicy?.some((p) => p.restartPolicy === "RestartContainer")
      ) ?? false,
    allowUserNamespacesWithDevices: spec.hostUsers === false &&
      containersOf(spec).some((c) => (c.volumeDevices?.length ?? 0) > 0),
    allowUserNamespacesWithHostNetwork: spec.hostUsers === false && spec.hostNetwork === true,
    allowTolerationComparison: spec.tolerations?.some((t) => t.operator === "Lt" || t.operator === "Gt") ?? false,
  };
}

function hasInvalidAffinitySelectors(spec: v1.PodSpec): boolean {
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    const terms = [
      ...affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((w) => w.podAffinityTerm ?? {}),
    ];
    if (terms.some((term) => collect((at) => validateAffinityTermSelectors(term, at)).length > 0)) return true;
  }
  return false;
}

function hasInvalidNodeAffinityValues(spec: v1.PodSpec): boolean {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms?.some((term) =>
    term.matchExpressions?.some((e) => e.values?.some((value) => isLabelValue(value).length > 0))
  ) ?? false;
}

function hasIndivisibleHugePages(spec: v1.PodSpec): boolean {
  const lists = containersOf(spec).flatMap((c) => [c.resources?.limits, c.resources?.requests]);
  return [...lists, spec.overhead].some((list) =>
    Object.entries(list ?? {}).some(([name, quantity]) => isHugePages(name) && !isDivisibleByPageSize(name, quantity))
  );
}

function hasNonLocalTokenPath(spec: v1.PodSpec): boolean {
  return spec.volumes?.some((volume) =>
    volume.projected?.sources?.some(({ serviceAccountToken: token }) =>
      token && collect((at) => validateNonReservedPath(token.path ?? "", at)).length > 0
    )
  ) ?? false;
}
