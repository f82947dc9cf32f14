// What is reported of a pod: its conditions, addresses, containers and claims.
import { validateDNS1123Label, validateQualifiedName } from "../../machinery/validation/domains.ts";
import type { Field } from "../../machinery/validation/field.ts";
import { validateImmutable } from "../../machinery/validation/immutable.ts";
import { isDNS1123Subdomain } from "../../machinery/validation/names.ts";
import { parseIP, validateLegacyIP } from "../../machinery/validation/net.ts";
import { isGroupID, isUserID } from "../../machinery/validation/numbers.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import { isNativeResource } from "./resource_names.ts";

interface Change {
  pod: v1.Pod;
  old: v1.Pod;
}

const LISTS = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;
const SYSTEM_CONDITIONS = ["PodScheduled", "Ready", "Initialized"];
const GENERATION = "must be a non-negative integer";

/** `at` is the status. */
export function validatePodStatusUpdate({ pod, old }: Change, at: Field): void {
  const { status = {}, spec = {} } = pod, before = old.status ?? {};
  status.conditions?.forEach(({ type = "", observedGeneration = 0 }, i) => {
    const field = at.child("conditions").index(i);
    if (observedGeneration < 0) field.child("observedGeneration").invalid(observedGeneration, GENERATION);
    if (!SYSTEM_CONDITIONS.includes(type)) validateQualifiedName(type, field.child("Type"));
  });
  validateNodeNames({ pod, old }, at);
  if ((status.observedGeneration ?? 0) < 0) {
    at.child("observedGeneration").invalid(status.observedGeneration, GENERATION);
  }
  validateImmutable({ now: status.qosClass ?? "", before: before.qosClass ?? "" }, at.child("qosClass"));
  for (const list of LISTS) validateTransitions({ pod, old }, list, at.child(list));
  validateClaimStatuses(status, at.child("resourceClaimStatuses"), spec);
  validateExtendedClaim(status.extendedResourceClaimStatus, at.child("extendedResourceClaimStatus"), spec);
  validateNodeResources(status, at.child("nodeAllocatableResourceClaimStatuses"), spec);
  validateAddresses({ now: status.podIPs, before: before.podIPs, type: "PodIP" }, at.child("podIPs"));
  if (status.hostIPs?.length && (status.hostIP ?? "") !== (status.hostIPs[0].ip ?? "")) {
    at.child("hostIPs").index(0).child("ip").invalid(status.hostIPs[0].ip ?? "", "must be equal to `hostIP`");
  }
  validateAddresses({ now: status.hostIPs, before: before.hostIPs, type: "HostIP" }, at.child("hostIPs"));
  for (const list of LISTS) validateUsers(status[list] ?? [], at.child(list), spec);
  validateAllocated(status.containerStatuses ?? [], at.child("containerStatuses"), spec.containers ?? []);
  validateAllocated(status.initContainerStatuses ?? [], at.child("initContainerStatuses"), spec.initContainers ?? []);
  status.ephemeralContainerStatuses?.forEach((container, i) => {
    if (!container.allocatedResourcesStatus?.length) return;
    at.child("ephemeralContainerStatuses").index(i).child("allocatedResourcesStatus").forbidden(
      "must not be specified in container status",
    );
  });
}

function validateNodeNames({ pod, old }: Change, at: Field): void {
  if (pod.spec?.nodeName !== old.spec?.nodeName) at.child("nodeName").forbidden("may not be changed directly");
  const now = pod.status?.nominatedNodeName ?? "", before = old.status?.nominatedNodeName ?? "";
  if (now === before || now === "") return;
  const field = at.child("nominatedNodeName");
  field.invalidEach(now, isDNS1123Subdomain(now));
  if (old.spec?.nodeName) field.forbidden("may not be set on pods that are already bound to a node");
}

/** Whether a container that has ended with this code is started again (KEP-5307). */
function startsAgain(container: v1.Container, spec: v1.PodSpec, exitCode: number): boolean {
  const policyOf = (policy: string | undefined) => policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
  if (container.restartPolicy === undefined) return policyOf(spec.restartPolicy);
  const matches = ({ exitCodes }: v1.ContainerRestartRule) =>
    exitCodes && (exitCodes.values ?? []).includes(exitCode) === (exitCodes.operator === "In");
  return (container.restartPolicyRules?.some(matches) ?? false) || policyOf(container.restartPolicy);
}

