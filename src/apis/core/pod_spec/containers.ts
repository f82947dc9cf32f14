// Rules of containers: what all have in common, and what holds for init, ephemeral and the other containers.
import type * as v1 from "../../../facts/generated/types.ts";
import { validateDNS1123Label } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { isPortName } from "../../../machinery/validation/names.ts";
import { isPortNumber } from "../../../machinery/validation/numbers.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateMounts } from "./mounts.ts";
import { validateLifecycle, validateProbes } from "./probes.ts";
import { validateContainerResources } from "./resources.ts";
import type { PodScope } from "./scope.ts";
import { validateSecurityContext } from "./security.ts";
import { isSidecar } from "./visit.ts";

const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const TERMINATION_MESSAGE_POLICIES = ["File", "FallbackToLogsOnError"];
const RESTART_POLICIES = ["Always", "Never", "OnFailure"];
const RESTART_ACTIONS = ["Restart", "RestartAllContainers"];
const EXIT_CODE_OPERATORS = ["In", "NotIn"];
const RESIZE_POLICIES = ["NotRequired", "RestartContainer"];
const RESIZE_RESOURCES = ["cpu", "memory"];
const MAX_RESTART_RULES = 20;
const MAX_EXIT_CODES = 255;

export function validatePullPolicy(policy: string | undefined, at: Field): void {
  if (!policy) at.required();
  else if (!PULL_POLICIES.includes(policy)) at.notSupported(policy, PULL_POLICIES);
}

/** Everything that holds for any container. */
function validateContainer(container: v1.Container, at: Field, scope: PodScope): void {
  const { name = "", image = "", terminationMessagePolicy: messages = "" } = container;
  if (name === "") at.child("name").required();
  else validateDNS1123Label(name, at.child("name"));
  if (image === "") at.child("image").required();
  if (messages === "") at.child("terminationMessagePolicy").required();
  else if (!TERMINATION_MESSAGE_POLICIES.includes(messages)) {
    at.child("terminationMessagePolicy").notSupportedInOrder(messages, TERMINATION_MESSAGE_POLICIES);
  }
  if (container.ports) validateContainerPorts(container.ports, at.child("ports"));
  if (container.env) validateEnv(container.env, at.child("env"));
  if (container.envFrom) validateEnvFrom(container.envFrom, at.child("envFrom"));
  validateMounts(container, at, scope);
  validatePullPolicy(container.imagePullPolicy, at.child("imagePullPolicy"));
  if (container.resources) validateContainerResources(container.resources, at.child("resources"), scope);
  if (container.resizePolicy) validateResizePolicy(container.resizePolicy, at.child("resizePolicy"), scope);
  if (container.securityContext) {
    validateSecurityContext(container.securityContext, at.child("securityContext"), {
      hostUsers: scope.spec.hostUsers ?? true,
    });
  }
}

function validateContainerPorts(ports: readonly v1.ContainerPort[], at: Field): void {
  const names = new Set<string>();
  ports.forEach((port, i) => {
    const field = at.index(i);
    const { name = "", containerPort = 0, hostPort = 0, protocol = "" } = port;
    if (name !== "") {
      const messages = isPortName(name);
      if (messages.length > 0) field.child("name").invalidEach(name, messages);
      else if (names.has(name)) field.child("name").duplicate(name);
      else names.add(name);
    }
    if (containerPort === 0) field.child("containerPort").required();
    else field.child("containerPort").invalidEach(containerPort, isPortNumber(containerPort));
    if (hostPort !== 0) field.child("hostPort").invalidEach(hostPort, isPortNumber(hostPort));
    if (protocol === "") field.child("protocol").required();
    else if (!PROTOCOLS.includes(protocol)) field.child("protocol").notSupported(protocol, PROTOCOLS);
  });
}

/** No two of these containers take the same port of the host. */
function validateHostPorts(containers: readonly v1.Container[], at: Field): void {
  let taken: Set<string> | undefined;
  containers.forEach((container, i) => {
    container.ports?.forEach(({ hostPort, protocol = "", hostIP = "" }, j) => {
      if (!hostPort) return;
      const port = `${protocol}/${hostIP}/${hostPort}`;
      taken ??= new Set();
      if (taken.has(port)) at.index(i).child("ports").index(j).child("hostPort").duplicate(port);
      else taken.add(port);
    });
  });
}

