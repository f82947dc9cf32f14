// Whether a request fits into the quotas of its namespace, and what they would say if it did.
import type { ResourceList } from "../../../apis/core/resource_names.ts";
import { unknownError } from "../../../machinery/errors.ts";
import { compareQuantities } from "../../../machinery/quantity.ts";
import { formatGroupResource, type KubeObject } from "../../../machinery/types.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import { refusal } from "../attributes.ts";
import type { Evaluator, ScopeRequirement } from "./evaluator.ts";
import { addLists, describeList, excess, only, withoutZeros } from "./resource_lists.ts";

/** What may be used only where a quota limits it. */
export interface LimitedResource {
  apiGroup?: string;
  resource: string;
  matchContains?: string[];
  matchScopes?: ScopeRequirement[];
}

/** A quota while requests are checked against it. */
export interface RunningQuota {
  quota: KubeObject;
  hard: ResourceList;
  used: ResourceList;
}

export function runningQuota(quota: KubeObject): RunningQuota {
  return { quota, hard: quota.status?.hard ?? {}, used: quota.status?.used ?? {} };
}

function scopesOf({ quota }: RunningQuota): ScopeRequirement[] {
  const { scopes = [], scopeSelector } = quota.spec ?? {};
  return [
    ...scopes.map((scopeName: string) => ({ scopeName, operator: "Exists" })),
    ...scopeSelector?.matchExpressions ?? [],
  ];
}

function isChosen(running: RunningQuota, evaluator: Evaluator, object: KubeObject): boolean {
  return evaluator.matching(Object.keys(running.hard)).length > 0 &&
    scopesOf(running).every((scope) => evaluator.isInScope?.(scope, object) ?? false);
}

interface Request {
  attributes: AdmissionAttributes;
  evaluator: Evaluator;
  limited: readonly LimitedResource[];
}

/** Quotas that choose the object. Throws when it does not say what they want to know, or they do not know it themselves. */
function interested(quotas: readonly RunningQuota[], { attributes, evaluator }: Request): RunningQuota[] {
  const object = attributes.object!;
  return quotas.filter((running) => {
    if (!isChosen(running, evaluator, object)) return false;
    const { name } = running.quota.metadata, limited = evaluator.matching(Object.keys(running.hard));
    const missing = evaluator.missing?.(limited, object);
    if (missing !== undefined) throw refusal(attributes, `failed quota: ${name}: ${missing}`);
    if (limited.some((resource) => running.used[resource] === undefined)) {
      throw refusal(attributes, `status unknown for quota: ${name}, resources: ${[...limited].sort().join(",")}`);
    }
    return true;
  });
}

/** Throws when something is used that no quota limits although it must be limited. */
function checkCovered(
  { attributes, evaluator, limited }: Request,
  usage: ResourceList,
  quotas: { all: readonly RunningQuota[]; chosen: readonly RunningQuota[] },
): void {
  const own = limited.filter(({ apiGroup = "", resource }) =>
    formatGroupResource({ group: apiGroup, resource }) === formatGroupResource(attributes.resource)
  );
  const covered = new Set(quotas.chosen.flatMap(({ hard }) => evaluator.matching(Object.keys(hard))));
  const consumed = Object.keys(usage).filter((name) => compareQuantities(usage[name], "0") > 0);
  const uncovered = consumed.filter((name) =>
    !covered.has(name) && own.some(({ matchContains = [] }) => matchContains.some((part) => name.includes(part)))
  );
  if (uncovered.length > 0) {
    throw refusal(attributes, `insufficient quota to consume: ${uncovered.sort().join(",")}`);
  }
  const isIn = (scope: ScopeRequirement) => evaluator.isInScope?.(scope, attributes.object!) ?? false;
  const wanted = limited.flatMap(({ matchScopes = [] }) => matchScopes).filter(isIn);
  const there = new Set(quotas.all.flatMap(scopesOf).filter(isIn).map((scope) => scope.scopeName));
  const open = wanted.filter((scope) => !there.has(scope.scopeName));
  if (open.length === 0) return;
  const shown = open.map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(" ")}]}`);
  throw unknownError(`insufficient quota to match these scopes: [${shown.join(" ")}]`);
}

/** What is used of a quota when `delta` comes to it. Throws when that is too much. */
function charge(
  { quota, hard, used }: RunningQuota,
  delta: ResourceList,
  attributes: AdmissionAttributes,
): ResourceList {
  const requested = only(delta, Object.keys(hard)), now = addLists(used, requested);
  // What a controller found out about an object is so already.
  if (attributes.subresource === "status") return now;
  const exceeded = Object.keys(requested).filter((name) => compareQuantities(now[name], hard[name]) > 0);
  if (exceeded.length === 0) return now;
  const [wanted, before, limit] = [requested, used, hard].map((list) => describeList(only(list, exceeded)));
  throw refusal(
    attributes,
    `exceeded quota: ${quota.metadata.name}, requested: ${wanted}, used: ${before}, limited: ${limit}`,
  );
}

/** The quotas as they are when the request has been carried out; the same ones where nothing changes. Throws a refusal. */
export function checkRequest(quotas: readonly RunningQuota[], request: Request): readonly RunningQuota[] {
  const { attributes, evaluator } = request, { object, oldObject, operation } = attributes;
  const chosen = interested(quotas, request);
  const usage = evaluator.usage(object!);
  const negative = Object.keys(usage).filter((name) => compareQuantities(usage[name], "0") < 0);
  if (negative.length > 0) {
    throw refusal(attributes, `quota usage is negative for resource(s): ${negative.sort().join(",")}`);
  }
  const isUpdate = operation === "UPDATE" && !!oldObject?.metadata.resourceVersion;
  const more = isUpdate ? excess(usage, evaluator.usage(oldObject)) : usage;
  const deltaOf = (running: RunningQuota) =>
    withoutZeros(isUpdate && isChosen(running, evaluator, oldObject) ? more : usage);
  const deltas = new Map(chosen.map((running) => [running, deltaOf(running)]));
  const isNothing = chosen.length > 0
    ? [...deltas.values()].every((delta) => Object.keys(delta).length === 0)
    : Object.keys(withoutZeros(more)).length === 0;
  if (isNothing) return quotas;
  checkCovered(request, usage, { all: quotas, chosen });
  return quotas.map((running) => {
    const delta = deltas.get(running);
    if (delta === undefined || Object.keys(delta).length === 0) return running;
    return { ...running, used: charge(running, delta, attributes) };
  });
}
