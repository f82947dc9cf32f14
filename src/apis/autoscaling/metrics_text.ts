// The targets of an autoscaler and how far its metrics are from them, as one cell of a table.
import type * as v2 from "../../facts/generated/types.ts";

const SHOWN = 2;
const UNKNOWN = "<unknown>";

/** `cpu: 33%/80%, memory: 150Mi/200Mi + 3 more...` */
export function metricsText(specs: readonly v2.MetricSpec[], statuses: readonly v2.MetricStatus[]): string {
  if (specs.length === 0) return "<none>";
  const shown = specs.slice(0, SHOWN).map((spec, i) => metricText(spec, statuses[i] ?? {})).join(", ");
  return specs.length > SHOWN ? `${shown} + ${specs.length - SHOWN} more...` : shown;
}

function metricText(spec: v2.MetricSpec, status: v2.MetricStatus): string {
  switch (spec.type) {
    case "External":
      return valueText(spec.external?.target, status.external?.current);
    case "Object":
      return valueText(spec.object?.target, status.object?.current);
    case "Pods":
      return `${status.pods ? quantity(status.pods.current?.averageValue) : UNKNOWN}/${
        quantity(spec.pods?.target?.averageValue)
      }`;
    case "Resource":
      return resourceText(spec.resource, status.resource);
    case "ContainerResource":
      return resourceText(spec.containerResource, status.containerResource);
    default:
      return "<unknown type>";
  }
}

function valueText(target: v2.MetricTarget = {}, current: v2.MetricValueStatus | undefined): string {
  if (target.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
  return `${current ? quantity(current.value) : UNKNOWN}/${quantity(target.value)}`;
}

function resourceText(
  { name = "", target = {} }: { name?: string; target?: v2.MetricTarget } = {},
  status: { current?: v2.MetricValueStatus } | undefined,
): string {
  if (target.averageValue !== undefined) {
    return `${name}: ${status ? quantity(status.current?.averageValue) : UNKNOWN}/${target.averageValue}`;
  }
  const percent = (value: number | undefined, missing: string) => value === undefined ? missing : `${value}%`;
  const current = percent(status?.current?.averageUtilization, UNKNOWN);
  return `${name}: ${current}/${percent(target.averageUtilization, "<auto>")}`;
}

/** A quantity that is not there prints as Go prints none. */
function quantity(value: string | undefined): string {
  return value ?? "<nil>";
}
