// The spec of a claim for devices, as claims and their templates have it, and what device classes share with it (KEP-4381).
import {
  byteLength,
  type Field,
  isLabelValue,
  validateDNS1123Subdomain,
  validateLabelName,
} from "../../machinery/validation/mod.ts";
import { expressionLanguage } from "../expressions.ts";
import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  OpaqueDeviceConfiguration,
  ResourceClaimSpec,
} from "../../facts/generated/types.ts";
import { checkList } from "./lists.ts";
import { checkDriverName, checkFullyQualifiedName, checkLabelName } from "./names.ts";

const MAX_REQUESTS = 32;
const MAX_CONSTRAINTS = 32;
export const MAX_CONFIGS = 32;
const MAX_SELECTORS = 32;
const MAX_ALTERNATIVES = 8;
const MAX_EXPRESSION = 10 * 1024;
const MAX_COST = 1_000_000;
const MAX_RAW = 10 * 1024;
const ALLOCATION_MODES = ["All", "ExactCount"];
const TOLERATION_OPERATORS = ["Equal", "Exists"];
export const TAINT_EFFECTS = ["NoExecute", "NoSchedule", "None"];

/** Request → its alternatives; undefined for a request without any. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string> | undefined>;

export function requestNamesOf({ requests }: DeviceClaim): RequestNames {
  return new Map((requests ?? []).map(({ name = "", firstAvailable = [] }) => {
    const names = firstAvailable.length > 0 ? new Set(firstAvailable.map((sub) => sub.name ?? "")) : undefined;
    return [name, names];
  }));
}

export function checkClaimSpec({ devices = {} }: ResourceClaimSpec, root: Field): void {
  const at = root.child("devices"), names = requestNamesOf(devices);
  checkList(devices.requests ?? undefined, at.child("requests"), {
    max: MAX_REQUESTS,
    check: checkRequest,
    key: (r) => r.name ?? "",
  });
  checkList(devices.constraints, at.child("constraints"), {
    max: MAX_CONSTRAINTS,
    check: (constraint, field) => checkConstraint(constraint, field, names),
  });
  checkList(devices.config, at.child("config"), {
    max: MAX_CONFIGS,
    check: (config, field) => checkClaimConfig(config, field, names),
  });
}

function checkRequest({ name = "", exactly, firstAvailable = [] }: DeviceRequest, at: Field): void {
  const one = "exactly one of `exactly` or `firstAvailable` is required";
  checkLabelName(name, at.child("name"));
  if (!exactly && firstAvailable.length === 0) at.required(one);
  else if (exactly && firstAvailable.length > 0) at.invalid(null, `${one}, but multiple fields are set`);
  else if (exactly) checkWanted(exactly, at.child("exactly"));
  else {
    checkList(firstAvailable, at.child("firstAvailable"), {
      max: MAX_ALTERNATIVES,
      check(request, field) {
        checkLabelName(request.name, field.child("name"));
        checkWanted(request, field);
      },
      key: (request) => request.name ?? "",
    });
  }
}

/** Devices of a class and how many of them. */
function checkWanted(request: ExactDeviceRequest | DeviceSubRequest, at: Field): void {
  const { deviceClassName = "", allocationMode = "", count = 0 } = request;
  if (deviceClassName === "") at.child("deviceClassName").required();
  else validateDNS1123Subdomain(deviceClassName, at.child("deviceClassName"));
  checkSelectors(request.selectors, at.child("selectors"));
  if (allocationMode === "All") {
    if (count !== 0) at.child("count").invalid(count, "must not be specified when allocationMode is 'All'");
  } else if (allocationMode !== "ExactCount") at.child("allocationMode").notSupported(allocationMode, ALLOCATION_MODES);
  else if (count <= 0) at.child("count").invalid(count, "must be greater than zero");
  (request.tolerations ?? []).forEach((toleration, i) => checkToleration(toleration, at.child("tolerations").index(i)));
}

export function checkSelectors(selectors: readonly DeviceSelector[] | undefined, at: Field): void {
  checkList(selectors, at, {
    max: MAX_SELECTORS,
    check({ cel }, field) {
      if (!cel) return field.child("cel").required();
      checkExpression(cel.expression ?? "", field.child("cel", "expression"));
    },
  });
}

