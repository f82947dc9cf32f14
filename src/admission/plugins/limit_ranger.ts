// LimitRanger: containers get the defaults of their namespace's limit ranges, and everything stays inside of them.
import { aggregate } from "../../apis/core/pod_spec/resources.ts";
import type { ResourceList } from "../../apis/core/resource_names.ts";
import type { Container, LimitRangeItem, PodSpec } from "../../facts/generated/types.ts";
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import { quantityMilliValue, quantityValue } from "../../machinery/quantity.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { withFound } from "./lookup.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

/** Whole numbers up to here can be compared in thousandths without leaving 64 bits. */
const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

interface Usage {
  requests: ResourceList;
  limits: ResourceList;
}

function ranges(limitRange: KubeObject): LimitRangeItem[] {
  return limitRange.spec?.limits ?? [];
}

/** Puts what is missing; gives back the names of what it put, in order. */
function fill(list: ResourceList, defaults: ResourceList): string[] {
  const missing = Object.keys(defaults).filter((name) => list[name] === undefined).sort();
  for (const name of missing) list[name] = defaults[name];
  return missing;
}

/** What was put is noted, and told. */
function fillContainer(container: Container, kind: string, defaults: Usage): string[] {
  const notes: string[] = [];
  for (const [side, word] of [["requests", "request"], ["limits", "limit"]] as const) {
    const list = { ...container.resources?.[side] };
    const put = fill(list, defaults[side]);
    if (put.length === 0) continue;
    (container.resources ??= {})[side] = list;
    notes.push(`${put.join(", ")} ${word} for ${kind} ${container.name}`);
  }
  return notes;
}

function applyDefaults(limitRange: KubeObject, { metadata, spec }: KubeObject): void {
  const defaults: Usage = { requests: {}, limits: {} };
  for (const item of ranges(limitRange)) {
    if (item.type !== "Container") continue;
    Object.assign(defaults.requests, item.defaultRequest);
    Object.assign(defaults.limits, item.default);
  }
  const { containers, initContainers = [] } = spec as PodSpec;
  const notes = [
    ...(containers ?? []).flatMap((c) => fillContainer(c, "container", defaults)),
    ...initContainers.flatMap((c) => fillContainer(c, "init container", defaults)),
  ];
  if (notes.length > 0) (metadata.annotations ??= {})[ANNOTATION] = `LimitRanger plugin set: ${notes.join("; ")}`;
}

/** Thousandths where all of them can be had, else whole numbers. */
function comparable(...quantities: (string | undefined)[]): bigint[] {
  const values = quantities.map((quantity) => quantityValue(quantity ?? "0"));
  if (values.some((value) => value > MAX_MILLI)) return values;
  return quantities.map((quantity) => quantityMilliValue(quantity ?? "0"));
}

type Check = (what: { type: string; name: string; bound: string }, usage: Usage) => string | undefined;

const belowMinimum: Check = ({ type, name, bound }, { requests, limits }) => {
  const request = requests[name], limit = limits[name], what = `minimum ${name} usage per ${type} is ${bound}`;
  const [requested, limited, least] = comparable(request, limit, bound);
  if (request === undefined) return `${what}.  No request is specified`;
  if (requested < least) return `${what}, but request is ${request}`;
  if (limit !== undefined && limited < least) return `${what}, but limit is ${limit}`;
};

const aboveMaximum: Check = ({ type, name, bound }, { requests, limits }) => {
  const request = requests[name], limit = limits[name], what = `maximum ${name} usage per ${type} is ${bound}`;
  const [requested, limited, most] = comparable(request, limit, bound);
  if (limit === undefined) return `${what}.  No limit is specified`;
  if (limited > most) return `${what}, but limit is ${limit}`;
  if (request !== undefined && requested > most) return `${what}, but request is ${request}`;
};

/** Claims have no limits. */
const requestAboveMaximum: Check = ({ type, name, bound }, { requests }) => {
  const request = requests[name], what = `maximum ${name} usage per ${type} is ${bound}`;
  const [requested, most] = comparable(request, bound);
  if (request === undefined) return `${what}.  No request is specified`;
  if (requested > most) return `${what}, but request is ${request}`;
};