/** What has ended for good does not run again. */
function validateTransitions({ pod, old }: Change, list: typeof LISTS[number], at: Field): void {
  const spec = old.spec ?? {};
  const containers = list === "containerStatuses" ? spec.containers : spec.initContainers;
  const all = [...spec.initContainers ?? [], ...spec.containers ?? []];
  const ephemeral = list === "ephemeralContainerStatuses";
  if (!ephemeral && all.some((c) => c.restartPolicyRules?.some((r) => r.action === "RestartAllContainers"))) return;
  old.status?.[list]?.forEach((before, i) => {
    const ended = before.state?.terminated;
    const now = ended && pod.status?.[list]?.find((s) => s.name === before.name && !s.state?.terminated);
    if (!now) return;
    const container = ephemeral ? undefined : containers?.find((c) => c.name === before.name);
    if (container && startsAgain(container, spec, ended.exitCode ?? 0)) return;
    at.index(i).child("state").forbidden("may not be transitioned to non-terminated state");
  });
}

function validateClaimStatuses(status: v1.PodStatus, at: Field, spec: v1.PodSpec): void {
  const seen = new Set<string>();
  status.resourceClaimStatuses?.forEach(({ name = "", resourceClaimName: claim }, i) => {
    const field = at.index(i);
    if (!spec.resourceClaims?.some((c) => (c.name ?? "") === name)) {
      field.child("name").invalid(name, "must match the name of an entry in `spec.resourceClaims`");
    }
    if (seen.has(name)) field.child("name").duplicate(name);
    seen.add(name);
    if (claim !== undefined) field.child("resourceClaimName").invalidEach(claim, isDNS1123Subdomain(claim));
  });
}

/** The claim that was made for extended resources (KEP-5004). */
function validateExtendedClaim(
  claim: v1.PodExtendedResourceClaimStatus | undefined,
  at: Field,
  spec: v1.PodSpec,
): void {
  if (!claim) return;
  const mappings = claim.requestMappings ?? [], field = at.child("requestMappings");
  if (mappings.length === 0) field.required("at least one request mapping is required");
  const containers = new Map([...spec.initContainers ?? [], ...spec.containers ?? []].map((c) => [c.name ?? "", c]));
  const seen = new Set<string>();
  mappings.forEach(({ containerName = "", resourceName = "", requestName = "" }, i) => {
    const container = containers.get(containerName);
    if (!container) {
      field.index(i).child("containerName").invalid(
        containerName,
        "must match the name of an entry in spec.initContainers.name or spec.containers.name",
      );
    } else if (container.resources?.requests?.[resourceName] === undefined) {
      field.index(i).child("resourceName").invalid(
        resourceName,
        "must match the extended resource name of an entry in spec.initContainers.resources.requests or " +
          "spec.containers.resources.requests",
      );
    }
    validateDNS1123Label(requestName, at.child("requestName"));
    const key = `${containerName} ${resourceName} ${requestName}`;
    if (seen.has(key)) {
      field.index(i).child("containerName").duplicate(containerName);
      field.index(i).child("resourceName").duplicate(resourceName);
      field.index(i).child("requestName").duplicate(requestName);
    }
    seen.add(key);
  });
  const { resourceClaimName = "" } = claim;
  if (resourceClaimName === "") at.child("resourceClaimName").required();
  else at.child("resourceClaimName").invalidEach(resourceClaimName, isDNS1123Subdomain(resourceClaimName));
}

/** Claims for what nodes themselves hand out, cpu and memory. */
function validateNodeResources(status: v1.PodStatus, at: Field, spec: v1.PodSpec): void {
  const claims = [...spec.resourceClaims ?? [], ...status.resourceClaimStatuses ?? []];
  status.nodeAllocatableResourceClaimStatuses?.forEach((claim, i) => {
    const field = at.index(i), { resourceClaimName: name = "", containers = [] } = claim;
    const resources = claim.resources ?? {};
    if (name === "") field.child("resourceClaimName").required("must not be empty");
    if (!claims.some((c) => c.resourceClaimName === name)) {
      field.child("resourceClaimName").invalid(name, "no mapping found in pod reference");
    }
    if (containers.length === 0) field.child("containers").required("must not be empty");
    if (Object.keys(resources).length === 0) field.child("resources").required("must not be empty");
    for (const resource in resources) {
      const key = field.child("resources").key(resource), quantity = resources[resource];
      if (!isNativeResource(resource)) key.invalid(resource, "must be a node allocatable resource name");
      if (quantity.startsWith("-")) key.invalid(quantity, "must be non-negative");
    }
  });
}

