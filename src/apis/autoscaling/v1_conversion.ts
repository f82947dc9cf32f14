// autoscaling/v1 of an autoscaler: what its form has no place for is kept in annotations.
import { compareQuantities, parseQuantity } from "../../machinery/quantity.ts";
import type { Json, JsonObject, KubeObject } from "../../machinery/types.ts";
import { goJson } from "../../machinery/go_text.ts";
import type * as v2 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const METRICS = `${PREFIX}metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;

/** Annotations that stand for fields; nobody else's survive a conversion. */
const ROUND_TRIP_ANNOTATIONS = [
  METRICS,
  BEHAVIOR,
  CURRENT_METRICS,
  CONDITIONS,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
];

const DEFAULT_CPU_UTILIZATION = 80;

type ValueKind = "text" | "integer" | "quantity" | "reference" | "selector";

/** Name in v1, path in v2, kind of value; `always`: v1 writes the zero value, too. */
type Mapping = readonly [v1Name: string, v2Path: string, kind: ValueKind, always?: "always"];

/** In the order of the v1 types. */
const SOURCES: Readonly<Record<string, readonly Mapping[]>> = {
  object: [
    ["target", "describedObject", "reference", "always"],
    ["metricName", "metric.name", "text", "always"],
    ["targetValue", "target.value", "quantity", "always"],
    ["selector", "metric.selector", "selector"],
    ["averageValue", "target.averageValue", "quantity"],
  ],
  pods: [
    ["metricName", "metric.name", "text", "always"],
    ["targetAverageValue", "target.averageValue", "quantity", "always"],
    ["selector", "metric.selector", "selector"],
  ],
  resource: [
    ["name", "name", "text", "always"],
    ["targetAverageUtilization", "target.averageUtilization", "integer"],
    ["targetAverageValue", "target.averageValue", "quantity"],
  ],
  containerResource: [
    ["name", "name", "text", "always"],
    ["targetAverageUtilization", "target.averageUtilization", "integer"],
    ["targetAverageValue", "target.averageValue", "quantity"],
    ["container", "container", "text", "always"],
  ],
  external: [
    ["metricName", "metric.name", "text", "always"],
    ["metricSelector", "metric.selector", "selector"],
    ["targetValue", "target.value", "quantity"],
    ["targetAverageValue", "target.averageValue", "quantity"],
  ],
};

const STATUSES: Readonly<Record<string, readonly Mapping[]>> = {
  object: [
    ["target", "describedObject", "reference", "always"],
    ["metricName", "metric.name", "text", "always"],
    ["currentValue", "current.value", "quantity", "always"],
    ["selector", "metric.selector", "selector"],
    ["averageValue", "current.averageValue", "quantity"],
  ],
  pods: [
    ["metricName", "metric.name", "text", "always"],
    ["currentAverageValue", "current.averageValue", "quantity", "always"],
    ["selector", "metric.selector", "selector"],
  ],
  resource: [
    ["name", "name", "text", "always"],
    ["currentAverageUtilization", "current.averageUtilization", "integer"],
    ["currentAverageValue", "current.averageValue", "quantity", "always"],
  ],
  containerResource: [
    ["name", "name", "text", "always"],
    ["currentAverageUtilization", "current.averageUtilization", "integer"],
    ["currentAverageValue", "current.averageValue", "quantity", "always"],
    ["container", "container", "text", "always"],
  ],
  external: [
    ["metricName", "metric.name", "text", "always"],
    ["metricSelector", "metric.selector", "selector"],
    ["currentValue", "current.value", "quantity", "always"],
    ["currentAverageValue", "current.averageValue", "quantity"],
  ],
};

const ZERO: Readonly<Record<ValueKind, Json>> = {
  text: "",
  integer: 0,
  quantity: "0",
  reference: { kind: "", name: "" },
  selector: {},
};

export function toV1(object: KubeObject & v2.HorizontalPodAutoscaler): KubeObject {
  const { metadata, spec = {}, status } = object;
  const annotations: Record<string, string> = withoutRoundTrip(metadata.annotations) ?? {};
  const metrics = spec.metrics ?? [];
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const { currentMetrics: current, conditions = [], ...counts } = status ?? {};
  const currentMetrics = current ?? [];
  if (others.length > 0) annotations[METRICS] = goJson(others.map((m) => metricToV1(m, SOURCES)));
  if (currentMetrics.length > 0) {
    annotations[CURRENT_METRICS] = goJson(currentMetrics.map((m) => metricToV1(m, STATUSES)));
  }
  if (spec.behavior) annotations[BEHAVIOR] = goJson(internalForm("HorizontalPodAutoscalerBehavior", spec.behavior));
  if (conditions.length > 0) annotations[CONDITIONS] = goJson(conditions.map(conditionToV1));
  const { annotations: _, ...rest } = metadata;
  const cpu = metrics.find(isCpuUtilization)?.resource?.target?.averageUtilization;
  const currentCpu = currentMetrics.findLast((metric) =>
    metric.type === "Resource" && metric.resource?.name === "cpu" &&
    metric.resource.current?.averageUtilization !== undefined
  )?.resource?.current?.averageUtilization;
  return {
    kind: object.kind,
    apiVersion: "autoscaling/v1",
    metadata: Object.keys(annotations).length > 0 ? { ...rest, annotations } : rest,
    spec: {
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      targetCPUUtilizationPercentage: cpu,
    },
    status: { ...counts, currentCPUUtilizationPercentage: currentCpu },
  };
}

function isCpuUtilization({ type, resource }: v2.MetricSpec): boolean {
  return type === "Resource" && resource?.name === "cpu" && resource.target?.averageUtilization !== undefined;
}

/** The annotations that are the user's own; undefined when there are none. */
export function withoutRoundTrip(annotations: Readonly<Record<string, string>> | undefined) {
  const own = Object.entries(annotations ?? {}).filter(([name]) => !ROUND_TRIP_ANNOTATIONS.includes(name));
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

function metricToV1(metric: v2.MetricSpec | v2.MetricStatus, table: typeof SOURCES): JsonObject {
  const out: JsonObject = { type: metric.type ?? "" };
  for (const [source, mappings] of Object.entries(table)) {
    const given = (metric as unknown as JsonObject)[source] as JsonObject | undefined;
    if (given === undefined) continue;
    const member: JsonObject = {};
    for (const [name, path, kind, always] of mappings) {
      const value = at(given, path) ?? (always && ZERO[kind]);
      if (value !== undefined) member[name] = value;
    }
    out[source] = member;
  }
  return out;
}

function conditionToV1(
  { type = "", status = "", lastTransitionTime, reason, message }: v2.HorizontalPodAutoscalerCondition,
) {
  return {
    type,
    status,
    lastTransitionTime: lastTransitionTime ?? null,
    reason: reason || undefined,
    message: message || undefined,
  };
}

function at(object: JsonObject, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((value, name) => (value as JsonObject | undefined)?.[name], object);
}

function put(object: JsonObject, path: string, value: Json): void {
  const names = path.split(".");
  const last = names.pop()!;
  (names.reduce((inner, name) => (inner[name] ??= {}) as JsonObject, object))[last] = value;
}

export function fromV1(object: KubeObject): KubeObject & v2.HorizontalPodAutoscaler {
  const { metadata, spec = {}, status = {} } = object;
  const { targetCPUUtilizationPercentage: cpu, ...rest } = spec;
  const { currentCPUUtilizationPercentage: currentCpu, ...counts } = status;
  const annotations: Record<string, string> = metadata.annotations ?? {};
  const metrics: v2.MetricSpec[] = parsed(annotations[METRICS], (list) => metricsFromV1(list, SOURCES)) ?? [];
  if (cpu !== undefined) metrics.push(cpuMetric(cpu));
  if (metrics.length === 0) metrics.push(cpuMetric(DEFAULT_CPU_UTILIZATION));
  const behavior = parsed(annotations[BEHAVIOR], behaviorFromInternal);
  const cpuStatus = currentCpu === undefined
    ? undefined
    : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: currentCpu } } }];
  const currentMetrics: v2.MetricStatus[] | undefined =
    parsed(annotations[CURRENT_METRICS], (list) => metricsFromV1(list, STATUSES)) ?? cpuStatus;
  const conditions = parsed(annotations[CONDITIONS], conditionsFromV1);
  const own = withoutRoundTrip(metadata.annotations);
  const { annotations: _, ...meta } = metadata;
  return {
    kind: object.kind,
    apiVersion: "autoscaling/v2",
    metadata: own ? { ...meta, annotations: own } : meta,
    spec: { ...rest, metrics, ...behavior && { behavior } },
    status: { ...counts, ...currentMetrics && { currentMetrics }, ...conditions && { conditions } },
  };
}

function cpuMetric(averageUtilization: number): v2.MetricSpec {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** Not what the annotation should hold: it counts as absent. */
class Unreadable extends Error {}

function parsed<T>(text: string | undefined, read: (value: Json) => T): T | undefined {
  if (text === undefined) return undefined;
  try {
    return read(JSON.parse(text));
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function objectOf(value: Json | undefined): JsonObject {
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new Unreadable();
  return value;
}

function listOf(value: Json): JsonObject[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new Unreadable();
  return value.map(objectOf);
}

function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") throw new Unreadable();
  return value;
}

/** Undefined for null. */
function valueOf(value: Json, kind: ValueKind): Json | undefined {
  if (value === null) return undefined;
  switch (kind) {
    case "text":
      return textOf(value);
    case "integer":
      if (typeof value !== "number" || !Number.isInteger(value)) throw new Unreadable();
      return value;
    case "quantity":
      if (parseQuantity(String(value)) === undefined) throw new Unreadable();
      return String(value);
    case "reference": {
      const { kind: referred, name, apiVersion } = objectOf(value);
      const version = textOf(apiVersion);
      return { kind: textOf(referred), name: textOf(name), ...version !== "" && { apiVersion: version } };
    }
    case "selector":
      return objectOf(value);
  }
}

function metricsFromV1(list: Json, table: typeof SOURCES): (v2.MetricSpec & v2.MetricStatus)[] {
  return listOf(list).map((metric) => {
    const out: JsonObject = { type: textOf(metric.type) };
    for (const [source, mappings] of Object.entries(table)) {
      if (metric[source] === undefined || metric[source] === null) continue;
      const given = objectOf(metric[source]), member: JsonObject = {};
      for (const [name, path, kind, always] of mappings) {
        const value = (given[name] === undefined ? undefined : valueOf(given[name], kind)) ?? (always && ZERO[kind]);
        if (value !== undefined) put(member, path, value);
      }
      if (table === SOURCES) setTargetType(source, member);
      out[source] = member;
    }
    return out as unknown as v2.MetricSpec & v2.MetricStatus;
  });
}

/** v1 tells the type of a target by what is set. */
function setTargetType(source: string, member: JsonObject): void {
  const target = (member.target ??= {}) as JsonObject;
  const { value, averageValue, averageUtilization } = target;
  switch (source) {
    case "resource":
    case "containerResource":
      target.type = averageUtilization === undefined ? "AverageValue" : "Utilization";
      break;
    case "object":
      target.type = averageValue === undefined ? "Value" : "AverageValue";
      if (averageValue !== undefined && compareQuantities(value as string, "0") === 0) delete target.value;
      break;
    case "external":
      target.type = value === undefined ? "AverageValue" : "Value";
      break;
    default:
      target.type = "AverageValue";
  }
}

/** Members of a Go type, whose names are matched whatever their case. */
function internalMembers(value: Json): Record<string, Json | undefined> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, member]) => [name.toLowerCase(), member]));
}

function behaviorFromInternal(value: Json): v2.HorizontalPodAutoscalerBehavior | undefined {
  const { scaleup, scaledown } = internalMembers(value);
  const scaleUp = rulesFromInternal(scaleup), scaleDown = rulesFromInternal(scaledown);
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  return { ...scaleUp && { scaleUp }, ...scaleDown && { scaleDown } };
}

function rulesFromInternal(value: Json | undefined): v2.HPAScalingRules | undefined {
  if (value === null || value === undefined) return undefined;
  const { stabilizationwindowseconds, selectpolicy, policies, tolerance } = internalMembers(value);
  const rules: JsonObject = {
    stabilizationWindowSeconds: valueOf(stabilizationwindowseconds ?? null, "integer"),
    selectPolicy: valueOf(selectpolicy ?? null, "text"),
    policies: policies === undefined || policies === null ? undefined : listOf(policies).map((policy) => {
      const { type, value, periodseconds } = internalMembers(policy);
      return {
        type: textOf(type),
        value: valueOf(value ?? 0, "integer")!,
        periodSeconds: valueOf(periodseconds ?? 0, "integer")!,
      };
    }),
    tolerance: valueOf(tolerance ?? null, "quantity"),
  };
  for (const [name, member] of Object.entries(rules)) if (member === undefined) delete rules[name];
  return rules as unknown as v2.HPAScalingRules;
}

function conditionsFromV1(list: Json): v2.HorizontalPodAutoscalerCondition[] {
  return listOf(list).map(({ type, status, lastTransitionTime, reason, message }) => ({
    type: textOf(type),
    status: textOf(status),
    ...lastTransitionTime && { lastTransitionTime: textOf(lastTransitionTime) },
    ...reason && { reason: textOf(reason) },
    ...message && { message: textOf(message) },
  }));
}
