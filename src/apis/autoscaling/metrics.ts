// Rules of the metrics and the behaviour of a horizontal pod autoscaler (autoscaling/v2).
import { compareQuantities } from "../../machinery/quantity.ts";
import { parseApiVersion } from "../../machinery/types.ts";
import type { Field } from "../../machinery/validation/field.ts";
import { isDNS1123Label, isPathSegmentName } from "../../machinery/validation/names.ts";
import { validateContainerResourceName } from "../core/resource_names.ts";
import type * as v2 from "../../facts/generated/types.ts";
import { lookUp } from "../../machinery/look_up.ts";

export interface ReferenceOptions {
  allowEmptyGroup?: boolean;
  allowInvalidVersion?: boolean;
}

/** What is wrong with the apiVersion of a reference; undefined when nothing is. */
export function apiVersionProblem({ apiVersion = "" }: v2.CrossVersionObjectReference, options: ReferenceOptions) {
  if (options.allowInvalidVersion) return undefined;
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) return `unexpected GroupVersion string: ${apiVersion}`;
  return parsed.group === "" && !options.allowEmptyGroup ? "apiVersion must specify API group" : undefined;
}

export function validateReference(
  reference: v2.CrossVersionObjectReference,
  at: Field,
  options: ReferenceOptions,
): void {
  for (const member of ["kind", "name"] as const) {
    const value = reference[member] ?? "", field = at.child(member);
    if (value === "") field.required();
    else field.invalidEach(value, isPathSegmentName(value));
  }
  const problem = apiVersionProblem(reference, options);
  if (problem !== undefined) at.child("apiVersion").invalid(reference.apiVersion ?? "", problem);
}

type Source = "object" | "external" | "pods" | "resource" | "containerResource";

/** Type of metric → the member that describes it. */
const SOURCES: Readonly<Record<string, Source>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};
const METRIC_TYPES = Object.keys(SOURCES);

/** In this order; only the first one that is there is looked into. */
const CHECKS: readonly (readonly [Source, (spec: v2.MetricSpec, at: Field, options: ReferenceOptions) => void])[] = [
  ["object", ({ object }, at, options) => {
    validateReference(object!.describedObject ?? {}, at.child("describedObject"), options);
    validateMetricAndTarget(object!, at);
    requireOneTarget(object!.target, at, "must set either a target value or averageValue");
  }],
  ["external", ({ external }, at) => {
    const { target = {} } = external!;
    validateMetricAndTarget(external!, at);
    requireOneTarget(target, at, "must set either a target value for metric or a per-pod target");
    if (target.value !== undefined && target.averageValue !== undefined) {
      at.child("target", "value").forbidden("may not set both a target value for metric and a per-pod target");
    }
  }],
  ["pods", ({ pods }, at) => {
    validateMetricAndTarget(pods!, at);
    if (pods!.target?.averageValue === undefined) {
      at.child("target", "averageValue").required("must specify a positive target averageValue");
    }
  }],
  ["resource", ({ resource }, at) => {
    if (!resource!.name) at.child("name").required("must specify a resource name");
    validateResourceTarget(resource!.target, at);
  }],
  ["containerResource", ({ containerResource }, at) => {
    const { name = "", container = "", target } = containerResource!;
    if (name === "") at.child("name").required("must specify a resource name");
    else validateContainerResourceName(name, at.child("name"));
    if (container === "") at.child("container").required("must specify a container");
    else at.child("container").invalidEach(container, isDNS1123Label(container));
    validateResourceTarget(target, at);
  }],
];

export function validateMetrics(
  metrics: readonly v2.MetricSpec[],
  at: Field,
  minReplicas: number | undefined,
  options: ReferenceOptions,
): void {
  metrics.forEach((metric, i) => validateMetric(metric, at.index(i), options));
  if (minReplicas === 0 && !metrics.some(({ type }) => type === "Object" || type === "External")) {
    at.forbidden("must specify at least one Object or External metric to support scaling to zero replicas");
  }
}

