// Limit ranges: bounds and defaults of what containers, pods and claims ask for in a namespace.
import { compareQuantities, quantityMilliValue, quantityValue } from "../../machinery/quantity.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, isQualifiedName } from "../../machinery/validation/mod.ts";
import type { LimitRange, LimitRangeItem } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import {
  isOvercommitAllowed,
  type ResourceList,
  roundResources,
  validateContainerResourceName,
  validateResourceName,
} from "./resource_names.ts";

type LimitRangeObject = KubeObject & LimitRange;

const TYPES = ["Pod", "Container", "PersistentVolumeClaim"];

/** What containers get by default follows from the bounds where it is not said. */
function setItemDefaults(item: LimitRangeItem): void {
  if (item.type !== "Container") return;
  const { max, min } = item;
  item.default = { ...max, ...item.default };
  item.defaultRequest = { ...min, ...item.default, ...item.defaultRequest };
}

function setDefaults({ spec }: LimitRangeObject): void {
  for (const item of spec?.limits ?? []) {
    setItemDefaults(item);
    for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
      roundResources(list);
    }
  }
}

function checkItem(item: LimitRangeItem, at: Field): void {
  const { type = "" } = item, forPods = type === "Pod";
  const checkName = type === "Pod" || type === "Container" ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const note = (member: "max" | "min" | "default" | "defaultRequest" | "maxLimitRequestRatio") => {
    for (const name of Object.keys(item[member] ?? {})) {
      checkName(name, at.child(member).key(name));
      names.add(name);
    }
  };
  note("max");
  note("min");
  for (const member of ["default", "defaultRequest"] as const) {
    if (!forPods) note(member);
    else if (Object.keys(item[member] ?? {}).length > 0) {
      at.child(member).forbidden("may not be specified when `type` is 'Pod'");
    }
  }
  if (type === "PersistentVolumeClaim" && !item.min?.storage && !item.max?.storage) {
    at.child("limits").required("either minimum or maximum storage value is required, but neither was provided");
  }
  note("maxLimitRequestRatio");
  const bounds = forPods ? { ...item, default: undefined, defaultRequest: undefined } : item;
  for (const name of names) checkBounds(name, bounds, at);
}

function checkBounds(name: string, item: LimitRangeItem, at: Field): void {
  const of = (list: ResourceList | undefined) => list?.[name];
  const min = of(item.min), max = of(item.max), limit = of(item.default), request = of(item.defaultRequest);
  /** Reports where `low` is above `high`. */
  const ordered = (
    low: string | undefined,
    high: string | undefined,
    say: (low: string, high: string) => [member: string, shown: string, message: string],
  ) => {
    if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return;
    const [member, shown, message] = say(low, high);
    at.child(member).key(name).invalid(shown, message);
  };
  ordered(min, max, (a, b) => ["min", a, `min value ${a} is greater than max value ${b}`]);
  ordered(min, request, (a, b) => ["defaultRequest", b, `min value ${a} is greater than default request value ${b}`]);
  ordered(request, max, (a, b) => ["defaultRequest", a, `default request value ${a} is greater than max value ${b}`]);
  ordered(
    request,
    limit,
    (a, b) => ["defaultRequest", a, `default request value ${a} is greater than default limit value ${b}`],
  );
  ordered(min, limit, (a, b) => ["default", a, `min value ${a} is greater than default value ${b}`]);
  ordered(limit, max, (a, b) => ["default", b, `default value ${a} is greater than max value ${b}`]);
  checkRatio(of(item.maxLimitRequestRatio), { min, max }, at.child("maxLimitRequestRatio").key(name));
  if (isOvercommitAllowed(name) || limit === undefined || request === undefined) return;
  if (compareQuantities(limit, request) !== 0) {
    at.child("defaultRequest").key(name).invalid(
      request,
      `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
    );
  }
}

/** Whole values above this are compared as they are, smaller ones in thousandths. */
const MAX_MILLI_VALUE = (2n ** 63n - 1n) / 1000n;

function checkRatio(ratio: string | undefined, { min, max }: { min?: string; max?: string }, at: Field): void {
  if (ratio === undefined) return;
  if (compareQuantities(ratio, "1") < 0) at.invalid(ratio, `ratio ${ratio} is less than 1`);
  if (min === undefined || max === undefined) return;
  const small = [ratio, min, max].every((q) => quantityValue(q) < MAX_MILLI_VALUE);
  const value = (q: string) => Number(small ? quantityMilliValue(q) : quantityValue(q));
  const most = value(max) / value(min);
  if ((small ? value(ratio) / 1000 : value(ratio)) > most) {
    at.invalid(ratio, `ratio ${ratio} is greater than max/min = ${goFloat(most)}`);
  }
}

/** `%f` */
function goFloat(value: number): string {
  return Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? value.toFixed(6) : "+Inf";
}

function check(object: LimitRangeObject, root: Field): void {
  const { spec = {} } = object;
  checkMeta(object, root, { namespaced: true });
  const seen = new Set<string>();
  (spec.limits ?? []).forEach((item, i) => {
    const at = root.child("spec", "limits").index(i), { type = "" } = item;
    const wrong = isQualifiedName(type);
    at.child("type").invalidEach(type, wrong);
    if (wrong.length === 0 && !type.includes("/") && !TYPES.includes(type)) {
      at.child("type").invalid(type, "must be a standard limit type or fully qualified");
    }
    if (seen.has(type)) at.child("type").duplicate(type);
    seen.add(type);
    checkItem(item, at);
  });
}

export const limitRange: KindDefinition<LimitRangeObject> = {
  gvk: { group: "", version: "v1", kind: "LimitRange" },
  resource: "limitranges",
  allowCreateOnUpdate: true,
  setDefaults,
  prepareForCreate({ metadata }) {
    metadata.name ||= crypto.randomUUID();
  },
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object) => collect((root) => check(object, root)),
};