const aboveRatio: Check = ({ type, name, bound }, { requests, limits }) => {
  const request = requests[name],
    limit = limits[name],
    what = `${name} max limit to request ratio per ${type} is ${bound}`;
  const [requested, limited] = comparable(request, limit, bound);
  if (request === undefined || requested === 0n) return `${what}, but no request is specified or request is 0`;
  if (limit === undefined || limited === 0n) return `${what}, but no limit is specified or limit is 0`;
  const ratio = Number(limited) / Number(requested);
  const whole = quantityValue(bound), precise = whole <= MAX_MILLI;
  const exceeded = precise ? ratio * 1000 > Number(quantityMilliValue(bound)) : ratio > Number(whole);
  if (exceeded) return `${what}, but provided ratio is ${ratio.toFixed(6)}`;
};

function check(type: string | undefined, bounds: ResourceList | undefined, usage: Usage, rule: Check): string[] {
  return Object.keys(bounds ?? {}).sort().flatMap((name) =>
    rule({ type: type ?? "", name, bound: bounds![name] }, usage) ?? []
  );
}

function checkAll(item: LimitRangeItem, usage: Usage): string[] {
  return [
    ...check(item.type, item.min, usage, belowMinimum),
    ...check(item.type, item.max, usage, aboveMaximum),
    ...check(item.type, item.maxLimitRequestRatio, usage, aboveRatio),
  ];
}

/** What the containers need together, or what the pod says for all of them. */
function podUsage(spec: PodSpec): Usage {
  const usage = { requests: aggregate(spec, "requests"), limits: aggregate(spec, "limits") };
  for (const side of ["requests", "limits"] as const) {
    for (const name of ["cpu", "memory"]) {
      const whole = spec.resources?.[side]?.[name];
      if (whole !== undefined) usage[side][name] = whole;
    }
  }
  return usage;
}

function checkPod(limitRange: KubeObject, spec: PodSpec): string[] {
  return ranges(limitRange).flatMap((item) => {
    if (item.type === "Pod") return checkAll(item, podUsage(spec));
    if (item.type !== "Container") return [];
    return [...spec.containers ?? [], ...spec.initContainers ?? []].flatMap(({ resources }) =>
      checkAll(item, { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} })
    );
  });
}

function checkClaim(limitRange: KubeObject, claim: KubeObject): string[] {
  const usage = { requests: claim.spec?.resources?.requests ?? {}, limits: {} };
  return ranges(limitRange).filter((item) => item.type === "PersistentVolumeClaim").flatMap((item) => [
    ...check(item.type, item.min, usage, belowMinimum),
    ...check(item.type, item.max, usage, requestAboveMaximum),
  ]);
}

/** Containers change by resizes only. What is being deleted may be as it is. */
function looksAt({ operation, kind, subresource, oldObject }: AdmissionAttributes): boolean {
  if (kind.group !== "" || oldObject?.metadata.deletionTimestamp !== undefined) return false;
  if (kind.kind === "Pod") return operation === "UPDATE" ? subresource === "resize" : subresource === "";
  return kind.kind === "PersistentVolumeClaim" && subresource === "";
}

export function limitRanger({ lookup }: PluginContext): AdmissionPlugin {
  const rangesOf = ({ namespace }: AdmissionAttributes) => lookup.list("", "limitranges", namespace);
  return {
    name: "LimitRanger",
    handles: on("CREATE", "UPDATE"),
    looksAt,
    admit(attributes) {
      if (attributes.kind.kind !== "Pod") return;
      return withFound(rangesOf(attributes), (limitRanges) => {
        for (const limitRange of limitRanges) applyDefaults(limitRange, attributes.object!);
      });
    },
    validate(attributes) {
      const object = attributes.object!;
      return withFound(rangesOf(attributes), (limitRanges) => {
        for (const limitRange of limitRanges) {
          const errors = attributes.kind.kind === "Pod"
            ? checkPod(limitRange, object.spec)
            : checkClaim(limitRange, object);
          if (errors.length > 0) throw refusal(attributes, new AggregateFailure(errors).message);
        }
      });
    },
  };
}