function validateMetric(metric: v2.MetricSpec, at: Field, options: ReferenceOptions): void {
  const { type = "" } = metric, wanted = lookUp(SOURCES, type);
  if (type === "") at.child("type").required("must specify a metric source type");
  if (wanted === undefined) at.child("type").notSupported(type, METRIC_TYPES);
  const present = CHECKS.filter(([source]) => metric[source] !== undefined);
  if (present.length > 0) {
    const [source, check] = present[0];
    check(metric, at.child(source), options);
  }
  if (wanted === undefined) at.child("type").notSupported(type, METRIC_TYPES);
  else if (metric[wanted] === undefined) {
    at.child(wanted).required("must populate information for the given metric source");
  }
  if (present.length === 1) return;
  for (const [source] of present) {
    if (source !== wanted) at.child(source).forbidden("must populate the given metric source only");
  }
}

function validateMetricAndTarget(source: { metric?: v2.MetricIdentifier; target?: v2.MetricTarget }, at: Field): void {
  const name = source.metric?.name ?? "", field = at.child("metric", "name");
  if (name === "") field.required("must specify a metric name");
  else field.invalidEach(name, isPathSegmentName(name));
  validateTarget(source.target ?? {}, at.child("target"));
}

function validateResourceTarget(target: v2.MetricTarget = {}, at: Field): void {
  validateTarget(target, at.child("target"));
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = "must set either a target raw value or a target utilization";
    at.child("target", "averageUtilization").required(detail);
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    at.child("target", "averageValue").forbidden("may not set both a target raw value and a target utilization");
  }
}

function requireOneTarget(target: v2.MetricTarget = {}, at: Field, detail: string): void {
  if (target.value === undefined && target.averageValue === undefined) {
    at.child("target", "averageValue").required(detail);
  }
}

function validateTarget(target: v2.MetricTarget, at: Field): void {
  const { type = "", averageUtilization } = target;
  if (type === "") at.child("type").required("must specify a metric target type");
  if (type !== "Utilization" && type !== "Value" && type !== "AverageValue") {
    at.child("type").invalid(type, "must be either Utilization, Value, or AverageValue");
  }
  for (const member of ["value", "averageValue"] as const) {
    const value = target[member];
    if (value !== undefined && compareQuantities(value, "0") <= 0) at.child(member).invalid(value, "must be positive");
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    at.child("averageUtilization").invalid(averageUtilization, "must be greater than 0");
  }
}

const MAX_PERIOD_SECONDS = 1800;
const MAX_WINDOW_SECONDS = 3600;
const SELECT_POLICIES = ["Disabled", "Max", "Min"];
const POLICY_TYPES = ["Percent", "Pods"];

export function validateBehavior({ scaleUp, scaleDown }: v2.HorizontalPodAutoscalerBehavior, at: Field): void {
  if (scaleUp) validateRules(scaleUp, at.child("scaleUp"));
  if (scaleDown) validateRules(scaleDown, at.child("scaleDown"));
}

function validateRules(rules: v2.HPAScalingRules, at: Field): void {
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const windowField = at.child("stabilizationWindowSeconds");
  if (window < 0) windowField.invalid(window, "must be greater than or equal to zero");
  if (window > MAX_WINDOW_SECONDS) {
    windowField.invalid(window, `must be less than or equal to ${MAX_WINDOW_SECONDS}`);
  }
  if (selectPolicy !== undefined && !SELECT_POLICIES.includes(selectPolicy)) {
    at.child("selectPolicy").notSupported(selectPolicy, SELECT_POLICIES);
  }
  if (policies.length === 0) at.child("policies").required("must specify at least one Policy");
  policies.forEach((policy, i) => validatePolicy(policy, at.child("policies").index(i)));
  if (tolerance !== undefined && compareQuantities(tolerance, "0") < 0) {
    at.child("tolerance").invalid(tolerance, "must be greater than or equal to 0");
  }
}

function validatePolicy({ type = "", value = 0, periodSeconds = 0 }: v2.HPAScalingPolicy, at: Field): void {
  if (!POLICY_TYPES.includes(type)) at.child("type").notSupported(type, POLICY_TYPES);
  if (value <= 0) at.child("value").invalid(value, "must be greater than zero");
  const period = at.child("periodSeconds");
  if (periodSeconds <= 0) period.invalid(periodSeconds, "must be greater than zero");
  if (periodSeconds > MAX_PERIOD_SECONDS) {
    period.invalid(periodSeconds, `must be less than or equal to ${MAX_PERIOD_SECONDS}`);
  }
}