function validateResizePolicy(policies: readonly v1.ContainerResizePolicy[], at: Field, scope: PodScope): void {
  const seen = new Set<string>();
  policies.forEach(({ resourceName = "", restartPolicy = "" }, i) => {
    if (seen.has(resourceName)) at.index(i).duplicate(resourceName);
    seen.add(resourceName);
    if (resourceName === "") at.required();
    else if (!RESIZE_RESOURCES.includes(resourceName)) at.notSupported(resourceName, RESIZE_RESOURCES);
    if (restartPolicy === "") at.required();
    else if (!RESIZE_POLICIES.includes(restartPolicy)) at.notSupported(restartPolicy, RESIZE_POLICIES);
    if (scope.spec.restartPolicy === "Never" && restartPolicy !== "NotRequired") {
      at.invalid(restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  });
}

/** When a single container starts again (KEP-5307). */
function validateRestartPolicy(container: v1.Container, at: Field): void {
  const { restartPolicy: policy, restartPolicyRules: rules = [] } = container;
  if (policy === undefined) {
    if (rules.length === 0) return;
    at.child("restartPolicy").required("must specify restartPolicy when restart rules are used");
  } else if (!RESTART_POLICIES.includes(policy)) at.child("restartPolicy").notSupported(policy, RESTART_POLICIES);
  const list = at.child("restartPolicyRules");
  if (rules.length > MAX_RESTART_RULES) list.tooMany(rules.length, MAX_RESTART_RULES);
  rules.forEach(({ action = "", exitCodes }, i) => {
    const field = list.index(i);
    if (!RESTART_ACTIONS.includes(action)) field.child("action").notSupported(action, RESTART_ACTIONS);
    if (!exitCodes) return field.child("exitCodes").required("must be specified");
    const { operator = "", values = [] } = exitCodes;
    if (!EXIT_CODE_OPERATORS.includes(operator)) {
      field.child("exitCodes", "operator").notSupported(operator, EXIT_CODE_OPERATORS);
    }
    if (values.length > MAX_EXIT_CODES) field.child("exitCodes", "values").tooMany(values.length, MAX_EXIT_CODES);
  });
}

export function validateContainers(scope: PodScope, at: Field): void {
  const containers = scope.spec.containers ?? [];
  if (containers.length === 0) return at.required();
  const names = new Set<string>();
  const grace = { gracePeriod: scope.spec.terminationGracePeriodSeconds };
  for (let i = 0; i < containers.length; i++) {
    const container = containers[i], field = at.index(i), { name = "" } = container;
    validateContainer(container, field, scope);
    if (names.has(name)) field.child("name").duplicate(name);
    names.add(name);
    if (container.lifecycle) validateLifecycle(container.lifecycle, field.child("lifecycle"), grace);
    validateProbes(container, field, grace);
    validateRestartPolicy(container, field);
  }
  validateHostPorts(containers, at);
}

const NOT_FOR_INIT = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const;

export function validateInitContainers(scope: PodScope, at: Field): void {
  const containers = scope.spec.initContainers;
  if (!containers) return;
  const names = new Set((scope.spec.containers ?? []).map((c) => c.name ?? ""));
  const grace = { gracePeriod: scope.spec.terminationGracePeriodSeconds };
  containers.forEach((container, i) => {
    const field = at.index(i), { name = "" } = container, sidecar = isSidecar(container);
    validateContainer(container, field, scope);
    validateRestartPolicy(container, field);
    if (names.has(name)) field.child("name").duplicate(name);
    else if (name !== "") names.add(name);
    validateHostPorts([container], at);
    if (sidecar) {
      if (container.lifecycle) validateLifecycle(container.lifecycle, field.child("lifecycle"), grace);
      validateProbes(container, field, grace);
    } else {
      for (const member of NOT_FOR_INIT) {
        if (container[member]) {
          field.child(member).forbidden("may not be set for init containers without restartPolicy=Always");
        }
      }
    }
    if (sidecar || scope.options.allowRestartOfInitContainers) return;
    container.resizePolicy?.forEach(({ restartPolicy }, j) => {
      if (restartPolicy !== "RestartContainer") return;
      field.child("resizePolicy").index(j).child("restartPolicy").invalid(
        restartPolicy,
        "must not be set to 'RestartContainer' for non-sidecar initContainers",
      );
    });
  });
}

/** Members that a container for debugging may not have, in the order of the Go type. */
const NOT_FOR_EPHEMERAL = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

export function validateEphemeralContainers(scope: PodScope, at: Field): void {
  const containers = scope.spec.ephemeralContainers;
  if (!containers?.length) return;
  const others = new Set([...scope.spec.containers ?? [], ...scope.spec.initContainers ?? []].map((c) => c.name ?? ""));
  const names = new Set(others);
  containers.forEach((container, i) => {
    const field = at.index(i), { name = "", targetContainerName: target } = container;
    validateContainer(container, field, scope);
    validateImageWhitespace(container, field);
    if (names.has(name)) field.child("name").duplicate(name);
    names.add(name);
    if (target && !others.has(target)) field.child("targetContainerName").notFound(target);
    for (const member of NOT_FOR_EPHEMERAL) {
      const value = container[member];
      if (value !== undefined && value !== null && (member !== "resources" || Object.keys(value).length > 0)) {
        field.child(member).forbidden("cannot be set for an Ephemeral Container");
      }
    }
    container.volumeMounts?.forEach((mount, j) => {
      for (const member of ["subPath", "subPathExpr"] as const) {
        if (!mount[member]) continue;
        field.child("volumeMounts").index(j).child(member).forbidden("cannot be set for an Ephemeral Container");
      }
    });
  });
}

/** Pods are stricter than templates: spaces around an image's name are no typing error that could be repaired later. */
export function validateImageWhitespace(container: { image?: string }, at: Field): void {
  const { image = "" } = container;
  if (image !== image.trim()) at.child("image").invalid(image, "must not have leading or trailing whitespace");
}