function checkExpression(expression: string, at: Field): void {
  if (byteLength(expression) > MAX_EXPRESSION) return at.tooLong(MAX_EXPRESSION);
  const { cel, compile } = expressionLanguage();
  const compiled = compile(
    expression,
    cel.deviceEnvironment(),
    // Attributes may be of any type.
    (type) =>
      type.kind === "bool" || type.name === "any"
        ? undefined
        : `must evaluate to bool or the unknown type, not ${cel.fullTypeName(type)}`,
  );
  if (typeof compiled === "string") at.invalid(expression, compiled);
  else if (cel.deviceCost(compiled.checked) > MAX_COST) at.forbidden("too complex, exceeds cost limit");
}

/** Whether a claim has expressions: {@link checkClaimSpec} needs the language for them. */
export function hasExpressions(spec: ResourceClaimSpec | undefined): boolean {
  return (spec?.devices?.requests ?? []).some(({ exactly, firstAvailable = [] }) =>
    [...exactly ? [exactly] : [], ...firstAvailable].some(({ selectors = [] }) => selectors.length > 0)
  );
}

function checkToleration(toleration: DeviceToleration, at: Field): void {
  const { key = "", operator = "", value = "", effect = "" } = toleration, field = at.child("value");
  if (key !== "") validateLabelName(key, at.child("key"));
  if (operator === "Exists") {
    if (value !== "") field.invalid(value, "must be empty for operator `Exists`");
  } else if (operator === "Equal") field.invalidEach(value, isLabelValue(value));
  else if (operator === "") at.child("operator").required();
  else at.child("operator").notSupportedInOrder(operator, TOLERATION_OPERATORS);
  if (effect !== "" && !TAINT_EFFECTS.includes(effect)) at.child("effect").notSupported(effect, TAINT_EFFECTS);
}

const ONE_ATTRIBUTE = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

function checkConstraint(constraint: DeviceConstraint, at: Field, names: RequestNames): void {
  const { matchAttribute, distinctAttribute } = constraint;
  checkRequestReferences(constraint.requests, at.child("requests"), names);
  if (matchAttribute !== undefined) checkFullyQualifiedName(matchAttribute, at.child("matchAttribute"));
  else if (distinctAttribute !== undefined) checkFullyQualifiedName(distinctAttribute, at.child("distinctAttribute"));
  else at.required(ONE_ATTRIBUTE);
}

function checkClaimConfig(config: DeviceClaimConfiguration, at: Field, names: RequestNames): void {
  checkRequestReferences(config.requests, at.child("requests"), names);
  checkConfig(config, at);
}

/** Names of requests, each once. */
export function checkRequestReferences(requests: readonly string[] | undefined, at: Field, names: RequestNames): void {
  checkList(requests, at, {
    max: MAX_REQUESTS,
    check: (name, field) => checkRequestReference(name, field, names),
    key: (name) => name,
  });
}

/** `request` or `request/alternative`. */
export function checkRequestReference(name: string, at: Field, names: RequestNames): void {
  const unknown =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const parts = name.split("/"), [request, alternative] = parts;
  if (parts.length > 2) return at.invalid(name, unknown);
  for (const part of parts) checkLabelName(part, at);
  const known = names.has(request) && (alternative === undefined || names.get(request)?.has(alternative));
  if (!known) at.invalid(name, unknown);
}

/** What a driver is told about devices; only the driver understands it. */
export function checkConfig({ opaque }: { opaque?: OpaqueDeviceConfiguration }, at: Field): void {
  const field = at.child("opaque");
  if (!opaque) return field.required();
  checkDriverName(opaque.driver ?? "", field.child("driver"));
  checkRaw(opaque.parameters, field.child("parameters"));
}

/** An object of any kind. */
export function checkRaw(value: unknown, at: Field): void {
  if (value === undefined || value === null) at.required();
  else if (byteLength(JSON.stringify(value)) > MAX_RAW) at.tooLong(MAX_RAW);
  else if (typeof value !== "object" || Array.isArray(value)) {
    at.invalid("<value omitted>", "must be a valid JSON object");
  }
}
