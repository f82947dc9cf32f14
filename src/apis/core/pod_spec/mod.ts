// The specification of a pod: one definition for pods and for the templates of everything that makes them.
import type * as v1 from "../../../facts/generated/types.ts";
import { validateDNS1123Label, validateQualifiedName } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { validateLabels } from "../../../machinery/validation/labels.ts";
import { isDNS1123Subdomain } from "../../../machinery/validation/names.ts";
import { isInRange } from "../../../machinery/validation/numbers.ts";
import type { ObjectMeta } from "../../../machinery/types.ts";
import { validateAffinity } from "./affinity.ts";
import { validatePodClaims } from "./claims.ts";
import { validateContainers, validateEphemeralContainers, validateInitContainers } from "./containers.ts";
import {
  validateDNSConfig,
  validateDNSPolicy,
  validateHostAliases,
  validateHostnameOverride,
  validateHostNetworkPorts,
  validateUserNamespace,
} from "./network.ts";
import type { PodOptions } from "./options.ts";
import { validateOverhead, validatePodResources } from "./resources.ts";
import { validateSchedulingGates, validateTolerations, validateTopologySpread } from "./scheduling.ts";
import type { PodScope } from "./scope.ts";
import { validatePodSecurityContext } from "./security.ts";
import { visitContainers } from "./visit.ts";
import { validateVolumes } from "./volumes.ts";
import { validateHostProcess, validateOS } from "./windows.ts";

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const PREEMPTION_POLICIES = ["PreemptLowerPriority", "Never"];
const MAX_INT32 = 2 ** 31 - 1;

export interface PodSpecOptions {
  options: PodOptions;
  /** Metadata of the pod; undefined in templates, where its name is not known. */
  meta?: ObjectMeta;
}

/** Everything wrong with a defaulted specification, in the order of the real server. */
export function validatePodSpec(spec: v1.PodSpec, at: Field, { options, meta }: PodSpecOptions): void {
  if (spec.terminationGracePeriodSeconds === undefined) at.child("terminationGracePeriodSeconds").required();
  const volumes = validateVolumes(spec.volumes ?? [], at.child("volumes"), { meta, options });
  const claims = validatePodClaims(spec.resourceClaims ?? [], at.child("resourceClaims"), meta);
  const scope: PodScope = { spec, options, volumes, claims };
  validateContainers(scope, at.child("containers"));
  validateInitContainers(scope, at.child("initContainers"));
  validateEphemeralContainers(scope, at.child("ephemeralContainers"));
  if (spec.resources) validatePodResources(spec.resources, at.child("resources"), scope);
  validateHostNetworkPorts(spec, at, options);
  validatePolicy(spec.restartPolicy, at.child("restartPolicy"), RESTART_POLICIES);
  validateDNSPolicy(spec.dnsPolicy, at.child("dnsPolicy"));
  validateLabels(spec.nodeSelector, at.child("nodeSelector"));
  validatePodSecurityContext(spec, at.child("securityContext"), options);
  if (spec.affinity) validateAffinity(spec.affinity, at.child("affinity"), options);
  validateDNSConfig(spec, at.child("dnsConfig"));
  spec.readinessGates?.forEach(({ conditionType = "" }, i) =>
    validateQualifiedName(conditionType, at.child("readinessGates").index(i).child("conditionType"))
  );
  if (spec.schedulingGates) validateSchedulingGates(spec.schedulingGates, at.child("schedulingGates"));
  if (spec.topologySpreadConstraints) {
    validateTopologySpread(spec.topologySpreadConstraints, at.child("topologySpreadConstraints"), options);
  }
  validateHostProcess(spec, at);
  validateUserNamespace(spec, at, options);
  validateHostnameOverride(spec, at);
  validateNames(spec, at);
  if (spec.tolerations) validateTolerations(spec.tolerations, at.child("tolerations"), options);
  if (spec.hostAliases) validateHostAliases(spec.hostAliases, at.child("hostAliases"));
  validateClasses(spec, at, scope);
  validateOS(spec, at);
  validateFileReferences(spec, at);
}

function validatePolicy(policy: string | undefined, at: Field, supported: readonly string[]): void {
  if (!policy) at.required();
  else if (!supported.includes(policy)) at.notSupportedInOrder(policy, supported);
}

function validateSubdomain(name: string | undefined, at: Field): void {
  if (name) at.invalidEach(name, isDNS1123Subdomain(name));
}

function validateNames(spec: v1.PodSpec, at: Field): void {
  validateSubdomain(spec.serviceAccountName, at.child("serviceAccountName"));
  validateSubdomain(spec.nodeName, at.child("nodeName"));
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined) {
    at.child("activeDeadlineSeconds").invalidEach(deadline, isInRange(deadline, 1, MAX_INT32));
  }
  if (spec.hostname) validateDNS1123Label(spec.hostname, at.child("hostname"));
  if (spec.subdomain) validateDNS1123Label(spec.subdomain, at.child("subdomain"));
}

function validateClasses(spec: v1.PodSpec, at: Field, scope: PodScope): void {
  validateSubdomain(spec.priorityClassName, at.child("priorityClassName"));
  const { runtimeClassName, preemptionPolicy, overhead } = spec;
  if (runtimeClassName !== undefined) {
    at.child("runtimeClassName").invalidEach(runtimeClassName, isDNS1123Subdomain(runtimeClassName));
  }
  if (preemptionPolicy !== undefined) {
    validatePolicy(preemptionPolicy, at.child("preemptionPolicy"), PREEMPTION_POLICIES);
  }
  if (overhead) validateOverhead(overhead, at.child("overhead"), scope);
}

/** Files that variables are read from lie in an emptyDir volume of the pod. */
function validateFileReferences(spec: v1.PodSpec, at: Field): void {
  visitContainers(spec, at, (container, field) => {
    container.env?.forEach(({ valueFrom }, i) => {
      if (!valueFrom?.fileKeyRef) return;
      const { volumeName = "" } = valueFrom.fileKeyRef;
      const volume = spec.volumes?.findLast((v) => (v.name ?? "") === volumeName);
      const place = field.child("env").index(i).child("valueFrom", "fileKeyRef").child("volumeName");
      if (!volume) place.notFound(volumeName);
      else if (!volume.emptyDir) place.invalid(volumeName, "referenced volume must be of type emptyDir");
    });
  });
}