interface Addresses {
  now: v1.PodIP[] | undefined;
  before: v1.PodIP[] | undefined;
  type: "PodIP" | "HostIP";
}

/** At most one address of each family. */
function validateAddresses({ now = [], before = [], type }: Addresses, at: Field): void {
  const old = before.map(({ ip = "" }) => ip);
  now.forEach(({ ip = "" }, i) => validateLegacyIP(ip, at.index(i), { old }));
  if (now.length <= 1) return;
  const families = now.map(({ ip = "" }) => parseIP(ip)?.family);
  const bad = families.indexOf(undefined);
  if (bad >= 0) at.internal(`failed to check for dual stack with error:invalid IP[${bad}]: ${now[bad].ip ?? ""}`);
  if (bad < 0 && now.length === 2 && families[0] !== families[1]) return;
  at.invalid(
    now.map((address) => internalForm(type, address)),
    "may specify no more than one IP for each IP family",
  );
}

function validateUsers(statuses: readonly v1.ContainerStatus[], at: Field, spec: v1.PodSpec): void {
  statuses.forEach(({ user }, i) => {
    const linux = user?.linux;
    if (!linux) return;
    const field = at.index(i).child("user", "linux");
    const os = spec.os?.name ?? "linux";
    if (os === "windows") return field.forbidden("cannot be set for a windows pod");
    if (os !== "linux") return;
    const { uid = 0, gid = 0, supplementalGroups = [] } = linux;
    field.child("uid").invalidEach(uid, isUserID(uid));
    field.child("gid").invalidEach(gid, isGroupID(gid));
    supplementalGroups.forEach((group, g) =>
      field.child("supplementalGroups").index(g).invalidEach(group, isGroupID(group))
    );
  });
}

const HEALTH = ["Healthy", "Unhealthy", "Unknown"];
const MAX_MESSAGE = 1024;

/** Health of the devices that containers have (KEP-4680). */
function validateAllocated(
  statuses: readonly v1.ContainerStatus[],
  at: Field,
  containers: readonly v1.Container[],
): void {
  statuses.forEach((status, i) => {
    const container = containers.find((c) => c.name === status.name);
    status.allocatedResourcesStatus?.forEach(({ name = "", resources = [] }, j) => {
      const field = at.index(i).child("allocatedResourcesStatus").index(j);
      const problem = container && allocationProblem(name, container);
      if (problem) field.child("name").invalid(name, problem);
      const seen = new Set<string>();
      resources.forEach(({ health = "", message, resourceID = "" }, k) => {
        const resource = field.child("resources").index(k);
        if (!HEALTH.includes(health)) resource.child("health").notSupported(health, HEALTH);
        if (message === "") resource.child("message").required("must be non-empty if specified");
        else if (message !== undefined && message.length > MAX_MESSAGE) resource.child("message").tooLong(MAX_MESSAGE);
        if (seen.has(resourceID)) resource.child("resourceID").duplicate(resourceID);
        seen.add(resourceID);
      });
    });
  });
}

function allocationProblem(name: string, { resources = {} }: v1.Container): string | undefined {
  if (!name.startsWith("claim:")) {
    return name in (resources.requests ?? {}) ? undefined : "must match one of the container's resource requests";
  }
  const names = (resources.claims ?? []).map((c) => `claim:${c.name}${c.request ? `/${c.request}` : ""}`);
  if (names.includes(name)) return undefined;
  return "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or " +
    "'claim:<claimName>' if request is empty";
}

/** Generations that a kubelet of an older version leaves out stay what they were. */
export function keepObservedGenerations(status: v1.PodStatus, old: v1.PodStatus): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration;
  const known = new Map<string, number[]>();
  for (const { type = "", observedGeneration = 0 } of old.conditions ?? []) {
    known.set(type, [...known.get(type) ?? [], observedGeneration]);
  }
  for (const condition of status.conditions ?? []) {
    const generation = known.get(condition.type ?? "")?.shift() ?? 0;
    if (!condition.observedGeneration && generation) condition.observedGeneration = generation;
  }
}
